/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - see page.h; the daemon writes it in src/daemon/pages.c. */
#include "backend/daemon/page.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "backend/daemon/wire.h"

#define TRIES 8 /* a change takes much less time than passes between two */

int unc_page_map(struct unc_page **page, int file, size_t n)
{
	const size_t size = sizeof(struct unc_wire_page);
	const struct unc_wire_page *is;
	struct stat st;
	void *at;

	/* accessing a file that was truncated would end this process with SIGBUS */
	if (fstat(file, &st) < 0 || st.st_size < (off_t)size)
		return -EPROTO;
	at = mmap(*page, size, PROT_READ, MAP_SHARED | (*page ? MAP_FIXED : 0), file, 0);
	if (at == MAP_FAILED)
		return -errno;
	is = at;
	*page = at;
	return is->size == size && is->n == n ? 0 : -EPROTO;
}

void unc_page_unmap(struct unc_page *page)
{
	if (page)
		munmap(page, sizeof(struct unc_wire_page));
}

#define get(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)

static int copy(const struct unc_wire_page *page, uint64_t *counts, size_t n,
		struct unc_page_time *time)
{
	*time = (struct unc_page_time){get(page->when), get(page->enabled)};
	for (size_t i = 0; i < n; i++)
		counts[i] = (uint64_t)get(page->counts[i]);
	if (time->when == 0)
		return -EAGAIN;
	return get(page->code) < 0 ? -EIO : 0;
}

int unc_page_read(const struct unc_page *p, uint64_t *counts, size_t n, struct unc_page_time *time)
{
	const struct unc_wire_page *page = (const struct unc_wire_page *)p;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t seq = __atomic_load_n(&page->seq, __ATOMIC_ACQUIRE);
		const int r = copy(page, counts, n, time);

		atomic_thread_fence(memory_order_acquire);
		if (!(seq & 1) && get(page->seq) == seq)
			return r;
	}
	return -EAGAIN;
}
