#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# messages.sh - every message a user can get, a line each, separated by tabs: file and line, area (library,
# command, daemon, component, simulator, configure, scripts), kind, text.  The kind is the error code or the
# function the text is passed to.  make messages prints them; tests/house/messages_test.sh checks
# their form.
#
# To be run in the source directory.

set -u

# In C, a message is a string of several words.  Parts of a string are joined; a PRI macro counts as %d, and
# one of base/documents.h as a path.
# shellcheck disable=SC2016
in_c() {
	find src/lib src/command src/daemon src/sim src/uncore_marker.h components/uncore/*.c -type f \
		-name '*.[ch]' | LC_ALL=C sort | xargs awk '
	function area(file) {
		return file ~ /^src\/command/ ? "command" : file ~ /^src\/daemon/ ? "daemon" : \
			file ~ /^src\/sim/ ? "simulator" : file ~ /^components/ ? "component" : "library"
	}
	# The innermost function that a pending literal is passed to, and its error code.
	function finish(    i, function_, code_) {
		if (literal == "")
			return
		for (i = depth; i > 0 && function_ == ""; i--)
			function_ = call[i]
		for (i = depth; i > 0 && code_ == ""; i--)
			code_ = code[i]
		if (literal ~ /[a-z][^ ]* +[^ ]*[a-z%]/ && function_ != "_Static_assert")
			printf("%s:%d\t%s\t%s\t%s\n", FILENAME, at, area(FILENAME), \
				code_ != "" ? code_ : function_ != "" ? function_ "()" : "-", literal)
		literal = ""
	}
	FNR == 1 {
		comment = depth = 0
		literal = last = ""
	}
	/^[ \t]*#/ { next }
	{
		rest = $0
		for (;;) {
			if (comment) {
				i = index(rest, "*/")
				if (!i)
					break
				rest = substr(rest, i + 2)
				comment = 0
			}
			if (!match(rest, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*|\/\/|[A-Za-z_][A-Za-z_0-9]*|[(){};,?:=]/))
				break
			token = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			if (token == "//")
				break
			if (token == "/*")
				comment = 1
			else if (token ~ /^"/) {
				if (literal == "")
					at = FNR
				literal = literal substr(token, 2, length(token) - 2)
			} else if (literal != "" && token ~ /^PRI[a-z0-9]+$/)
				literal = literal "d"
			else if (literal != "" && token ~ /^UNC_DOC_[A-Z]+$/)
				literal = literal "/usr/share/doc/uncore/" tolower(substr(token, 9)) ".md"
			else {
				finish()
				if (token == "(") {
					call[++depth] = last
					code[depth] = ""
				} else if (token == ")" && depth > 0)
					depth--
				else if (token == ";")
					depth = 0
				else if (token ~ /^UNCORE_(E|WARNING_)[A-Z_]+$/ && depth > 0)
					code[depth] = token
				last = token ~ /^[A-Za-z_]/ && token !~ /^(if|for|while|switch|return|sizeof)$/ ? token : ""
			}
		}
	}'
}

# In scripts, a message is the argument of echo, die and their kind; a quoted text may have several lines.
# shellcheck disable=SC2016
in_scripts() {
	{
		printf '%s\n' configure
		find src/build examples -type f -name '*.sh' | LC_ALL=C sort
	} | xargs awk '
	FNR == 1 { open = 0 }
	open {
		text = text " " $0
	}
	!open && match($0, /(^|[ \t;&|({])(die|echo|fail|warn|result) +["\047]/) {
		quote = substr($0, RSTART + RLENGTH - 1, 1)
		kind = substr($0, RSTART, RLENGTH)
		gsub(/^[ \t;&|({]+| +["\047]$/, "", kind)
		text = substr($0, RSTART + RLENGTH)
		at = FNR
		open = 1
	}
	open {
		gsub(/[ \t]+/, " ", text)
		gsub(/[$][(][^()]*[)]/, "...", text)
		escaped = text
		gsub(/\\./, "..", escaped)
		if (i = index(escaped, quote)) {
			text = substr(text, 1, i - 1)
			open = 0
			if (text ~ /[a-z][^ ]* +[^ ]*[a-z$]/ && text !~ /^[#{}<]/)
				printf("%s:%d\t%s\t%s\t%s\n", FILENAME, at, \
					FILENAME ~ /configure/ ? "configure" : "scripts", kind, text)
		}
	}'
}

in_c
in_scripts
