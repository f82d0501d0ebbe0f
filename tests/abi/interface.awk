# SPDX-License-Identifier: BSD-3-Clause
# interface.awk - a C program that tells where each member of the public structs is, what each
# enumerator is, and how many bytes a struct has behind its last member; of the headers as the
# preprocessor leaves them.

BEGIN { print "#include <stdio.h>\n#include \"uncore_inspect.h\"\nint main(void)\n{" }
/^(struct|enum) uncore_[a-z_]+ \{/ {
	kind = $1
	name = $2
	body = ""
	inside = 1
}
inside { body = body " " $0 }
inside && /\};/ {
	inside = 0
	sub(/^[^{]*\{/, "", body)
	sub(/\}[^}]*$/, "", body)
	n = split(body, part, /[;,]/)
	for (i = 1; i <= n; i++) {
		sub(/(=|\[).*/, "", part[i])
		if (match(part[i], /[A-Za-z_0-9]+[ \t]*$/) == 0)
			continue
		word = substr(part[i], RSTART)
		gsub(/[ \t]/, "", word)
		if (kind == "enum")
			printf "\tprintf(\"enum %s %s %%d\\n\", (int)%s);\n", name, word, word
		else
			printf "\tprintf(\"struct %s %s %%zu %%zu\\n\", offsetof(struct %s, %s), " \
				"sizeof(((struct %s *)0)->%s));\n", name, word, name, word, name, word
	}
	if (kind == "struct")
		printf "\tprintf(\"behind %s %%zu\\n\", sizeof(struct %s) - offsetof(struct %s, %s) - " \
			"sizeof(((struct %s *)0)->%s));\n", name, name, name, word, name, word
}
END { print "\treturn 0;\n}" }
