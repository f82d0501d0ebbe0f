# SPDX-License-Identifier: BSD-3-Clause
# packaging.mk - files for distribution: the sources as one file, packages of Debian and of RPM
# distributions, patches for PAPI; part of rules.mk.

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

rpm: dist
	$(call say,RPM,$(B)/rpm)
	$(quiet)$(SCRIPT)/rpm.sh $(VERSION) $(call absolute,$(DIST)) $(call absolute,$(B)/rpm) "$(PAPI_SRC)"

# The component alone, for recipes that build PAPI: a folder uncore for src/components.
COMPONENT_DIST = $(B)/dist/uncore-component-$(VERSION).tar.xz
dist-component: $(COMPONENT)/.complete FORCE
	$(call say,TAR,$(COMPONENT_DIST))
	$(quiet)mkdir -p $(B)/dist
	$(quiet)tar -C $(B)/papi-component -cf - --exclude=.complete --owner=0 --group=0 --numeric-owner --sort=name \
		--mode=u+rw,go=u-w --mtime="@$$(cd $(SRC) && git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)" uncore | \
		xz -T 1 -c >$(COMPONENT_DIST).new
	$(quiet)mv $(COMPONENT_DIST).new $(COMPONENT_DIST)

recipes: dist dist-component
	$(call say,FILL,$(B)/recipes)
	$(quiet)$(SCRIPT)/recipes.sh $(VERSION) $(call absolute,$(DIST)) $(call absolute,$(COMPONENT_DIST)) $(call absolute,$(B)/recipes)

# The version that is given must be the one that was configured.
release:
	@$(if $(findstring command line,$(origin VERSION)),,echo "make release requires the version: make release VERSION=X.Y" >&2; exit 1)
	@BUILD=$(call absolute,$(B)) $(SCRIPT)/release.sh $(VERSION) $(call absolute,$(B)/release-$(VERSION))

papi-patch: $(B)/papi-component-thin/uncore/.complete
	$(call say,PATCH,$(B)/papi-patch)
	$(quiet)$(SCRIPT)/papi_patch.sh $(VERSION) $(call absolute,$(B)/papi-component-thin/uncore) \
		$(call absolute,$(B)/papi-patch)
