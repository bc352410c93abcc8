// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file that shows a profile's page. Descriptor and mapping each hold it; its
 * end is the profile's.
 */
#include <linux/anon_inodes.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "file.h"
#include "page.h"
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
 * Brings the calling thread's own page up to date, whichever profile the
 * descriptor is of, and copies it if there is room: one descriptor serves all
 * threads of a process, and a read of 0 bytes is the cheapest way into the kernel.
 */
static ssize_t page_read(struct file *file, char __user *to, size_t size,
			 loff_t *pos)
{
	struct tprof_profile *p = tprof_profile_own();
	struct threadprof_page *copy;
	ssize_t n = sizeof(*copy);

	if (!p || READ_ONCE(p->state) == TPROF_RELEASED)
		return -ENOENT;
	if (size && size < sizeof(*copy))
		return -EINVAL;
	tprof_slice_refresh(p);
	if (!size)
		return 0;
	copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	tprof_page_copy(copy, p->page);
	if (copy_to_user(to, copy, sizeof(*copy)))
		n = -EFAULT;
	kfree(copy);
	return n;
}

static const struct file_operations page_fops = {
	.owner = THIS_MODULE,
	.read = page_read,
	.mmap = page_mmap,
	.release = page_release,
	.llseek = noop_llseek,
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
