"""Asks an AWS account what is true today, and rewrites the data files of the catalog where they say otherwise.

Run by people or on a schedule, never by the toolkit: ``.venv/bin/python tools/refresh_catalog.py --help``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import difflib
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

from catalog_refresh.addons import refresh_addons
from catalog_refresh.answer import Answer
from catalog_refresh.hardware import refresh_hardware
from catalog_refresh.images import refresh_ami_releases, refresh_dlamis
from catalog_refresh.offerings import refresh_offerings, refresh_prices
from catalog_refresh.regions import reachable
from catalog_refresh.tables import Tables
from catalog_refresh.writing import edited_files, write_all

from neuron_cluster.aws.session import AwsTarget, LocalTarget, Target
from neuron_cluster.catalog.source_data import DATA_DIRECTORY
from neuron_cluster.deploy.local_server import running_endpoint
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean

TEXT = """Ask an AWS account (read-only) for what the catalog holds, and rewrite the data files where they
differ. Comments, order and everything that the account does not know stay. Read the diff before
you commit it: an account can be wrong or see less than others do, and a value that its row
doubts is left alone and named instead."""

PARTS = {
    "instances": "DescribeInstanceTypes: numbers of each type; new types are printed as rows to add",
    "offerings": "DescribeInstanceTypeOfferings: zone ids of each type",
    "prices": "the Price List API: on-demand list prices of all Regions",
    "images": "SSM and DescribeImages: Regions and Neuron SDK of each kind of DLAMI",
    "releases": "SSM: the newest release of the EKS images with a Neuron driver",
    "addons": "DescribeAddonVersions: default versions of managed add-ons",
}

EXAMPLES = """examples:
  python tools/refresh_catalog.py --check                             what would change, with your account
  python tools/refresh_catalog.py --only offerings,prices             rewrite these two
  python tools/refresh_catalog.py --region us-east-2 --region ap-south-2 --only instances

permissions: ec2:DescribeInstanceTypes, ec2:DescribeInstanceTypeOfferings, ec2:DescribeImages,
  ssm:GetParameter, eks:DescribeAddonVersions, pricing:GetProducts

exit status: 0 written or nothing to do, 1 something differs (--check) or failed, 2 a wrong command line"""


def main(argv: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        return _run(options)
    except ToolkitError as error:
        hint = f"\nhint: {error.hint}" if error.hint else ""
        print(f"refresh_catalog: {error.message}{hint}\nNothing was written.", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parts = "\n".join(f"  {name:10} {what}" for name, what in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="refresh_catalog.py",
        description=f"{TEXT}\n\nparts:\n{parts}",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    regions = "ask this Region; give it several times. Default: every Region of the catalog that the account may use"
    parser.add_argument("--region", metavar="REGION", action="append", help=regions)
    parser.add_argument("--only", metavar="PART,…", type=_parts, default=list(PARTS), help="ask only for these parts")
    parser.add_argument("--check", action="store_true", help="print the difference, write nothing, exit 1 if any")
    parser.add_argument("--as-of", metavar="DATE", type=_day, help="the date for changed rows. Default: today (UTC)")
    parser.add_argument("--data", metavar="DIR", type=Path, default=DATA_DIRECTORY, help="another copy of the data")
    local = "ask a local AWS at this address (see `neuron-cluster local`) instead of your account"
    parser.add_argument("--local", metavar="URL", help=local)
    return parser


def _parts(text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if unknown := [part for part in parts if part not in PARTS] or (["nothing"] if not parts else []):
        raise argparse.ArgumentTypeError(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    return parts


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no date such as 2026-11-21") from None


def _run(options: argparse.Namespace) -> int:
    tables = Tables.read(options.data)
    as_of = options.as_of or dt.datetime.now(dt.UTC).date()
    if options.local:
        running_endpoint(Path(__file__).parents[1])  # its secret is known from now on
    known = [region.name for region in tables.catalog.regions]
    asked = options.region or known
    _require_known(asked, known, tables)
    targets, skipped = reachable({name: _target(options, name) for name in asked})
    answer = _ask(options.only, tables, targets, known, as_of)
    files = edited_files(answer.changes, as_of)
    _print_notes([*skipped, *answer.notes], answer.rows_to_add)
    if options.check:
        for file in files:
            before, after = file.before.splitlines(keepends=True), file.text.splitlines(keepends=True)
            sys.stdout.writelines(difflib.unified_diff(before, after, f"a/{file.path.name}", f"b/{file.path.name}"))
        return int(bool(files or answer.rows_to_add))
    write_all(files)
    print("\n".join(f"wrote {file.path}" for file in files) or "The data files say what the account says.")
    return 0


def _require_known(asked: Sequence[str], known: Sequence[str], tables: Tables) -> None:
    for name in asked:
        if name not in known:
            hint = did_you_mean(tables.catalog.regions.similar(name)).rstrip() or "add it to regions.yaml first"
            raise ToolkitError(f"the catalog has no Region {name}", hint=hint)


def _target(options: argparse.Namespace, region: str) -> Target:
    # The local AWS takes any account; its catalog data is the same in all.
    return LocalTarget(region, "000000000000", options.local) if options.local else AwsTarget(region)


def _ask(
    parts: Sequence[str], tables: Tables, targets: dict[str, Target], known: Sequence[str], as_of: dt.date
) -> Answer:
    """Everything is asked before anything is written."""
    first, data = next(iter(targets.values())), tables.data
    questions: dict[str, Callable[[], Answer]] = {
        "instances": lambda: refresh_hardware(targets, tables.instance_types, data),
        "offerings": lambda: refresh_offerings(targets, tables.instance_types, known, data, as_of),
        "prices": lambda: refresh_prices(first, tables.instance_types, data, as_of),
        "images": lambda: refresh_dlamis(targets, tables.dlamis, data),
        "releases": lambda: refresh_ami_releases(first, tables.catalog, tables.ami_releases, data, as_of),
        "addons": lambda: refresh_addons(first, tables.catalog, tables.addons, data),
    }
    answer = Answer()
    for part in parts:
        print(f"asking for {part} …", file=sys.stderr)
        answer.add(questions[part]())
    return answer


def _print_notes(notes: Sequence[str], rows_to_add: Sequence[str]) -> None:
    for note in notes:
        print(textwrap.fill(f"note: {note}", 110, subsequent_indent="      "), file=sys.stderr)
    for row in rows_to_add:
        print(f"\nThe account knows what the catalog does not; a row to add:\n\n{row}\n", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
