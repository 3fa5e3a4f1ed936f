"""Running the CDK app: an environment file becomes a cloud assembly, which ``cdk -a`` deploys."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.deploy.assembly import MANIFEST, MARKERS, foreign_entries
from neuron_cluster.deploy.assembly_cache import cached_assembly, store_assembly
from neuron_cluster.deploy.assembly_key import assembly_key
from neuron_cluster.deploy.child_process import child_process
from neuron_cluster.deploy.disk import disk_failure, unusable_folder
from neuron_cluster.deploy.node import node_binary
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.placeholders import JUDGED

SHOWN_STRANGERS = 3
"""At most so many files that do not belong to an assembly are named."""

OWN_APP = "app.py"
TOOLKIT_APP = "neuron-cluster-app"
"""The command of the installed toolkit that ``cdk.json`` of a user's repository names as its app."""

PASSED_ON = ("HOME", "LANG", "LC_ALL", "CDK_VALIDATION")
"""Variables of the user that synthesis may see; none of them reaches a template."""


BETWEEN_LOOKS_SECONDS = 0.02
SILENT_SECONDS = 1
VALIDATING = "CDK validates the templates that are new on this machine …\n"


class SynthesisError(ToolkitError):
    """The CDK app failed; ``log_text`` is what it wrote."""

    finding_id = "E9530"

    def __init__(self, environment: str, status: int, log_text: str) -> None:
        super().__init__(f"synthesis of {environment} failed (exit status {status})\n{log_text}".rstrip())
        self.log_text = log_text


def cdk_context(project: Path, environment: str, locks: Path | None = None, stack_key: str = "") -> dict[str, Any]:
    """Returns the context that ``cdk -c environment=…`` gives the app: that of ``cdk.json``, and of its options.

    ``locks`` is the folder of the locks, ``-c lock=…``; without it the app uses the one next to the file. ``stack_key``
    is that of a stack that a command of its own deploys, ``-c part=…``.
    """
    return {
        **_settings(project).get("context", {}),
        "environment": environment,
        JUDGED: True,
        **({"lock": str(locks.absolute())} if locks is not None else {}),
        **({"part": stack_key} if stack_key else {}),
        "aws:cdk:enable-path-metadata": False,
        "aws:cdk:enable-asset-metadata": False,
        "aws:cdk:version-reporting": False,
        "aws:cdk:disable-creation-stack-traces": True,  # in cdk.json the CDK command would warn of these two
        "aws:cdk:disable-stack-trace": True,
    }


def app_command(project: Path) -> list[str]:
    """The app of the project, as ``cdk.json`` names it: ``app.py`` as in a checkout, else that of the toolkit."""
    named = str(_settings(project).get("app", ""))
    if (project / OWN_APP).is_file() and TOOLKIT_APP not in named:
        return [sys.executable, OWN_APP]
    return [sys.executable, "-P", "-m", "neuron_cluster.cdk_app"]  # -P: modules of the project take no name of ours


def synthesize(
    project: Path,
    environment: str,
    output: Path,
    locks: Path | None = None,
    show: Callable[[Path], None] = lambda _: None,
) -> None:
    """Writes the cloud assembly of an environment (a name or an absolute path) to ``output``, whole or not at all.

    ``locks`` is the folder of its lock (default: ``locks`` next to the file). ``show`` is called with the folder of the
    assembly before CDK has validated it.

    Raises ``ToolkitError`` when ``output`` holds anything but an earlier assembly, ``SynthesisError`` when the app
    fails; ``output`` is then as it was.
    """
    require_own_folder(output, project)
    try:
        output = output.resolve()  # a link stays a link
        output.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unusable_folder(output.parent, error) from error
    with work_folder(output.parent, f".{output.name}-") as beside:
        new = beside / "assembly"
        new.mkdir()
        with started_app(project, environment, new, locks) as app:
            if app is not None:
                app.wait_until_written()
            show(new)
            if app is not None:
                app.finish()
        require_own_folder(output, project)  # what was put there meanwhile
        _swap(new, output, beside / "replaced")


@contextlib.contextmanager
def private_assembly(project: Path, environment: str, locks: Path | None = None, stack_key: str = "") -> Iterator[Path]:
    """The cloud assembly of an environment in a folder that only this user can open, as long as the block lasts.

    What is compared and confirmed is then what is deployed: no other synthesis writes there. Raises as ``synthesize``.
    """
    with work_folder() as folder:
        assembly = folder / "assembly"
        assembly.mkdir()
        run_app(project, environment, assembly, locks, stack_key)
        yield assembly


