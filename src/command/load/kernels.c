/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels.c - the loops themselves: each touches every line once. */
#include "command/load/inside.h"

#if defined(__x86_64__)

#include <emmintrin.h>

const char *load_no_kernels(void)
{
	return NULL;
}

void load_flush_lines(const void *memory, size_t bytes)
{
	const char *line = memory;

	for (size_t i = 0; i < bytes; i += LOAD_LINE)
		_mm_clflush(line + i);
	_mm_mfence();
}

void load_read(const void *memory, size_t bytes)
{
	const __m128i *from = memory;
	__m128i sum = _mm_setzero_si128();

	for (size_t i = 0; i < bytes / sizeof(*from); i += 4) {
		sum = _mm_xor_si128(sum, _mm_load_si128(from + i));
		sum = _mm_xor_si128(sum, _mm_load_si128(from + i + 1));
		sum = _mm_xor_si128(sum, _mm_load_si128(from + i + 2));
		sum = _mm_xor_si128(sum, _mm_load_si128(from + i + 3));
	}
	/* Keeps the compiler from removing the loop. */
	__asm__ volatile("" : : "x"(sum));
}

void load_read_again(const void *line, size_t times)
{
	for (size_t i = 0; i < times; i++) {
		_mm_clflush(line);
		_mm_mfence();
		(void)*(const volatile int *)line;
	}
	_mm_mfence();
}

/* Write whole lines at once: partial writes would read the line first, or be split. */
static void store_line(__m128i *to, __m128i a, __m128i b, __m128i c, __m128i d)
{
	_mm_stream_si128(to, a);
	_mm_stream_si128(to + 1, b);
	_mm_stream_si128(to + 2, c);
	_mm_stream_si128(to + 3, d);
}

void load_write(void *memory, size_t bytes)
{
	const __m128i value = _mm_set1_epi8(0x5a);
	__m128i *to = memory;

	for (size_t i = 0; i < bytes / sizeof(*to); i += 4)
		store_line(to + i, value, value, value, value);
	_mm_sfence();
}

void load_copy(void *to, const void *from, size_t bytes)
{
	const __m128i *in = from;
	__m128i *out = to;

	for (size_t i = 0; i < bytes / sizeof(*in); i += 4)
		store_line(out + i, _mm_load_si128(in + i), _mm_load_si128(in + i + 1),
			   _mm_load_si128(in + i + 2), _mm_load_si128(in + i + 3));
	_mm_sfence();
}

#else

const char *load_no_kernels(void)
{
	return "cannot generate memory traffic: not supported on this processor; use an x86-64 "
	       "processor";
}

void load_flush_lines(const void *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
}

void load_read(const void *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
}

void load_read_again(const void *line, size_t times)
{
	(void)line;
	(void)times;
}

void load_write(void *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
}

void load_copy(void *to, const void *from, size_t bytes)
{
	(void)to;
	(void)from;
	(void)bytes;
}

#endif

void load_triad(void *a, const void *b, const void *c, size_t bytes)
{
	const double *from = b, *scaled = c;
	double *to = a;

	for (size_t i = 0; i < bytes / sizeof(*to); i++)
		to[i] = from[i] + 3 * scaled[i];
	__asm__ volatile("" : : "r"(to) : "memory");
}

/* ---- chase ---- */

struct line {
	struct line *next;
	size_t number; /* position in the permutation, while the cycle is built */
	char rest[LOAD_LINE - sizeof(struct line *) - sizeof(size_t)];
};

/* xorshift64, Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003) */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Sattolo's algorithm: a permutation that is a single cycle. */
void load_thread_lines(void *memory, size_t bytes)
{
	struct line *lines = memory;
	const size_t n = bytes / sizeof(*lines);
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = 0; i < n; i++)
		lines[i].number = i;
	for (size_t i = n; i-- > 1;) {
		const size_t other = next_random(&state) % i, number = lines[i].number;

		lines[i].number = lines[other].number;
		lines[other].number = number;
	}
	for (size_t i = 0; i < n; i++)
		lines[i].next = &lines[lines[i].number];
}

void *load_chase(void *first, size_t hops)
{
	struct line *at = first;

	for (size_t i = 0; i < hops; i++) {
		at = at->next;
		__asm__ volatile("" : "+r"(at)); /* keeps the compiler from removing cycles */
	}
	return at;
}
