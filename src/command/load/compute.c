/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compute.c - loops of floating-point operations in registers, one for each width of vectors, with
 * fused multiply-adds where the processor has them, or else multiplications and additions by
 * halves.  Twelve independent chains fill two units with a latency of six cycles.
 */
#include "command/load/compute.h"

#define CHAINS 12

#if defined(__x86_64__)

#include <immintrin.h>

typedef double (*loop)(double factor, size_t n);

/* clang-format off */
#define LOOP(name, isa, element, vector, set, first, even, odd) \
static __attribute__((target(isa), noinline)) double name(double factor, size_t n) \
{ \
	const vector x = set((element)factor), y = set(1); \
	vector a = set(1), b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a; \
	for (size_t r = 0; r < n; r++) { \
		a = even(a, x, y); b = odd(b, x, y); c = even(c, x, y); d = odd(d, x, y); \
		e = even(e, x, y); f = odd(f, x, y); g = even(g, x, y); h = odd(h, x, y); \
		i = even(i, x, y); j = odd(j, x, y); k = even(k, x, y); l = odd(l, x, y); \
		/* keeps the compiler from removing the chains or changing their order */ \
		__asm__ volatile("" : "+v"(a), "+v"(b), "+v"(c), "+v"(d), "+v"(e), "+v"(f)); \
		__asm__ volatile("" : "+v"(g), "+v"(h), "+v"(i), "+v"(j), "+v"(k), "+v"(l)); \
	} \
	return (double)first(a); \
}

#define MUL_SD(a, x, y) _mm_mul_sd(a, x)
#define ADD_SD(a, x, y) _mm_add_sd(a, y)
#define MUL_SS(a, x, y) _mm_mul_ss(a, x)
#define ADD_SS(a, x, y) _mm_add_ss(a, y)
#define MUL_128D(a, x, y) _mm_mul_pd(a, x)
#define ADD_128D(a, x, y) _mm_add_pd(a, y)
#define MUL_128S(a, x, y) _mm_mul_ps(a, x)
#define ADD_128S(a, x, y) _mm_add_ps(a, y)
#define MUL_256D(a, x, y) _mm256_mul_pd(a, x)
#define ADD_256D(a, x, y) _mm256_add_pd(a, y)
#define MUL_256S(a, x, y) _mm256_mul_ps(a, x)
#define ADD_256S(a, x, y) _mm256_add_ps(a, y)

LOOP(mul_sd, "sse2", double, __m128d, _mm_set1_pd, _mm_cvtsd_f64, MUL_SD, ADD_SD)
LOOP(mul_ss, "sse2", float, __m128, _mm_set1_ps, _mm_cvtss_f32, MUL_SS, ADD_SS)
LOOP(mul_128d, "sse2", double, __m128d, _mm_set1_pd, _mm_cvtsd_f64, MUL_128D, ADD_128D)
LOOP(mul_128s, "sse2", float, __m128, _mm_set1_ps, _mm_cvtss_f32, MUL_128S, ADD_128S)
LOOP(mul_256d, "avx", double, __m256d, _mm256_set1_pd, _mm256_cvtsd_f64, MUL_256D, ADD_256D)
LOOP(mul_256s, "avx", float, __m256, _mm256_set1_ps, _mm256_cvtss_f32, MUL_256S, ADD_256S)
LOOP(fma_sd, "fma", double, __m128d, _mm_set1_pd, _mm_cvtsd_f64, _mm_fmadd_sd, _mm_fmadd_sd)
LOOP(fma_ss, "fma", float, __m128, _mm_set1_ps, _mm_cvtss_f32, _mm_fmadd_ss, _mm_fmadd_ss)
LOOP(fma_128d, "fma", double, __m128d, _mm_set1_pd, _mm_cvtsd_f64, _mm_fmadd_pd, _mm_fmadd_pd)
LOOP(fma_128s, "fma", float, __m128, _mm_set1_ps, _mm_cvtss_f32, _mm_fmadd_ps, _mm_fmadd_ps)
LOOP(fma_256d, "fma", double, __m256d, _mm256_set1_pd, _mm256_cvtsd_f64, _mm256_fmadd_pd, _mm256_fmadd_pd)
LOOP(fma_256s, "fma", float, __m256, _mm256_set1_ps, _mm256_cvtss_f32, _mm256_fmadd_ps, _mm256_fmadd_ps)
LOOP(fma_512d, "avx512f", double, __m512d, _mm512_set1_pd, _mm512_cvtsd_f64, _mm512_fmadd_pd, _mm512_fmadd_pd)
LOOP(fma_512s, "avx512f", float, __m512, _mm512_set1_ps, _mm512_cvtss_f32, _mm512_fmadd_ps, _mm512_fmadd_ps)
/* clang-format on */

bool compute_is_fused(const struct compute *c)
{
	(void)c;
	return __builtin_cpu_supports("fma");
}

bool compute_can(const struct compute *c)
{
	switch (c->bits) {
	case 512:
		return __builtin_cpu_supports("avx512f");
	case 256:
		return __builtin_cpu_supports("avx");
	default:
		return true;
	}
}

static loop loop_of(const struct compute *c)
{
	static const struct {
		unsigned bits;
		loop of[2][2]; /* fused, single */
	} loops[] = {
		{0, {{mul_sd, mul_ss}, {fma_sd, fma_ss}}},
		{128, {{mul_128d, mul_128s}, {fma_128d, fma_128s}}},
		{256, {{mul_256d, mul_256s}, {fma_256d, fma_256s}}},
		{512, {{fma_512d, fma_512s}, {fma_512d, fma_512s}}},
	};
	size_t i = 0;

	while (i + 1 < sizeof(loops) / sizeof(*loops) && loops[i].bits != c->bits)
		i++;
	return loops[i].of[compute_is_fused(c)][c->single];
}

double compute_run(const struct compute *c, double factor, size_t n, double *value)
{
	const unsigned element = c->single ? 32 : 64, lanes = c->bits ? c->bits / element : 1;

	*value = loop_of(c)(factor, n);
	return (double)n * CHAINS * lanes * (compute_is_fused(c) ? 2 : 1);
}

#else

bool compute_is_fused(const struct compute *c)
{
	(void)c;
	return false;
}

bool compute_can(const struct compute *c)
{
	(void)c;
	return false;
}

double compute_run(const struct compute *c, double factor, size_t n, double *value)
{
	(void)c;
	(void)n;
	*value = factor;
	return 0;
}

#endif
