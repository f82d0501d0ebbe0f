/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - counts that uncored keeps in memory shared with its client. */
#ifndef UNC_PAGE_H
#define UNC_PAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unc_page;

/*
 * Map the page of a file.  It replaces an older one for the same number of events (*page, or
 * NULL), which a reader may be using. 0 or -errno.
 */
int unc_page_map(struct unc_page **page, int file, size_t n);
void unc_page_unmap(struct unc_page *page);

/* When it was filled, and how long the set had been counting then, ns. */
struct unc_page_time {
	int64_t when, enabled;
};

/* 0; -EAGAIN: not filled yet, or it keeps changing; -EIO. Signal-safe. */
int unc_page_read(const struct unc_page *page, uint64_t *counts, size_t n,
		  struct unc_page_time *time);

#ifdef __cplusplus
}
#endif
#endif
