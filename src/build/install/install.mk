# SPDX-License-Identifier: BSD-3-Clause
# install.mk - make install and make uninstall; part of rules.mk.
#
# Files generated from templates are in $(B)/install until they are installed.

MADE     = $(B)/install
TEMPLATE = $(SRC)/src/build/install

# A run path of where the loader looks anyway would be noise in every program.
SYSTEM_LIBDIR = $(filter /lib /lib64 /lib/% /usr/lib /usr/lib64 /usr/lib/%,$(libdir))

# filled,FILE: FILE with the directories and versions of this configuration
filled = sed -e 's|@prefix@|$(prefix)|g' -e 's|@libdir@|$(libdir)|g' -e 's|@bindir@|$(bindir)|g' \
	-e 's|@sbindir@|$(sbindir)|g' -e 's|@mandir@|$(mandir)|g' -e 's|@dropin@|$(DROPIN)|g' \
	-e 's|@includedir@|$(includedir)|g' -e 's|@version@|$(VERSION)|g' -e 's|@soname@|$(SONAME)|g' \
	-e 's|@rpath@|$(if $(SYSTEM_LIBDIR),,-Wl,-rpath,$${libdir} )|' \
	-e 's|@libs@|$(PFM_LIBS) $(JSON_LIBS)|g' $(1)

$(B)/uncore.pc: $(SRC)/src/build/uncore.pc.in $(B)/config.mk
	$(quiet)$(call filled,$<) >$@

$(MADE)/%: $(TEMPLATE)/%.in $(B)/config.mk
	@mkdir -p $(@D)
	$(quiet)$(call filled,$<) >$@

# The units of examples/ are for /usr/local.
$(MADE)/uncored.socket: $(SRC)/examples/systemd/uncored.socket
	@mkdir -p $(@D)
	$(quiet)cp $< $@

$(MADE)/%.service: $(SRC)/examples/systemd/%.service $(B)/config.mk
	@mkdir -p $(@D)
	$(quiet)sed -e 's|/usr/local/bin/|$(bindir)/|' -e 's|/usr/local/sbin/|$(sbindir)/|' $< >$@

# PAPI with the component is a prefix of its own, as PAPI installs it: include, lib, bin.  Links to
# libpapi are also where programs and modules of version 0.2 look for it.
DROPIN        = $(libdir)/uncore
CMAKE_DIR     = $(libdir)/cmake/uncore
MODULES       = $(datadir)/modulefiles
ZSH_DIR       = $(datadir)/zsh/site-functions

