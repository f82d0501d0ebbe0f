# lab.mk - the lab: a real kernel in emulated machines; docs/lab.md.

.PHONY: lab
LAB = $(B)/lab
LAB_SCRIPTS := $(call in,$(addprefix tests/lab/,fetch guest run init *.sh cases/*.sh))

# One program each, for the guest or for the host; both find the library's insides.
LAB_C   := $(patsubst tests/lab/%.c,$(LAB)/bin/%,$(call in,tests/lab/*.c))
LAB_CXX := $(patsubst tests/lab/%.cc,$(LAB)/bin/%,$(call in,tests/lab/*.cc))

$(LAB_C): $(LAB)/bin/%: $(B)/obj/tests/lab/%.o $(B)/libuncore.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LAB_CXX): $(LAB)/bin/%: $(B)/obj/tests/lab/%.o $(B)/libuncore.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CXX) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LAB)/simpci: $(call objects,,$(SIMPCI_SRC)) $(B)/libuncore.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LAB)/bin/beside: $(call objects,,$(BESIDE_SRC)) $(B)/libuncore.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)

# The kernel's makefiles write beside the sources.
$(LAB)/module/uncore_lab.ko: $(addprefix $(SRC)/,$(call in,tests/lab/module/*)) \
		$(LAB)/linux/.complete
	@mkdir -p $(@D)
	$(call say,KMOD,$@)
	$(quiet)cp $(SRC)/tests/lab/module/* $(@D)/
	$(quiet)$(MAKE) -C $(LAB)/linux/headers M=$(abspath $(@D)) modules >$(@D)/log 2>&1 || \
		{ cat $(@D)/log; exit 1; }

ifneq ($(wildcard $(LAB)/linux/.complete),)
# CASES="NAME NAME/PLATFORM" chooses; LAB_SHELL=1 gives a shell in the guest.
lab: all examples $(LAB)/module/uncore_lab.ko $(LAB_C) $(LAB_CXX) $(LAB)/simpci \
		$(LAB)/bin/beside
	@SRC=$(abspath $(SRC)) BUILD=$(abspath $(B)) LAB_SHELL=$(LAB_SHELL) \
		sh $(SRC)/tests/lab/run $(CASES)
else
lab:
	@echo "the lab has no kernel yet: run ./configure --install-deps --with-lab" >&2; exit 1
endif
