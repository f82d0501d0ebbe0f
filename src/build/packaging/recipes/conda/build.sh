#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
set -ex

./configure \
    --prefix="$PREFIX" \
    --without-papi \
    --with-pfm="$PREFIX" \
    --with-json-c="$PREFIX" \
    --without-fuse3 \
    --without-microhttpd \
    --without-numa \
    --without-seccomp

make -j"${CPU_COUNT:-1}"
make install
