"""The CDK command: the only place that calls it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from neuron_cluster.deploy.child_process import child_process
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.node import cdk_script, compile_cache, node_binary
from neuron_cluster.deploy.work_folder import work_folder

POLL_SECONDS = 0.5
"""How often ``while_running`` is called on the local AWS, which is quick."""
AWS_POLL_SECONDS = 3.0
"""The same on AWS, whose CloudFormation limits calls."""

SIMULTANEOUS_STACKS = 3
"""Stacks that do not need each other are deployed side by side."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class CdkRun(Struct, frozen=True):
    """How a run of the CDK command ended, and what it wrote."""

    status: int
    output: str

    @property
    def last_lines(self) -> str:
        return "\n".join(self.output.strip().splitlines()[-15:])


class CdkCli(Struct, frozen=True):
    """The pinned, unmodified CDK command, for one destination."""

    project: Path
    destination: Destination

    def deploy(self, assembly: Path, while_running: Callable[[], None]) -> CdkRun:
        """Deploys every stack of an assembly."""
        options = ["--all", "--require-approval", "never", "--progress", "events"]
        options += ["--concurrency", str(SIMULTANEOUS_STACKS)]
        if self.destination.is_local:  # change sets are not read there, and they cost the command a second
            options += ["--method", "direct"]
        return self._run(["-a", str(assembly.absolute()), "deploy", *options], while_running)

    def destroy(self, assembly: Path, stacks: Sequence[str], while_running: Callable[[], None]) -> CdkRun:
        """Deletes stacks of an assembly, the dependent ones first."""
        return self._run(["-a", str(assembly.absolute()), "destroy", "--force", *stacks], while_running)

    def _run(self, arguments: Sequence[str], while_running: Callable[[], None]) -> CdkRun:
        command: list[str | Path] = [node_binary(), cdk_script(self.project), *arguments, "--no-notices", "--no-color"]
        pause = POLL_SECONDS if self.destination.is_local else AWS_POLL_SECONDS
        environment = {
            "NODE_COMPILE_CACHE": str(compile_cache(self.project)),
            **self.destination.child_environment(),
        }
        with work_folder() as folder, (folder / "log").open("w+b") as log:
            # A working directory of its own, so that no cdk.json is read: the assembly is all there is.
            environment["TMPDIR"] = str(folder)
            if self.destination.is_local:
                environment["HOME"] = str(folder)  # nor the user's ~/.cdk.json, which may name a profile
            with child_process(command, cwd=folder, environment=environment, log=log) as cdk:
                while not _has_ended(cdk, pause):
                    while_running()
            while_running()
            log.seek(0)
            output = _COLOURS.sub("", log.read().decode(errors="replace"))
        return CdkRun(cdk.returncode, output)


def _has_ended(process: subprocess.Popen[bytes], within_seconds: float) -> bool:
    try:
        process.wait(within_seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
