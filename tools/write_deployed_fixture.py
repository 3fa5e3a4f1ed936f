"""Writes what a commit deploys, for the tests of upgrades: ``python tools/write_deployed_fixture.py 84d60602``.

The result, ``tests/fixtures/deployed/COMMIT.tar.xz``, has a folder for each shipped environment with its file and its
cloud assembly, without the files that stacks refer to. It is written once for a commit and never again.
"""

from __future__ import annotations

import argparse
import io
import lzma
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.deploy.synthesis import run_app

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "fixtures" / "deployed"
FIXTURE_FILES = (".template.json", ".assets.json", "manifest.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    commit = parser.parse_args().commit
    with tempfile.TemporaryDirectory() as temporary:
        checkout = Path(temporary) / "checkout"
        command = ["git", "archive", commit]
        archive = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(checkout, filter="data")
        packed = _packed([each for file in _environments(checkout) for each in _synthesized(checkout, file)])
    (FOLDER / f"{commit}.tar.xz").write_bytes(packed)


def _environments(checkout: Path) -> list[Path]:
    return sorted((checkout / "environments").glob("*.yaml"))


def _synthesized(checkout: Path, environment: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file to keep; the code that runs is that of the checkout."""
    sys.stdout.write(f"{environment.stem}\n")
    yield f"{environment.stem}/{environment.name}", environment.read_bytes()
    with tempfile.TemporaryDirectory() as assembly:
        run_app(checkout, environment.stem, Path(assembly))
        for file in sorted(Path(assembly).iterdir()):
            if file.name.endswith(FIXTURE_FILES):
                yield f"{environment.stem}/{file.name}", file.read_bytes()


def _packed(files: list[tuple[str, bytes]]) -> bytes:
    """The same bytes for the same files."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return lzma.compress(written.getvalue(), preset=9 | lzma.PRESET_EXTREME)


if __name__ == "__main__":
    main()
