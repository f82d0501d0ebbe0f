/* SPDX-License-Identifier: BSD-3-Clause */
// fuzz.h - declarations shared by the fuzz targets.
//
// Compiled with -DFUZZ_MAIN a target runs the files given, for compilers without libFuzzer.
#ifndef FUZZ_H
#define FUZZ_H

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace fuzz
{

inline void demand(bool fact, const char *what, const char *of = "")
{
	if (fact)
		return;
	fprintf(stderr, "%s: %s\n", what, of);
	abort();
}

// Which of n things the first byte of an input chooses: 'a' is the first.
inline size_t choice(const uint8_t *data, size_t size, size_t n)
{
	return size ? static_cast<uint8_t>(data[0] - 'a') % n : 0;
}

// A message is readable text without terminal control characters.
inline bool is_sentence(const char *text)
{
	for (const char *c = text; *c; c++)
		if (iscntrl(static_cast<unsigned char>(*c)))
			return false;
	return strchr(text, ' ') != nullptr;
}

} // namespace fuzz

#ifdef FUZZ_MAIN
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		std::ifstream file(argv[i], std::ios::binary);
		const std::string input(std::istreambuf_iterator<char>(file), {});

		if (!file.is_open()) {
			perror(argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()),
				       input.size());
	}
	printf("%d inputs\n", argc - 1);
	return 0;
}
#endif

#endif
