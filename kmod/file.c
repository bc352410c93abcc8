// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file of an area: its pages mapped, and the short ways for what threads do
 * often. A netlink message and its answer cost more than all that ENABLE does.
 *
 * Whatever is asked for here does nothing to any other file: a program that closed
 * ours, and opened another under its number, is none the worse.
 */
#include <linux/anon_inodes.h>
#include <linux/bitfield.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "access.h"
#include "area.h"
#include "asker.h"
#include "attach.h"
#include "compat.h"
#include "direct.h"
#include "file.h"
#include "own.h"
#include "profile.h"
#include "sched.h"

/* THREADPROF_AT() */
#define AT_OP		GENMASK_ULL(61, 56)
#define AT_PAGE		GENMASK_ULL(51, 32)
#define AT_ENABLE	GENMASK_ULL(31, 16)
#define AT_MASK		GENMASK_ULL(15, 0)
#define AT_ALL		(THREADPROF_POSITION | AT_OP | AT_PAGE | AT_ENABLE | \
			 AT_MASK)

static vm_fault_t page_fault(struct vm_fault *vmf)
{
	struct tprof_area *area = vmf->vma->vm_file->private_data;
	struct threadprof_page *page = tprof_area_page(area, vmf->pgoff);

	if (!page)
		return VM_FAULT_SIGBUS;
	vmf->page = virt_to_page(page);
	get_page(vmf->page);
	return 0;
}

static void pages_open(struct vm_area_struct *vma)
{
	tprof_access_opened(vma);
}

static void pages_close(struct vm_area_struct *vma)
{
	tprof_access_unmapped(vma);
}

static const struct vm_operations_struct pages_ops = {
	.open = pages_open,
	.close = pages_close,
	.fault = page_fault,
};

static int area_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff >= THREADPROF_MAX_PAGES ||
	    vma_pages(vma) > THREADPROF_MAX_PAGES - vma->vm_pgoff)
		return -EINVAL;
	/* A shared mapping of a read-only file has VM_MAYSHARE alone. */
	if (!(vma->vm_flags & VM_MAYSHARE) ||
	    (vma->vm_flags & (VM_WRITE | VM_EXEC)))
		return -EACCES;
	/* A child has no profile by it, so it gets no page either, unless asked to. */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_ops = &pages_ops;
	return 0;
}

static int area_release(struct inode *inode, struct file *file)
{
	struct tprof_area *area = file->private_data;

	tprof_area_closed(area);
	tprof_access_end(area);
	tprof_area_put(area);
	return 0;
}

/*
 * Asking for the position brings the calling thread's own page up to date,
 * whichever area the descriptor is of. Of all ways into the kernel by a descriptor
 * this is the cheapest.
 */
static loff_t area_llseek(struct file *file, loff_t offset, int whence)
{
	struct tprof_profile *p = tprof_profile_own();

	if (offset || whence != SEEK_CUR)
		return -EINVAL;
	if (!p || READ_ONCE(p->state) == TPROF_RELEASED)
		return -ENOENT;
	tprof_slice_refresh(p);
	return THREADPROF_POSITION + p->id;
}

static int enable(struct file *file, unsigned int page, u64 at)
{
	struct tprof_request request = {
		.flags = FIELD_GET(AT_ENABLE, at),
		.mask = FIELD_GET(AT_MASK, at),
		.file = file,
	};

	if (request.flags & ~THREADPROF_ENABLE_DISPATCH)
		return -EINVAL;
	return PTR_ERR_OR_ZERO(tprof_own_enable(file->private_data, page,
						&request, NULL));
}

/* Current's profile, if it is shown in that page. */
static struct tprof_profile *own_in(const struct tprof_area *area,
				    unsigned int page)
{
	struct tprof_profile *p = tprof_own_get();

	if (!p)
		return ERR_PTR(-ENOENT);
	return p->seat->area == area && p->seat->number == page ?
	       p : ERR_PTR(-EBADF);
}

static int disable(const struct tprof_area *area, unsigned int page)
{
	struct tprof_profile *p = own_in(area, page);

	if (IS_ERR(p))
		return PTR_ERR(p);
	tprof_profile_end_here(p);
	return 0;
}

static int direct(struct file *file, unsigned int page)
{
	struct tprof_profile *p = own_in(file->private_data, page);
	int error;

	if (IS_ERR(p))
		return PTR_ERR(p);
	error = tprof_direct_open(p, file);
	tprof_slice_refresh(p);
	return error;
}

static ssize_t area_read(struct file *file, char __user *buffer, size_t count,
			 loff_t *position)
{
	u64 at = *position;
	unsigned int page = FIELD_GET(AT_PAGE, at);

	if (count || !(at & THREADPROF_POSITION) || (at & ~AT_ALL) ||
	    page >= THREADPROF_MAX_PAGES)
		return -EINVAL;
	switch (FIELD_GET(AT_OP, at)) {
	case THREADPROF_OP_ENABLE:
		return enable(file, page, at);
	case THREADPROF_OP_DISABLE:
		return at & (AT_ENABLE | AT_MASK) ? -EINVAL :
		       disable(file->private_data, page);
	case THREADPROF_OP_DIRECT:
		return at & (AT_ENABLE | AT_MASK) ? -EINVAL :
		       direct(file, page);
	default:
		return -EINVAL;
	}
}

static const struct file_operations area_fops = {
	.owner = THIS_MODULE,
	.mmap = area_mmap,
	.release = area_release,
	.llseek = area_llseek,
	.read = area_read,
};

/* With an area of its own. */
struct file *tprof_file_new(void)
{
	struct tprof_area *area = tprof_area_new();
	struct file *file;

	if (!area)
		return ERR_PTR(-ENOMEM);
	file = anon_inode_getfile("[threadprof]", &area_fops, area, O_RDONLY);
	if (IS_ERR(file)) {
		tprof_area_put(area);
		return file;
	}
	/* For pread(); an anonymous inode's file has no positions by itself. */
	file->f_mode |= FMODE_PREAD;
	return file;
}
