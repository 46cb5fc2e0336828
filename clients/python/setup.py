"""Packs the native library and the pywaggle fallback with the package."""

import os
import shutil
import tempfile

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "libedgewise_client.so"


def built_library():
    """Where the native library is; None if it has not been built."""
    candidates = [
        os.environ.get("EDGEWISE_CLIENT_LIB", ""),
        os.path.join(HERE, "..", "..", "build", "release", LIBRARY),
    ]
    return next((path for path in candidates if os.path.isfile(path)), None)


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        # Read at every start of Python, so that the fallback is in place.
        shutil.copy(os.path.join(HERE, "edgewise-pywaggle.pth"), self.build_lib)
        library = built_library()
        if library is not None:
            shutil.copy(library, os.path.join(self.build_lib, "edgewise", LIBRARY))


class PlatformDistribution(Distribution):
    """The native library makes the package specific to the platform."""

    def has_ext_modules(self):
        return built_library() is not None


# Nothing is written into the source tree.
scratch = tempfile.mkdtemp(prefix="edgewise-python-")
setup(
    cmdclass={"build_py": BuildWithLibrary},
    distclass=PlatformDistribution,
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)
shutil.rmtree(scratch, ignore_errors=True)
