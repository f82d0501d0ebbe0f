// SPDX-License-Identifier: BSD-3-Clause
// encode_test.cc - texts that other users choose, in each kind of output: each byte, control
// characters of C1, bidirectional marks, damaged UTF-8 and names of 4 KiB.  The readers here follow
// the specification of each format.
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>
#include <json-c/json.h>

#include "command/base/encode.h"

namespace
{

std::string made(const std::function<void(FILE *)> &by)
{
	char *text = nullptr;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	by(out);
	fclose(out);
	const std::string found(text, length);
	free(text);
	return found;
}

std::string taken(char *text)
{
	const std::string found = text;

	free(text);
	return found;
}

// ---- what each output must not have ----

// The codes of a text, 0xffffffff for bytes that are not UTF-8 (RFC 3629, 4).
std::vector<uint32_t> codes_of(const std::string &text)
{
	std::vector<uint32_t> codes;

	for (size_t i = 0; i < text.size();) {
		const unsigned char c = static_cast<unsigned char>(text[i]);
		const size_t n = c < 0x80       ? 1
				 : c >> 5 == 6  ? 2
				 : c >> 4 == 14 ? 3
				 : c >> 3 == 30 ? 4
						: 0;
		uint32_t code = n <= 1 ? c : c & (0xffU >> (n + 1));
		bool valid = n > 0 && i + n <= text.size();

		for (size_t k = 1; valid && k < n; k++) {
			valid = (text[i + k] & 0xc0) == 0x80;
			code = code << 6 | (text[i + k] & 0x3fU);
		}
		valid = valid && (n != 2 || code >= 0x80) && (n != 3 || code >= 0x800) &&
			(n != 4 || (code >= 0x10000 && code <= 0x10ffff)) &&
			(code < 0xd800 || code > 0xdfff);
		codes.push_back(valid ? code : 0xffffffff);
		i += valid ? n : 1;
	}
	return codes;
}

// Control characters (Cc), and Unicode's property Bidi_Control.
bool is_dangerous(uint32_t c)
{
	return c == 0xffffffff || c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c ||
	       c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

bool is_safe(const std::string &text, const std::string &allowed = "")
{
	for (uint32_t c : codes_of(text))
		if (is_dangerous(c) &&
		    (c > 0x7f || allowed.find(static_cast<char>(c)) == std::string::npos))
			return false;
	return true;
}

// ---- inputs ----

std::vector<std::string> hostile()
{
	std::vector<std::string> all = {"",
					"\xc2\x9b"
					"31m", // U+009B, CSI
					"a\xe2\x80\xae"
					"b\xe2\x81\xa6"
					"c\xe2\x81\xa9", // U+202E, U+2066, U+2069
					"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xa8\xe2\x80\xa9",
					"\x1b[2J\x1b]0;PWN\x07",
					"\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf", // overlong
					"\xed\xa0\x80\xed\xbf\xbf",             // surrogates
					"\xf4\x90\x80\x80\xf8\x88\x80\x80\x80", // above U+10FFFF
					"\xe2\x82",
					"\xf0\x9f\x98",                 // cut
					"\xf3\xa0\x80\x81\xef\xbb\xbf", // a tag, U+FEFF
					"<script>alert('x')</script> & \"q\"",
					"a\\",
					"a\\\\",
					"a\\\nb",
					"\\x1b",
					"a b,c=d",
					std::string(4096, 'n'),
					std::string(4096, '\x1b'),
					std::string(4096, '\xff'),
					std::string(4095, '"') + "\\"};
	std::string bytes;

	for (unsigned c = 1; c < 256; c++) {
		all.push_back(std::string(1, static_cast<char>(c)));
		bytes += static_cast<char>(c);
	}
	all.push_back(bytes);
	return all;
}

std::string shown(const std::string &text)
{
	return taken(terminal_text(text.c_str()));
}

// ---- terminals ----

TEST(Encoding, ForATerminalHasNoControlsAndIsUtf8)
{
	for (const std::string &text : hostile()) {
		EXPECT_TRUE(is_safe(shown(text))) << shown(text);
		EXPECT_EQ(shown(text), shown(shown(text)));
		EXPECT_EQ(shown(text), made([&](FILE *f) { put_terminal(f, text.c_str()); }));
		EXPECT_TRUE(is_safe(taken(terminal_lines(text.c_str())), "\n\t"));
		for (unsigned char c : taken(terminal_cells(text.c_str())))
			EXPECT_TRUE(c >= 0x20 && c < 0x7f) << static_cast<unsigned>(c);
	}
}

TEST(Encoding, ForATerminalShowsWhatWasHidden)
{
	EXPECT_EQ("a\\x1b[2Jb", shown("a\x1b[2Jb"));
	EXPECT_EQ("\\u009b31m", shown("\xc2\x9b"
				      "31m"));
	EXPECT_EQ("a\\u202eb", shown("a\xe2\x80\xae"
				     "b"));
	EXPECT_EQ("\\xff\\xfe", shown("\xff\xfe"));
	EXPECT_EQ("\\U000e0041", shown("\xf3\xa0\x81\x81"));
	EXPECT_EQ("a\\x0ab", shown("a\nb"));
	EXPECT_EQ("a\nb\\x0d", taken(terminal_lines("a\nb\r")));
	EXPECT_EQ("M\\u00fcnchen", taken(terminal_cells("M\xc3\xbcnchen")));
}

TEST(Encoding, KeepsNamesOfOtherLanguages)
{
	const char *const names[] = {"M\xc3\xbcnchen", "\xe6\x97\xa5\xe6\x9c\xac",
				     "\xf0\x9f\x98\x80", "a b"};
	const unsigned columns[] = {7, 4, 2, 3};

	for (size_t i = 0; i < 4; i++) {
		EXPECT_EQ(names[i], shown(names[i]));
		EXPECT_EQ(columns[i], terminal_columns(names[i]));
		EXPECT_EQ(names[i], made([&](FILE *f) { put_xml(f, names[i]); }));
		EXPECT_EQ(names[i], made([&](FILE *f) { put_openmetrics(f, names[i], true); }));
		EXPECT_EQ(names[i], made([&](FILE *f) { put_json(f, names[i]); }));
		EXPECT_EQ(names[i], made([&](FILE *f) { put_csv(f, names[i], ","); }));
	}
}

// ---- JSON (RFC 8259) ----

TEST(Encoding, ForJsonIsReadAsTheText)
{
	for (const std::string &text : hostile()) {
		json_object *o =
			json_object_new_string_len(text.c_str(), static_cast<int>(text.size()));
		const std::string out =
			made([&](FILE *f) { put_json(f, json_object_to_json_string(o)); });
		json_object *read = json_tokener_parse(out.c_str());
		const std::vector<uint32_t> before = codes_of(text);

		EXPECT_TRUE(is_safe(out)) << out;
		ASSERT_NE(nullptr, read) << out;
		std::vector<uint32_t> after = codes_of(json_object_get_string(read));
		ASSERT_EQ(before.size(), after.size()) << out;
		for (size_t i = 0; i < before.size(); i++)
			EXPECT_EQ(before[i] == 0xffffffff ? 0xfffd : before[i], after[i]) << out;
		json_object_put(read);
		json_object_put(o);
	}
}

// ---- OpenMetrics: a label ends with the first quotation mark without a backslash ----

TEST(Encoding, ForOpenMetricsIsOneLabel)
{
	for (const std::string &text : hostile()) {
		const std::string out =
			made([&](FILE *f) { put_openmetrics(f, text.c_str(), true); });
		std::string value;

		EXPECT_TRUE(is_safe(out)) << out;
		for (size_t i = 0; i < out.size(); i++) {
			ASSERT_NE('"', out[i]) << out;
			if (out[i] != '\\') {
				value += out[i];
				continue;
			}
			ASSERT_LT(++i, out.size()) << out;
			ASSERT_NE(std::string::npos, std::string("\\\"n").find(out[i])) << out;
			value += out[i] == 'n' ? '\n' : out[i];
		}
		// as on a terminal, apart from line ends
		EXPECT_EQ(shown(text), shown(value));
		EXPECT_TRUE(
			is_safe(made([&](FILE *f) { put_openmetrics(f, text.c_str(), false); })));
	}
}

// ---- the line protocol: a tag ends at a separator without a backslash ----

TEST(Encoding, ForInfluxIsOneTag)
{
	for (const std::string &text : hostile()) {
		const std::string out = made([&](FILE *f) { put_influx(f, text.c_str()); });
		std::string value;

		EXPECT_TRUE(is_safe(out)) << out;
		ASSERT_FALSE(out.empty());
		EXPECT_NE('\\', out.back()) << out;
		for (size_t i = 0; i < out.size(); i++) {
			const bool escapes =
				out[i] == '\\' && i + 1 < out.size() &&
				std::string(", =\\").find(out[i + 1]) != std::string::npos;

			ASSERT_EQ(std::string::npos, std::string(", =").find(out[i])) << out;
			i += escapes;
			value += out[i];
		}
		if (text.empty())
			EXPECT_EQ("_", value);
		else if (text.back() != '\\')
			EXPECT_EQ(shown(text), value);
		else
			EXPECT_EQ(shown(text.substr(0, text.size() - 1)) + "\\x5c", value);
	}
}

// ---- HTML, SVG ----

TEST(Encoding, ForXmlHasNoMarkup)
{
	for (const std::string &text : hostile()) {
		const std::string out = made([&](FILE *f) { put_xml(f, text.c_str()); });
		std::string value = out;

		EXPECT_TRUE(is_safe(out, "\n\t")) << out;
		EXPECT_EQ(std::string::npos, out.find_first_of("<>\"'")) << out;
		for (const auto &[name, c] : {std::pair<const char *, const char *>{"&lt;", "<"},
					      {"&gt;", ">"},
					      {"&quot;", "\""},
					      {"&#39;", "'"},
					      {"&amp;", "&"}})
			for (size_t at; (at = value.find(name)) != std::string::npos;)
				value.replace(at, std::string(name).size(), c);
		EXPECT_EQ(shown(text), shown(value));
	}
}

// ---- CSV (RFC 4180) ----

TEST(Encoding, ForCsvIsOneField)
{
	for (const std::string &text : hostile()) {
		const std::string out = made([&](FILE *f) { put_csv(f, text.c_str(), ","); });
		const bool quoted = !out.empty() && out[0] == '"';
		std::string value;

		EXPECT_TRUE(is_safe(out)) << out;
		EXPECT_EQ(quoted, text.find_first_of(",\"") != std::string::npos) << out;
		for (size_t i = quoted; i + quoted < out.size(); i++) {
			value += out[i];
			if (quoted && out[i] == '"')
				ASSERT_EQ('"', out[++i]) << out;
		}
		EXPECT_EQ(shown(text), value);
	}
}

} // namespace
