#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# screen.sh - the text of a terminal on standard input, as an SVG picture on standard output

set -eu

sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' | awk '
	{ text[NR] = $0; width = length > width ? length : width }
	END {
		wide = width * 7.8 + 24
		high = NR * 17 + 24
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", wide, high,
			wide, high
		print " font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\">"
		printf "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#1b1f27\"/>\n", wide, high
		for (i = 1; i <= NR; i++) {
			# Headings of sections begin with a capital and have no numbers.
			bold = i > 2 && text[i] ~ /^[A-Z]/ && text[i] !~ / ~?[0-9]/
			printf "<text x=\"12\" y=\"%d\" fill=\"%s\" xml:space=\"preserve\">%s</text>\n", i * 17 + 7,
				bold ? "#7fc8f8" : "#d8dee9", text[i]
		}
		print "</svg>"
	}'
