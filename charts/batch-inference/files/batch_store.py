"""Where input and output are: a folder of a claim, or a prefix in S3 by the AWS CLI of the image.

The output of a shard is ``part-N.jsonl`` when it is complete. Before that, ``part-N.jsonl.partial`` has the results so
far, in the order in which they came: in S3 only when the pod was told to stop.
"""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

from batch_input import InvalidBatch
from batch_plan import BatchPlan

AWS = "aws"
MANIFEST = "manifest.json"
SCRATCH = Path("/scratch/batch")


def part_name(shard: int) -> str:
    return f"part-{shard:05d}.jsonl"


class FolderStore:
    """A file that is complete was renamed to its name: a reader never sees half of one."""

    def __init__(self, plan: BatchPlan) -> None:
        self._input = Path(plan.folder, plan.input)
        self._output = Path(plan.folder, plan.output)

    @property
    def where(self) -> str:
        return str(self._output)

    def fetch_input(self) -> Path:
        if not self._input.is_file():
            raise InvalidBatch(f"there is no file {self._input}: set data.input to a path on the claim")
        self._output.mkdir(parents=True, exist_ok=True)
        return self._input

    def names(self) -> set[str]:
        return {each.name for each in self._output.iterdir()}

    def read(self, name: str) -> str:
        return (self._output / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        staged = self._output / f".{name}.{socket.gethostname()}"
        with staged.open("w", encoding="utf-8") as target:
            target.write(text)
            target.flush()
            os.fsync(target.fileno())
        staged.replace(self._output / name)

    def partial(self, shard: int) -> Path:
        """The file to append results to."""
        return self._output / f"{part_name(shard)}.partial"

    def keep_partial(self, shard: int) -> None:
        """It is where the next pod looks."""

    def finish(self, shard: int, text: str) -> None:
        self.write(part_name(shard), text)
        self.partial(shard).unlink(missing_ok=True)


class BucketStore:
    """Files are copied; results of a shard are on the disk of the node until it is complete or the pod stops."""

    def __init__(self, plan: BatchPlan, scratch: Path = SCRATCH) -> None:
        self._scratch = scratch
        self._input = f"{plan.url.rstrip('/')}/{plan.input}"
        self._output = f"{plan.url.rstrip('/')}/{plan.output}"

    @property
    def where(self) -> str:
        return self._output

    def fetch_input(self) -> Path:
        self._scratch.mkdir(parents=True, exist_ok=True)
        target = self._scratch / "input.jsonl"
        try:
            _aws("cp", self._input, str(target))
        except subprocess.CalledProcessError as failure:
            message = f"{self._input} could not be copied ({_last_line(failure.stderr)}): see data.input and data.url"
            raise InvalidBatch(message) from failure
        return target

    def names(self) -> set[str]:
        """Raises ``CalledProcessError``; exit code 1 is that nothing has the prefix."""
        command = [AWS, "s3", "ls", f"{self._output}/"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode > 1:
            ran.check_returncode()
        return {line.split()[-1] for line in ran.stdout.splitlines() if line.split()}

    def read(self, name: str) -> str:
        target = self._scratch / name
        _aws("cp", f"{self._output}/{name}", str(target))
        return target.read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        source = self._scratch / name
        source.write_text(text, encoding="utf-8")
        _aws("cp", str(source), f"{self._output}/{name}")

    def partial(self, shard: int) -> Path:
        target = self._scratch / f"{part_name(shard)}.partial"
        if not target.exists() and target.name in self.names():
            _aws("cp", f"{self._output}/{target.name}", str(target))
        return target

    def keep_partial(self, shard: int) -> None:
        source = self._scratch / f"{part_name(shard)}.partial"
        if source.exists():
            _aws("cp", str(source), f"{self._output}/{source.name}")

    def finish(self, shard: int, text: str) -> None:
        self.write(part_name(shard), text)
        partial = self._scratch / f"{part_name(shard)}.partial"
        partial.unlink(missing_ok=True)
        if partial.name in self.names():
            _aws("rm", f"{self._output}/{partial.name}")


Store = FolderStore | BucketStore


def open_store(plan: BatchPlan) -> Store:
    return BucketStore(plan) if plan.url else FolderStore(plan)


def _aws(*words: str) -> None:
    """Raises ``CalledProcessError``."""
    command = [AWS, "s3", *words, "--only-show-errors"]
    subprocess.run(command, capture_output=True, text=True, check=True)


def _last_line(text: str | None) -> str:
    return ((text or "").strip().splitlines() or ["no message"])[-1]
