# SPDX-License-Identifier: BSD-3-Clause
# packaging.mk - what is made to be sent elsewhere; part of rules.mk.
