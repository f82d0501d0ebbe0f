#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# rooms.sh includes | picture - list includes ("FILE FILE", one per line), or draw the folders as an
# SVG picture: layers from folders without includes (bottom) to programs (top).
# tests/house/structure_test.sh uses both; make design writes docs/pictures/rooms.svg.
#
# Run it in the source directory.

set -u

# Search headers as the compiler does.
includes() {
	grep -rEo '^#include "[^"]+"' --include='*.[ch]' "$@" | LC_ALL=C sort |
		while IFS=: read -r file line; do
			name=${line#*\"}
			name=${name%\"}
			for dir in "${file%/*}" src src/lib events; do
				if [ -e "$dir/$name" ]; then
					echo "$file $dir/$name"
					break
				fi
			done
		done
}

picture() {
	{
		find src/* src/sim/mount src/lib/* components events -prune -type d | sed 's/^/FOLDER /'
		includes src events components
		grep -l 'uncore_open' src/bindings/* | sed 's|$| src/uncore.h|'
	} | LC_ALL=C sort | awk '
	# src/lib/FOLDER/..., src/FOLDER/..., components/..., events/...; public headers are in src itself
	function folder(file,    part, n) {
		n = split(file, part, "/")
		if (part[1] != "src")
			return part[1]
		if (part[2] == "lib")
			return "src/lib/" part[3]
		if (part[2] "/" part[3] == "sim/mount")
			return "src/sim/mount"
		return n == 2 ? "src" : "src/" part[2]
	}
	function know(r) {
		if (!(r in number)) {
			number[r] = ++n
			name[n] = r
		}
	}
	BEGIN {
		know("events") # the lowest layer, in this order
		know("src")
	}
	$1 == "FOLDER" {
		if ($2 != "src/lib")
			know($2)
		next
	}
	{
		a = folder($1)
		b = folder($2)
		know(a)
		know(b)
		if (a != b) {
			arrow[a, b]
			used[b]
		}
	}
	# Folders that include each other would have no layer: structure_test.sh rejects them.
	function layer_of(r,    i, f, depth) {
		if (r in layer)
			return layer[r]
		layer[r] = 0
		depth = 0
		for (i = 1; i <= n; i++)
			if ((r, name[i]) in arrow) {
				f = layer_of(name[i]) + 1
				depth = f > depth ? f : depth
			}
		return layer[r] = depth
	}
	# Whether a also uses b through another folder.
	function is_implied(a, b,    i) {
		for (i = 1; i <= n; i++)
			if ((a, name[i]) in arrow && name[i] != b && reaches(name[i], b))
				return 1
		return 0
	}
	function reaches(a, b,    i) {
		if ((a, b) in arrow)
			return 1
		for (i = 1; i <= n; i++)
			if ((a, name[i]) in arrow && reaches(name[i], b))
				return 1
		return 0
	}
	function place(    i, f, r, width) {
		for (i = 1; i <= n; i++)
			top = layer_of(name[i]) + 1 > top ? layer_of(name[i]) + 1 : top
		for (i = 1; i <= n; i++) {
			r = name[i]
			if (!(r in used) && r !~ /^src\/lib/)
				layer[r] = top
			on[layer[r]]++
		}
		for (i = 1; i <= n; i++) {
			r = name[i]
			f = layer[r]
			width = on[f] * BOX + (on[f] - 1) * GAP
			# single boxes alternate between left and right, so that arrows pass them
			x[r] = (WIDTH - width) / 2 + placed[f]++ * (BOX + GAP)
			if (on[f] == 1)
				x[r] += (top - f) % 2 ? SHIFT : -SHIFT
			else if (f == 0)
				x[r] -= SHIFT / 2
			y[r] = MARGIN + (top - f) * STOREY
		}
	}
	# An arrow across several layers bends before its end, or (to a box on the left of the
	# lowest layer) after its start, and passes the boxes in between.
	function draw_arrow(a, b,    x1, y1, x2, y2, turn) {
		x1 = x[a] + BOX * ++out[a] / (outs[a] + 1)
		y1 = y[a] + HEIGHT
		x2 = x[b] + BOX * ++in_[b] / (ins[b] + 1)
		y2 = y[b]
		turn = !layer[b] && x2 < x1 ? y1 + BETWEEN / 2 : y2 - BETWEEN / 2
		printf "<path d=\"M%.1f %.1fV%.1fC%.1f %.1f %.1f %.1f %.1f %.1fV%.1f\" stroke=\"#607080\" " \
			"stroke-width=\"1.2\" fill=\"none\" marker-end=\"url(#head)\"/>\n",
			x1, y1, turn - 18, x1, turn, x2, turn, x2, turn + 14, y2 - 1
	}
	function draw_box(r, text) {
		printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\" " \
			"stroke=\"#304050\"/>\n", x[r], y[r], BOX, HEIGHT,
			r ~ /^src\/lib/ ? "#e4eef8" : r ~ /^src/ ? "#f4f4f4" : "#f8f0dc"
		printf "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" text-anchor=\"middle\">%s</text>\n",
			x[r] + BOX / 2, y[r] + HEIGHT / 2 + 4, text
	}
	END {
		BOX = 128; HEIGHT = 30; GAP = 20; STOREY = 74; BETWEEN = STOREY - HEIGHT; MARGIN = 44; SHIFT = 60; WIDTH = 760
		place()
		printf "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" " \
			"version=\"1.1\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" " \
			"font-family=\"Helvetica, Arial, sans-serif\" fill=\"black\">\n",
			WIDTH, height = MARGIN + top * STOREY + HEIGHT + 16, WIDTH, height
		print "<title>The folders of the source tree and their includes</title>"
		print "<defs><marker id=\"head\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" " \
			"orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#607080\"/></marker></defs>"
		print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
		print "<text x=\"12\" y=\"22\" font-size=\"12\">A folder includes headers of the folders " \
			"that its arrows lead to, and may include those further along.</text>"
		for (i = 1; i <= n; i++)
			for (j = 1; j <= n; j++)
				if ((name[i], name[j]) in arrow && !is_implied(name[i], name[j])) {
					drawn[name[i], name[j]]
					outs[name[i]]++
					ins[name[j]]++
				}
		for (i = 1; i <= n; i++)
			for (j = 1; j <= n; j++)
				if ((name[i], name[j]) in drawn)
					draw_arrow(name[i], name[j])
		for (i = 1; i <= n; i++)
			draw_box(name[i], name[i] == "src" ? "src/uncore*.h" : name[i])
		print "</svg>"
	}'
}

case ${1:-} in
includes) includes src events ;;
picture) picture ;;
*)
	echo "usage: rooms.sh includes | picture" >&2
	exit 2
	;;
esac
