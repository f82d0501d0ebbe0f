/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * documents.h - the documents that messages cite, where `make install` puts them (install.mk reads
 * this list).
 */
#ifndef UNC_DOCUMENTS_H
#define UNC_DOCUMENTS_H

#include "config.h"

/* In PAPI's own build it is unknown where this one will be installed. */
#ifndef UNCORE_DOC_DIR
#define UNCORE_DOC_DIR "docs"
#endif

#define UNC_DOC_COOKBOOK    UNCORE_DOC_DIR "/cookbook.md"
#define UNC_DOC_DAEMON      UNCORE_DOC_DIR "/daemon.md"
#define UNC_DOC_DIFFERENCES UNCORE_DOC_DIR "/reference/differences.md"
#define UNC_DOC_INSTALLING  UNCORE_DOC_DIR "/installing.md"
#define UNC_DOC_KERNEL      UNCORE_DOC_DIR "/kernel.md"
#define UNC_DOC_NODES       UNCORE_DOC_DIR "/nodes.md"
#define UNC_DOC_PERMISSIONS UNCORE_DOC_DIR "/permissions.md"
#define UNC_DOC_SHARING     UNCORE_DOC_DIR "/sharing.md"
#define UNC_DOC_WHO         UNCORE_DOC_DIR "/who.md"

#endif
