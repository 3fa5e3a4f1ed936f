"""The command line: arguments in, text and exit status out.

Each verb is a module of this package, loaded when it is called. Modules of other packages are imported inside the verb
that needs them, so that ``validate`` starts without CDK, boto3 and rich (``tests/architecture/test_startup.py``).
"""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from neuron_cluster.cli.columns import HelpFormatter
from neuron_cluster.cli.interruption import interruptible
from neuron_cluster.cli.parser import Parser
from neuron_cluster.cli.patient_stream import silence
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.startup import collect_rarely, leave_out_pydantic_plugins, postpone_needless_modules
from neuron_cluster.toolkit_files import with_page_commands

VERBS = (
    "init",
    "new",
    "setup",
    "validate",
    "expand",
    "plan",
    "cost",
    "usage",
    "access",
    "report",
    "diagram",
    "schedule",
    "explain",
    "lock",
    "image",
    "synth",
    "diff",
    "drift",
    "import",
    "preflight",
    "deploy",
    "destroy",
    "list",
    "status",
    "node",
    "upgrade",
    "upgrade-toolkit",
    "images",
    "catalog",
    "capacity",
    "recommend",
    "storage",
    "cache",
    "workload",
    "onboard",
    "offboard",
    "local",
    "completion",
)
"""Modules of this package (with _ for -), in the order in which the help lists them."""

FAILED, ENDED_BY_SIGNAL = 1, 128
"""Exit status. 2, a wrong command line, is argparse's own; a signal's number is added (Ctrl-C: 130)."""

MACHINE_FORMATS = ("json", "sarif")
"""Formats in which an error is a document too."""

OUTPUT_FAILURES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""Error numbers of a full disk, a disk that breaks, and a stream that is not open for writing."""

DESCRIPTION = """AWS Neuron clusters (Trainium, Inferentia) as code.

One YAML file in environments/ describes an environment. This command checks
the file, shows the stacks that it becomes, and deploys them to AWS, or to a
local AWS that needs no account."""

EXAMPLES = """first steps, without an AWS account, in a checkout or in a repository that
`neuron-cluster init DIR` has created, with its environment for train-trn1:
  neuron-cluster validate train-trn1         check the environment file
  neuron-cluster plan train-trn1             show the resources and their price
  neuron-cluster local                       run it in another terminal
  neuron-cluster deploy --local train-trn1   deploy to the local AWS
  neuron-cluster list --local                show what is deployed
  neuron-cluster destroy --local train-trn1  delete it, keep stacks with data

exit status: 0 success, 1 errors found or a failed deploy, 2 an invalid command
line, 130 interrupted; 3 with --exit-code of `diff` and `upgrade-toolkit` when a
deploy would change something, of `status` when something is not healthy, of
`preflight` when a check does not pass, and of `drift` for a difference.
`neuron-cluster VERB --help` shows each verb with examples."""


class _Version(argparse.Action):
    """Looks the version up only for ``--version``: reading the package's metadata takes longer than parsing."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        import importlib.metadata

        print(f"neuron-cluster {importlib.metadata.version('neuron-cluster-toolkit')}")
        parser.exit()


def build_parser(verb: str | None = None) -> argparse.ArgumentParser:
    """The parser of every verb, or that of one alone, in a fifth of the time."""
    parser = Parser(
        prog="neuron-cluster",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the toolkit's version")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True, prog=parser.prog)
    for name in (verb,) if verb in VERBS else VERBS:
        importlib.import_module(f"neuron_cluster.cli.{name.replace('-', '_')}").add_to(verbs)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status. Raises ``SystemExit(2)`` for a wrong command line."""
    collect_rarely()
    _prepare_streams()
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (`head`) has seen enough
        silence(sys.stdout)
        return ENDED_BY_SIGNAL + signal.SIGPIPE
    except OSError as error:
        if error.errno not in OUTPUT_FAILURES:
            raise
        return _report_output_failure(error)
    return status


def _run(arguments: Sequence[str]) -> int:
    """Answers, or ends at Ctrl-C, which may come while the verb is still being loaded."""
    try:
        with interruptible():
            return _answer(arguments)
    except KeyboardInterrupt as interruption:
        print("interrupted", file=sys.stderr)
        return ENDED_BY_SIGNAL + getattr(interruption, "number", signal.SIGINT)


def _answer(arguments: Sequence[str]) -> int:
    options = build_parser(next(iter(arguments), None)).parse_args(arguments)
    leave_out_pydantic_plugins()
    postpone_needless_modules()
    try:
        status: int = options.run(options)
    except ToolkitError as error:
        from neuron_cluster.deploy.disk import full_disk

        return _report(full_disk(error.message) or error, options)
    return status


def _prepare_streams() -> None:
    """Gives both streams an end that accepts everything: no stream (`>&-`), and characters that an encoding lacks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files may hold bytes that no encoding has


def _report_output_failure(error: OSError) -> int:
    from neuron_cluster.deploy.disk import full_disk

    silence(sys.stdout)
    full = full_disk(str(error))
    text = f"{full.message}\n  hint: {full.hint}" if full else f"the output cannot be written: {error.strerror}"
    try:
        print(f"error: {text}", file=sys.stderr, flush=True)
    except OSError:  # standard error is what is full
        silence(sys.stderr)
    return FAILED


def _report(error: ToolkitError, options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import naming_local_lock
    from neuron_cluster.cli.terminal import print_findings, print_findings_json, print_findings_sarif
    from neuron_cluster.findings.finding import Finding, Location

    if isinstance(error, InvalidEnvironment):
        findings = naming_local_lock(error.findings, options, getattr(options, "environment", None))
    elif options.format in MACHINE_FORMATS:
        findings = [Finding(error.finding_id, Location(""), error.message, error.hint)]
    else:
        first, *more = error.message.splitlines() or [""]
        has_own_id = error.finding_id != ToolkitError.finding_id
        shown = "\n".join([f"{first} ({error.finding_id})" if has_own_id else first, *more])
        text = f"error: {shown}" + (f"\n  hint: {error.hint}" if error.hint else "")
        print(with_page_commands(text), file=sys.stderr)
        return FAILED
    if options.format == "json":
        print_findings_json(findings)
    elif options.format == "sarif":
        print_findings_sarif(findings)
    else:
        print_findings(findings)
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
