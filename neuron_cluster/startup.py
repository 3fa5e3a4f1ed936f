"""Startup tuning of a short process: no garbage collection of what it keeps, no needless modules and plug-ins."""

from __future__ import annotations

import atexit
import gc
import importlib
import sys
import types

USUAL_THRESHOLDS = gc.get_threshold()
THRESHOLD = 100_000
"""Objects between two collections. Looking through all that a start makes, again and again, takes a twentieth of
`validate`."""

NEEDLESS = ("secrets",)


def collect_rarely() -> None:
    """To be called first. Memory is still given back by reference counts, and by the system when the process ends.

    At its end Python looks for garbage three times over, which took an eighth of `validate` and a fifth of synthesis;
    frozen objects are skipped.
    """
    gc.set_threshold(THRESHOLD)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def restore_garbage_collection() -> None:
    """Restores the collection of garbage of a process that keeps running. Loaded objects are skipped."""
    gc.freeze()
    gc.set_threshold(*USUAL_THRESHOLDS)


def leave_out_pydantic_plugins() -> None:
    """Before its first model pydantic looks through every installed package for plug-ins. None is needed here.

    PYDANTIC_DISABLE_PLUGINS would still load ``importlib.metadata``, which takes longer than the catalog. Should
    pydantic rename the module, this has no effect.
    """
    loader = types.ModuleType("pydantic.plugin._loader")
    loader.__dict__["get_plugins"] = tuple
    sys.modules.setdefault(loader.__name__, loader)


class PostponedModule(types.ModuleType):
    """A module that is imported at the first use of one of its names.

    ``importlib.util.LazyLoader`` imports it at the next ``import`` statement already.
    """

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        del sys.modules[self.__name__]
        self.__dict__.update(vars(importlib.import_module(self.__name__)))
        return getattr(self, name)


def postpone_needless_modules() -> None:
    """Postpones the import of modules that pydantic imports and a check of a file does not use.

    ``secrets`` loads OpenSSL, which takes a thirtieth of `validate`.
    """
    for name in NEEDLESS:
        sys.modules.setdefault(name, PostponedModule(name))
