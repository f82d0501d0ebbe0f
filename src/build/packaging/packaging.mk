# SPDX-License-Identifier: BSD-3-Clause
# packaging.mk - files for distribution: the sources as one file, Debian's packages,
# patches for PAPI; part of rules.mk.

PACKAGING = $(SRC)/src/build/packaging
DIST      = $(B)/dist/uncore-$(VERSION).tar.xz
SCRIPT    = SRC=$(call absolute,$(SRC)) sh $(PACKAGING)

# FORCE: make does not know when the files that git tracks change.
dist: FORCE
	$(call say,TAR,$(DIST))
	$(quiet)$(SCRIPT)/dist.sh $(VERSION) $(call absolute,$(DIST))

deb: dist
	$(call say,DEB,$(B)/deb)
	$(quiet)$(SCRIPT)/deb.sh $(VERSION) $(call absolute,$(DIST)) $(call absolute,$(B)/deb)

papi-patch: $(B)/papi-component-thin/uncore/.complete
	$(call say,PATCH,$(B)/papi-patch)
	$(quiet)$(SCRIPT)/papi_patch.sh $(call absolute,$(B)/papi-component-thin/uncore) \
		$(call absolute,$(B)/papi-patch)
