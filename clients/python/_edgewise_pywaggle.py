"""Makes `from pywaggle.live_metrics import LiveMetrics` work without pywaggle.

Imported at every start of Python (by edgewise-pywaggle.pth), so it must stay
tiny. The finder stands last in line: it is asked only for what no installed
package provides, and never hides a real pywaggle.
"""

import sys

_MODULES = ("pywaggle", "pywaggle.live_metrics")


class _PywaggleFallback:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _MODULES:
            return None
        if name != "pywaggle" and not getattr(
            sys.modules.get("pywaggle"), "__edgewise__", False
        ):
            return None  # part of a real pywaggle, which has no such module
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, _PywaggleFallback, is_package=name == "pywaggle")

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        module.__edgewise__ = True
        if module.__name__ == "pywaggle.live_metrics":
            from edgewise import LiveMetrics

            module.LiveMetrics = LiveMetrics


if _PywaggleFallback not in sys.meta_path:
    sys.meta_path.append(_PywaggleFallback)
