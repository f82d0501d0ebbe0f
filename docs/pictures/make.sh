#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# make.sh [UNCORE] - the pictures of README.md and docs/pictures.md, anew: of simulated machines.

set -eu

tool=${1:-build/uncore}
here=$(dirname "$0")

"$tool" stat --machine sim:snbep:period=400 -i 100 -d 5 --svg "$here/bandwidth.svg" \
	-e 'UNCORE_MEM_READ_BYTES:pkg=*,UNCORE_MEM_WRITE_BYTES:pkg=*,UNCORE_MEM_READ_BYTES:box=*:pkg=0,UNCORE_TOR_DRD_LATENCY_NS:pkg=*' >/dev/null
"$tool" stat --machine sim:snbep:period=400 -i 100 -d 5 --heatmap "$here/channels.svg" \
	-e 'UNCORE_MEM_READ_BYTES:box=*:pkg=*,UNCORE_LLC_LOOKUPS:box=*:pkg=0' >/dev/null

"$tool" top --once -i 500ms --machine sim:skx:cores=8 | "$here/screen.sh" >"$here/top.svg"

# The host and the command do not matter here.
for picture in bandwidth channels; do
	sed -i '/^<metadata>/d' "$here/$picture.svg"
done
