"""What runs inside an event's process: the Lambda's own ``index.handler``, once."""

from __future__ import annotations

import importlib
import json
import os
import sys
import types
from pathlib import Path
from typing import Any

from local_aws.custom_resources.forked import fork_programs_of


def main(arguments: list[str]) -> int:
    """Arguments: the code's folder and the event's folder, which holds the event and gets the answer."""
    code_folder, folder = arguments
    path = os.environ["PATH"]
    fork_programs_of(Path(path))
    sys.path.insert(0, code_folder)
    sys.dont_write_bytecode = True  # the code's folder is shared by events
    _import_when_used("boto3")
    function = importlib.import_module("index").handler
    # On import the code puts /opt/helm and the like first, where a machine may hold a real helm.
    os.environ["PATH"] = path
    event = json.loads((Path(folder) / "event.json").read_text(encoding="utf-8"))
    answer = function(event, None)
    (Path(folder) / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
    return 0


def _import_when_used(name: str) -> None:
    """The code imports boto3 at its top, for a fifth of a second, and asks it nothing but where public ECR is.

    ``importlib.util.LazyLoader`` does not help: an import statement asks a lazy module for its spec, which loads it.
    """
    module = sys.modules[name] = types.ModuleType(name)

    def attribute(wanted: str) -> Any:
        if sys.modules.get(name) is module:
            del sys.modules[name]
        return getattr(importlib.import_module(name), wanted)

    module.__dict__["__getattr__"] = attribute
