# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.packages.papi.package import Papi as BuiltinPapi

from spack.package import *


class Papi(BuiltinPapi):
    __doc__ = BuiltinPapi.__doc__

    variant("uncore", default=True, description="Count Intel Xeon uncore events through the native registers")

    with when("+uncore"):
        depends_on("json-c")
        resource(
            name="uncore-component",
            url="@releases@uncore-component-@version@.tar.xz",
            sha256="@component_sha256@",
            destination="src/components",
            placement="uncore",
        )
    conflicts("+uncore", when="@:5.6", msg="The component uncore requires PAPI 5.7 or later")

    # The last one, so that the other components keep their numbers.
    def configure_args(self):
        options = super().configure_args()
        if self.spec.satisfies("~uncore"):
            return options
        start = "--with-components="
        names = [option[len(start) :] for option in options if option.startswith(start)]
        others = [option for option in options if not option.startswith(start)]
        return others + [start + " ".join(names + ["uncore"]).strip()]
