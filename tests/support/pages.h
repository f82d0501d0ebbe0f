/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.h - the pages of docs/hardware, as tables: the notation is that of
 * docs/hardware/README.md.
 */
#ifndef TESTS_PAGES_H
#define TESTS_PAGES_H

#include <map>
#include <string>
#include <vector>

namespace pages
{

using Row = std::vector<std::string>;

std::string trim(const std::string &text);

Row split(const std::string &text, char at);

/* The rows of all tables of a page that have this head. */
std::vector<Row> table(const std::string &page, const std::string &head);

/* The text as a number, such as "12" or "0xc". Text that is not a number is an error. */
unsigned long number(const std::string &text);

/* "0-3, 8": the numbers from 0 up that it lists. */
std::vector<unsigned> numbers(const std::string &text);

bool has(const std::vector<unsigned> &all, unsigned number);

using Values = std::map<char, uint64_t>;

/* One summand: a number, a letter, their product, or a number times (letter - number). */
uint64_t term(const std::string &text, const Values &values);

/* "0xd10 + 0x20n + c" */
uint64_t address(const std::string &text, const Values &values);

/* "31:23", "5", "31:30 28:9": these bits as a mask. */
uint64_t bits(const std::string &text);

uint64_t hex(const std::string &text);

} // namespace pages

#endif
