/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - counts that uncored keeps in memory, as its client sees them. */
#ifndef UNC_PAGE_H
#define UNC_PAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unc_page;

/*
 * Map the page behind a file, in the place of an older one of as many events (*page; NULL: there is
 * none): a reader may be on its way through it.  0 or -errno.
 */
int unc_page_map(struct unc_page **page, int file, size_t n);
void unc_page_unmap(struct unc_page *page);

/* When it was filled, and for how long the set had counted then, ns. */
struct unc_page_time {
	int64_t when, enabled;
};

/* 0; -EAGAIN: nothing is in it yet, or it changes all the time; -EIO.  Signal-safe. */
int unc_page_read(const struct unc_page *page, uint64_t *counts, size_t n,
		  struct unc_page_time *time);

#ifdef __cplusplus
}
#endif
#endif