EXAMPLE_FILES = $(filter-out %/demo.sh,$(call in,examples/*.c examples/*.f90 examples/*.sh examples/library/*.c examples/library/*.cc \
		examples/library/*.f90 examples/library/*.py \
		examples/tmpfiles.d/*.conf examples/udev/*.rules examples/systemd/*.service examples/systemd/*.socket examples/sysusers.d/*.conf examples/*.conf examples/slurm/*.sh examples/tools/*.sh examples/exporter/*))
EXAMPLE_DIRS  = $(filter-out examples,$(patsubst %/,%,$(sort $(dir $(EXAMPLE_FILES)))))

# The documents that messages cite (base/documents.h), and those that these link to.
DOCUMENTS     = $(call in,docs/*.md docs/reference/*.md docs/hardware/*.md docs/verified/*.md docs/pictures/*)
DOCUMENT_DIRS = $(patsubst %/,%,$(sort $(dir $(DOCUMENTS))))

# The Fortran and Python modules: next to the examples of their languages.
BINDINGS      = $(call in,src/bindings/*.f90 src/bindings/*.py)
PUBLIC_HEADERS = $(addprefix $(SRC)/src/,uncore.h uncore_inspect.h uncore_marker.h)

# Each function has a page, which is that of all of them.
FUNCTIONS     = $(shell sed -n 's/^[[:space:]]*\(uncore_[a-z_]*\);$$/\1/p' $(SYMBOLS))
SERVICES      = $(addprefix $(MADE)/,uncored.service uncored.socket uncore-restore.service \
		uncore-exporter.service)
CMAKE_FILES   = $(addprefix $(MADE)/,uncore-config.cmake uncore-config-version.cmake)
WITH_PAPI     = $(if $(PAPI_SRC),yes)

INSTALLED     = $(bindir)/uncore $(sbindir)/uncored \
	$(addprefix $(includedir)/,$(notdir $(PUBLIC_HEADERS))) \
	$(addprefix $(docdir)/examples/library/,$(notdir $(BINDINGS))) \
	$(addprefix $(libdir)/,libuncore.a libuncore.so $(SONAME) libuncore.so.$(VERSION) \
		$(SIM_SONAME) libuncore-sim.so.$(VERSION) \
		pkgconfig/uncore.pc $(if $(WITH_PAPI),pkgconfig/papi-uncore.pc)) \
	$(addprefix $(CMAKE_DIR)/,$(notdir $(CMAKE_FILES))) \
	$(addprefix $(mandir)/,man1/uncore.1 man3/libuncore.3 $(FUNCTIONS:%=man3/%.3) \
		man7/uncore-events.7 man8/uncored.8) \
	$(BASH_DIR)/uncore $(ZSH_DIR)/_uncore $(MODULES)/uncore/$(VERSION) \
	$(if $(WITH_PAPI),$(MODULES)/papi-uncore/$(VERSION)) \
	$(addprefix $(UNITS)/,$(notdir $(SERVICES))) $(SYSUSERS)/uncored.conf $(TMPFILES)/uncored.conf \
	$(addprefix $(docdir)/,$(EXAMPLE_FILES) $(DOCUMENTS))
# The libraries that were unpacked below the build directory go along.
LOCAL_LIBS    = $(if $(LOCAL),$(wildcard $(addprefix $(LOCAL_LIBDIR)/,libpfm.so.* libjson-c.so.* libfuse3.so.* libnuma.so.* libncursesw.so.* libtinfo.so.* libseccomp.so.* libmicrohttpd.so.*)))

$(B)/papi-uncore.installed.pc: $(SRC)/src/build/papi-uncore.pc.in $(PAPI_BUILD)/.configured
	$(quiet)$(call papi_pc,$(DROPIN)/include,$(DROPIN)/lib) >$@

DROPIN_DIRS   = $(addprefix $(DROPIN)/,bin include lib lib/pkgconfig)
# The names that PAPI gives to its file for pkg-config.
PAPI_VERSIONS = $(shell sed -n 's/^Version: *\(\([0-9]*\.[0-9]*\).*\)/papi-\1 papi-\2/p' $(PAPI_BUILD)/src/papi.pc 2>/dev/null)

# PAPI's file with another prefix.
$(B)/papi.installed.pc: $(PAPI_BUILD)/.configured $(B)/config.mk
	$(quiet)sed -e 's|^prefix=.*|prefix=$(DROPIN)|' -e 's|^exec_prefix=.*|exec_prefix=$${prefix}|' \
		-e 's|^libdir=.*|libdir=$${prefix}/lib|' -e 's|^includedir=.*|includedir=$${prefix}/include|' \
		$(PAPI_BUILD)/src/papi.pc >$@

INSTALL_DIRS  = $(addprefix $(DESTDIR),$(sort $(patsubst %/,%,$(dir $(INSTALLED)))) \
		$(if $(WITH_PAPI),$(DROPIN_DIRS),$(if $(LOCAL_LIBS),$(DROPIN))))
PLACES        = DESTDIR=$(DESTDIR) sh $(SRC)/src/build/configure/directories.sh
# Which directories are new is written down, for uninstall.
NEW_DIRS      = $(DESTDIR)$(CMAKE_DIR)/.directories

to = $(DESTDIR)$(strip $(1))/
DATA = $(quiet)install -m 644

# The programs of the build directory find the libraries there.
$(MADE)/uncore: $(COMMAND_NEEDS) $(B)/config.mk
$(MADE)/uncored: $(DAEMON_NEEDS) $(B)/config.mk
$(MADE)/uncore $(MADE)/uncored:
	@mkdir -p $(@D)
	$(quiet)$(call program,$@,$(if $(SYSTEM_LIBDIR),,$(libdir)))

install: all $(addprefix $(MADE)/,uncore uncored) $(B)/uncore.pc $(SERVICES) $(CMAKE_FILES) $(MADE)/uncore.module \
		$(if $(WITH_PAPI),$(B)/papi-uncore.installed.pc $(MADE)/papi-uncore.module \
		$(PAPI_PREFIX)/.complete $(B)/papi.installed.pc)
	$(call say,INST,$(DESTDIR)$(prefix))
	$(quiet)$(PLACES) create $(NEW_DIRS) $(INSTALL_DIRS)
	$(quiet)install $(MADE)/uncore $(call to,$(bindir))
	$(quiet)install $(MADE)/uncored $(call to,$(sbindir))
	$(DATA) $(PUBLIC_HEADERS) $(call to,$(includedir))
	$(DATA) $(B)/libuncore.a $(call to,$(libdir))
	$(quiet)install $(addprefix $(B)/,libuncore.so.$(VERSION) libuncore-sim.so.$(VERSION)) $(call to,$(libdir))
	$(quiet)cp -d $(addprefix $(B)/,$(SONAME) $(SIM_SONAME) libuncore.so) $(call to,$(libdir))
	$(DATA) $(B)/uncore.pc $(call to,$(libdir)/pkgconfig)
	$(DATA) $(CMAKE_FILES) $(call to,$(CMAKE_DIR))
	$(DATA) $(SRC)/docs/uncore.1 $(call to,$(mandir)/man1)
	$(DATA) $(SRC)/docs/libuncore.3 $(call to,$(mandir)/man3)
	$(quiet)for f in $(FUNCTIONS); do \
		echo '.so man3/libuncore.3' >$(call to,$(mandir)/man3)$$f.3 || exit; \
	done
	$(DATA) $(SRC)/docs/uncore-events.7 $(call to,$(mandir)/man7)
	$(DATA) $(SRC)/docs/uncored.8 $(call to,$(mandir)/man8)
	$(DATA) $(TEMPLATE)/uncore.bash $(call to,$(BASH_DIR))uncore
	$(DATA) $(TEMPLATE)/uncore.zsh $(call to,$(ZSH_DIR))_uncore
	$(DATA) $(MADE)/uncore.module $(call to,$(MODULES)/uncore)$(VERSION)
	$(DATA) $(SERVICES) $(call to,$(UNITS))
	$(DATA) $(SRC)/examples/sysusers.d/uncored.conf $(call to,$(SYSUSERS))
	$(DATA) $(SRC)/examples/tmpfiles.d/uncored.conf $(call to,$(TMPFILES))
	$(quiet)for f in $(patsubst examples/%,%,$(EXAMPLE_FILES)); do \
		install -m 644 $(SRC)/examples/$$f $(DESTDIR)$(docdir)/examples/$$f || exit; \
	done
	$(quiet)for f in $(DOCUMENTS); do install -m 644 $(SRC)/$$f $(DESTDIR)$(docdir)/$$f || exit; done
	$(DATA) $(addprefix $(SRC)/,$(BINDINGS)) $(call to,$(docdir)/examples/library)
	$(DATA) $(SERVICES) $(call to,$(docdir)/examples/systemd)
ifneq ($(LOCAL_LIBS),)
	$(quiet)cp -d $(LOCAL_LIBS) $(call to,$(DROPIN))
endif
ifneq ($(WITH_PAPI),)
	$(quiet)for f in $(B)/papi/libpapi.so*; do \
		cp -d $$f $(call to,$(DROPIN)/lib) && ln -sf lib/$${f##*/} $(call to,$(DROPIN)) || exit; \
	done
	$(quiet)for f in $(PAPI_PREFIX)/lib/*; do [ ! -e $$f ] || cp -d $$f $(call to,$(DROPIN)/lib) || exit; done
	$(quiet)for f in $(B)/papi/include/*.h $(PAPI_PREFIX)/include/*; do \
		[ ! -e $$f ] || install -m 644 $$f $(call to,$(DROPIN)/include) || exit; \
	done
	$(quiet)install $(PAPI_PREFIX)/bin/* $(call to,$(DROPIN)/bin)
	$(quiet)for f in $(PAPI_VERSIONS) papi; do \
		install -m 644 $(B)/papi.installed.pc $(call to,$(DROPIN)/lib/pkgconfig)$$f.pc || exit; \
	done
	$(DATA) $(B)/papi-uncore.installed.pc $(call to,$(libdir)/pkgconfig)papi-uncore.pc
	$(DATA) $(MADE)/papi-uncore.module $(call to,$(MODULES)/papi-uncore)$(VERSION)
endif
	@sh $(GUIDE) installed $(prefix) $(libdir) $(bindir) $(docdir) $(if $(WITH_PAPI),papi,none)

uninstall:
	$(call say,RM,$(DESTDIR)$(prefix))
	$(quiet)rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	$(quiet)rm -f $(addprefix $(DESTDIR)$(DROPIN)/,lib*.so* include/*.h include/*.hpp bin/papi_* lib/lib*.so* lib/pkgconfig/papi*.pc)
	$(quiet)$(PLACES) remove $(NEW_DIRS) $(addprefix $(DESTDIR),$(addprefix $(DROPIN)/,lib/pkgconfig lib include bin) $(DROPIN) \
		$(CMAKE_DIR) $(addprefix $(MODULES)/,uncore papi-uncore) \
		$(addprefix $(docdir)/,$(EXAMPLE_DIRS) examples $(filter-out docs,$(DOCUMENT_DIRS)) docs) $(docdir)) $(if $(DESTDIR),$(INSTALL_DIRS))
