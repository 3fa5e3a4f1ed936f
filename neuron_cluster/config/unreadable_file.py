"""What to do about a file that cannot be read, by what the system says of it."""

from __future__ import annotations

import errno
from pathlib import Path

from neuron_cluster.findings.suggestions import did_you_mean, suggestions


def way_to_read(path: Path, file: str, error: OSError | ValueError) -> str:
    """``file`` is the name that findings give it."""
    match getattr(error, "errno", None):
        case errno.ENOENT:
            near = suggestions(path.name, [other.name for other in path.parent.glob("*.y*ml")])
            return f"{did_you_mean([str(Path(file).with_name(name)) for name in near])}name a file that exists"
        case errno.EACCES:
            import shlex

            return f"make it readable, `chmod u+r {shlex.quote(file)}`, and the folders that it is in"
        case errno.ETIMEDOUT:
            return "name a file, or a pipe that a program writes to"
        case _:
            return "name the environment's YAML file"
