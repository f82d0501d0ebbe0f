# SPDX-License-Identifier: BSD-3-Clause
# lab.mk - the lab: a real kernel in emulated machines; docs/lab.md.

.PHONY: lab
LAB = $(B)/lab
LAB_SCRIPTS := $(call in,$(addprefix tests/lab/,fetch guest run init *.sh cases/*.sh))

# Programs for the guest or for the host, of one file or of the files of a folder; they
# find the library's insides, and the drop-in libpapi if they need it.
LAB_C       := $(basename $(filter-out tests/lab/*/%,$(call in,tests/lab/*.c)))
LAB_FOLDERS := $(patsubst %/,%,$(sort $(dir $(filter-out $(addsuffix .c,$(LAB_C)),$(LAB_SRC)))))
LAB_CXX     := $(basename $(call in,tests/lab/*.cc))
lab_bin      = $(patsubst tests/lab/%,$(LAB)/bin/%,$(1))

# lab_program,NAME,SOURCES,COMPILER,LIBRARIES
define lab_program
$(call lab_bin,$(1)): $(call objects,,$(2)) $(if $(filter %.cc,$(2)),$(B)/obj/libsupport.a) $(B)/libuncore.a $(if $(4),$(PAPI_LIB))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(quiet)$(3) $$(SANITIZE) $$(LDFLAGS) -o $$@ $$(filter %.o %.a,$$^) $(4) $$(LIBS)
endef

$(foreach p,$(LAB_C),$(eval $(call lab_program,$(p),$(p).c,$$(CC))))
$(LAB)/bin/cuse_msr: LIBS += $(FUSE_LIBS)
$(call objects,,tests/lab/cuse_msr.c): INCLUDES += $(FUSE_CFLAGS)
$(foreach p,$(LAB_CXX),$(eval $(call lab_program,$(p),$(p).cc,$$(CXX))))
$(call lab_bin,$(LAB_CXX)): LIBS += -lz
$(foreach p,$(LAB_FOLDERS),$(eval $(call lab_program,$(p),$(filter $(p)/%,$(LAB_SRC)),$$(CC),$(if \
	$(filter %/cost,$(p)),$$(call papi_program)))))

# Of the unit tests, the one that needs several NUMA nodes.
$(eval $(call unit_rule,lab/node_memory,,$$(SANITIZE),$$(CXX),tests/explain/node_memory_test.cc))

# The kernel's makefiles write next to the sources.
$(LAB)/module/uncore_lab.ko: $(addprefix $(SRC)/,$(call in,tests/lab/module/*)) \
		$(LAB)/linux/.complete
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(quiet)cp -f $(SRC)/tests/lab/module/* $(@D)/
	$(quiet)$(MAKE) -C $(LAB)/linux/headers M=$(call absolute,$(@D)) modules >$(@D)/log 2>&1 || \
		{ cat $(@D)/log; exit 1; }

ifneq ($(wildcard $(LAB)/linux/.complete),)
# CASES="NAME NAME/PLATFORM" chooses; LAB_SHELL=1 gives a shell in the guest.
lab: all examples $(LAB)/module/uncore_lab.ko $(B)/tests/lab/node_memory $(call lab_bin,$(LAB_C) $(LAB_CXX) $(LAB_FOLDERS))
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) LAB_SHELL=$(LAB_SHELL) \
		sh $(SRC)/tests/lab/run $(CASES)
else
lab:
	@echo "the lab has no kernel yet: run ./configure --install-deps --with-lab" >&2; exit 1
endif
