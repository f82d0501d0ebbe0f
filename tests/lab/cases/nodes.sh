# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# `uncore ceilings --nodes` binds memory to each node: all its pages are there, by move_pages(), for
# the nodes of two packages and one without CPUs.
#
# platforms: skx
# programs: $B/uncore $B/tests/lab/node_memory
# memory: 1536
# qemu: -object memory-backend-ram,id=m0,size=512M -object memory-backend-ram,id=m1,size=512M -object memory-backend-ram,id=m2,size=512M -numa node,nodeid=0,memdev=m0 -numa node,nodeid=1,memdev=m1 -numa node,nodeid=2,memdev=m2 -numa cpu,node-id=0,socket-id=0 -numa cpu,node-id=1,socket-id=1

says "the guest has three nodes" '^0-2$' cat /sys/devices/system/node/has_memory
says "one node has no CPUs" '^0-1$' cat /sys/devices/system/node/has_cpu
says "all pages are on the node that they are bound to" 'pages on 3 nodes' node_memory
says "the test passes" '^\[  PASSED  \] 1 test' node_memory
