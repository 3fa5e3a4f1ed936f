"""An assembly for the first of two updates: a copy in which some stacks have other templates."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_first_assembly(assembly: Path, folder: Path, templates: Mapping[str, Mapping[str, Any]]) -> None:
    """Copies ``assembly`` to ``folder``, which is not there yet, with these templates by stack.

    The CDK command uploads a template once under the hash of its text: another text gets another hash.
    """
    shutil.copytree(assembly, folder)
    manifest = (folder / "manifest.json").read_text(encoding="utf-8")
    for name, template in templates.items():
        file = folder / f"{name}.template.json"
        assets = folder / f"{name}.assets.json"
        written = assets.read_text(encoding="utf-8")
        (old,) = [key for key, asset in json.loads(written)["files"].items() if asset["source"]["path"] == file.name]
        text = json.dumps(template, indent=1)
        new = hashlib.sha256(text.encode()).hexdigest()
        file.write_text(text, encoding="utf-8")
        assets.write_text(written.replace(old, new), encoding="utf-8")
        manifest = manifest.replace(old, new)
    (folder / "manifest.json").write_text(manifest, encoding="utf-8")
