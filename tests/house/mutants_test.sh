#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each mutant of tests/mutants/list changes a place that the sources have.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${SRC:?the source directory}" "${BUILD:?the build directory}"
exec sh "$SRC/tests/mutants/run.sh" --stale
