// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file that shows a profile's page. Descriptor and mapping each hold it; its
 * end is the profile's.
 */
#include <linux/anon_inodes.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "compat.h"
#include "file.h"
#include "profile.h"
#include "sched.h"

static int page_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct tprof_profile *p = file->private_data;

	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	/* A shared mapping of a read-only file has VM_MAYSHARE alone. */
	if (!(vma->vm_flags & VM_MAYSHARE) ||
	    (vma->vm_flags & (VM_WRITE | VM_EXEC)))
		return -EACCES;
	/* A child has no profile by it, so it gets no page either. */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	return vm_insert_page(vma, vma->vm_start, virt_to_page(p->page));
}

static int page_release(struct inode *inode, struct file *file)
{
	struct tprof_profile *p = file->private_data;

	tprof_profile_release(p);
	tprof_profile_put(p);
	return 0;
}

/*
 * Asking for the position brings the calling thread's own page up to date,
 * whichever profile the descriptor is of: one descriptor serves all threads of a
 * process. Of all ways into the kernel by a descriptor this is the cheapest, and
 * the one that does nothing to any other file: a program that closed ours, and
 * opened another under its number, sees by the answer that it is not ours.
 */
static loff_t page_llseek(struct file *file, loff_t offset, int whence)
{
	struct tprof_profile *p = tprof_profile_own();

	if (offset || whence != SEEK_CUR)
		return -EINVAL;
	if (!p || READ_ONCE(p->state) == TPROF_RELEASED)
		return -ENOENT;
	tprof_slice_refresh(p);
	return THREADPROF_POSITION + p->id;
}

static const struct file_operations page_fops = {
	.owner = THIS_MODULE,
	.mmap = page_mmap,
	.release = page_release,
	.llseek = page_llseek,
};

/* Takes a reference of its own. */
struct file *tprof_file_new(struct tprof_profile *p)
{
	struct file *file;

	file = anon_inode_getfile("[threadprof]", &page_fops, p, O_RDONLY);
	if (!IS_ERR(file))
		tprof_profile_get(p);
	return file;
}
