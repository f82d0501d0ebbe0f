# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# limits.sh - limits that only fall, for tests/house; they source it.

# over_limits COUNTS LIMITS: lines "KEY... COUNT" and "KEY... LIMIT".  Prints "KEY... COUNT LIMIT" of
# those that exceed their limit, which is 0 for keys that LIMITS lacks.
over_limits() {
	awk -v limits="$2" '
	{
		key = $0
		sub(/ [^ ]*$/, "", key)
	}
	/^#/ { next }
	FILENAME != limits {
		count[key] = $NF
		next
	}
	{
		seen[key]
		if (count[key] + 0 > $NF)
			print key, count[key], $NF
	}
	END {
		for (key in count)
			if (!(key in seen))
				print key, count[key], 0
	}' "$1" "$2"
}

# lower_limits COUNTS LIMITS: counts that are lower than their limits become the limits.
lower_limits() {
	awk -v limits="$2" '
	{
		key = $0
		sub(/ [^ ]*$/, "", key)
	}
	FILENAME != limits { count[key] = $NF }
	FILENAME == limits && /^#/
	FILENAME == limits && !/^#/ { print key, count[key] + 0 < $NF ? count[key] + 0 : $NF }' "$1" "$2" \
		>"$2.new" && mv "$2.new" "$2"
}
