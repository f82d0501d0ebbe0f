#!/bin/bash -e
# SPDX-License-Identifier: BSD-3-Clause

# Build libuncore, which the component uncore opens, with the libpfm4 of this tree.

ROOT=$PWD/libuncore

source /etc/profile
set +x
set -e

module load gcc@11

make -C src/libpfm4 PREFIX="$ROOT" install

## json-c, unless the runner has its headers
JSON=
if ! pkg-config --exists json-c; then
    wget https://s3.amazonaws.com/json-c_releases/releases/json-c-0.17.tar.gz
    tar -xzf json-c-0.17.tar.gz
    cmake -S json-c-0.17 -B json-build -DCMAKE_INSTALL_PREFIX="$ROOT" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_POSITION_INDEPENDENT_CODE=ON
    cmake --build json-build
    cmake --install json-build
    JSON=--with-json-c=$ROOT
fi

wget @releases@uncore-@version@.tar.xz
tar -xJf uncore-@version@.tar.xz
cd uncore-@version@
./configure --prefix="$ROOT" --without-papi --with-pfm="$ROOT" $JSON
make -j4
make install

echo "PAPI_UNCORE_ROOT=$ROOT" >> "$GITHUB_ENV"