def require_own_folder(output: Path, project: Path) -> None:
    """Raises ``ToolkitError`` unless ``output`` is absent, empty, or an earlier assembly and nothing else."""
    hint = "name a new or empty directory, or one that an earlier synth wrote"
    try:
        if not output.exists() and not output.is_symlink():
            return
        if not output.is_dir():
            raise ToolkitError(f"{output} is not a directory", hint=hint)
        if any(output.iterdir()) and not all((output / marker).is_file() for marker in MARKERS):
            raise ToolkitError(f"{output} holds other things than a cloud assembly", hint=hint)
    except (OSError, ValueError) as error:
        raise ToolkitError(f"{str(output)!r} cannot be used: {error}", hint=hint) from error
    if Path.cwd().is_relative_to(output.resolve()) or project.resolve().is_relative_to(output.resolve()):
        raise ToolkitError(f"{output} is the working directory or holds the project", hint=hint)
    if strangers := foreign_entries(output):
        shown = ", ".join(strangers[:SHOWN_STRANGERS])
        message = f"{output} holds more than its cloud assembly, and a synthesis would delete it: {shown}"
        message += f" and {len(strangers) - SHOWN_STRANGERS} more" if len(strangers) > SHOWN_STRANGERS else ""
        raise ToolkitError(message, hint=f"move them elsewhere, or {hint}")


def run_app(project: Path, environment: str, output: Path, locks: Path | None = None, stack_key: str = "") -> None:
    """Runs the app of the project in a process of its own, which gets no credentials.

    Raises ``SynthesisError`` when it fails.
    """
    with started_app(project, environment, output, locks, stack_key) as app:
        if app is not None:
            app.finish()


class StartedApp:
    """An app that runs: it writes the assembly, and then CDK validates the templates that it does not know."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path, settle: Callable[[int], None]) -> None:
        """``settle`` gets the exit status once."""
        self._process = process
        self._output = output
        self._settle = settle
        self._has_ended = False

    def wait_until_written(self) -> None:
        """Waits for the assembly, which is complete while its validation goes on. Raises as ``finish``."""
        while not self._has_ended and not _is_written(self._output):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._end(self._process.wait(BETWEEN_LOOKS_SECONDS))

    def finish(self) -> None:
        """Waits for the end of the app, and prints on standard error that CDK validates if that takes over a second.

        Raises ``SynthesisError`` when the app fails.
        """
        self.wait_until_written()
        if self._has_ended:
            return
        try:
            status = self._process.wait(SILENT_SECONDS)
        except subprocess.TimeoutExpired:
            sys.stderr.write(VALIDATING)
            sys.stderr.flush()
            status = self._process.wait()
        self._end(status)

    def _end(self, status: int) -> None:
        self._has_ended = True
        self._settle(status)


@contextlib.contextmanager
def started_app(
    project: Path, environment: str, output: Path, locks: Path | None = None, stack_key: str = ""
) -> Iterator[StartedApp | None]:
    """Starts the app as ``run_app`` does, and does not wait for it. At the end of the block the process is ended.

    Yields None when the assembly was made before from the same inputs: it is copied, and no process is started.
    """
    context = cdk_context(project, environment, locks, stack_key)
    key = assembly_key(project, environment, locks, context, _passed_on(os.environ))
    if cached_assembly(project, key, output):
        yield None
        return
    # What CDK unpacks for itself is deleted with the folder, also when the process is killed.
    with work_folder() as unpacked, (unpacked / "log").open("w+b") as log:
        app_environ = _app_environ(os.environ, context, output, unpacked)
        with child_process(app_command(project), cwd=project, environment=app_environ, log=log) as process:

            def settle(status: int) -> None:
                log.seek(0)
                log_text = log.read().decode(errors="replace").strip()
                if status != 0 and (full := disk_failure(log_text, [output.parent.parent, Path(app_environ["HOME"])])):
                    raise full
                if status != 0 or not all((output / marker).is_file() for marker in MARKERS):
                    raise SynthesisError(environment, status, log_text)
                if key == assembly_key(project, environment, locks, context, _passed_on(os.environ)):
                    store_assembly(project, key, output)  # unless a file was written meanwhile

            yield StartedApp(process, output, settle)


def _is_written(output: Path) -> bool:
    """Whether CDK has written the manifest, its last file before the validation."""
    try:
        json.loads((output / MANIFEST).read_bytes())
    except (OSError, ValueError):  # absent, or half of it is written
        return False
    return True


def _settings(project: Path) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((project / "cdk.json").read_text(encoding="utf-8"))
    return settings


def _passed_on(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: environ[name] for name in PASSED_ON if name in environ}


def _app_environ(
    environ: Mapping[str, str], context: Mapping[str, Any], output: Path, unpacked: Path
) -> dict[str, str]:
    inherited = _passed_on(environ)
    if not _is_writable(Path(inherited.get("HOME", os.devnull))):
        inherited["HOME"] = str(unpacked)  # jsii keeps what it unpacks in the home
    path = os.pathsep.join([str(node_binary().parent), environ.get("PATH", os.defpath)])
    given = {"CDK_OUTDIR": str(output.absolute()), "CDK_CONTEXT_JSON": json.dumps(context), "TMPDIR": str(unpacked)}
    return {**inherited, "PATH": path, **given}


def _swap(new: Path, output: Path, replaced: Path) -> None:
    """Puts the new folder in the place of the old one, which is moved to ``replaced``."""
    new.chmod(0o755)
    if output.exists():
        output.rename(replaced)
    new.rename(output)


def _is_writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
