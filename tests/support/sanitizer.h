/* SPDX-License-Identifier: BSD-3-Clause */
// sanitizer.h - whether the tests are compiled with a sanitizer, which makes processes slow to fork
// and memory and system calls its own.
#ifndef SUPPORT_SANITIZER_H
#define SUPPORT_SANITIZER_H

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitizer = true;
#else
constexpr bool kSanitizer = false;
#endif

#endif
