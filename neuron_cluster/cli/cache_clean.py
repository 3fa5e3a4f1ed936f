"""``neuron-cluster cache clean``: delete what no environment uses, and what failed compilations left."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.cache_contents import add_cache_arguments

if TYPE_CHECKING:
    from neuron_cluster.cli.cache_contents import CacheContents
    from neuron_cluster.compile_cache.cleaning import Cleaning

STALE_HOURS = 6
"""Longer than any compilation: younger failed entries and locks may be of one that runs. As in compile-cache-warmer."""

TEXT = """Show what can be deleted of the compile cache of a deployed environment: folders
of compilers that no environment of this project uses, and failed entries and
locks in which nothing changed for --stale-hours. --delete deletes it, after a
prompt.
The bucket keeps deleted objects for one more day, as old versions. Folders
without the version of a compiler in their name are kept; so are all folders
while an environment uses an SDK whose compiler the catalog does not have."""

EXAMPLES = """  neuron-cluster cache clean train-trn1           show what would be deleted
  neuron-cluster cache clean train-trn1 --delete  delete it, after a prompt
  neuron-cluster cache clean --local train-trn1 --delete"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "clean", run, summary="delete unused graphs", text=TEXT, examples=EXAMPLES)
    add_cache_arguments(parser)
    parser.add_argument("--delete", action="store_true", help="delete it (default: only show it)")
    parser.add_argument(
        "--stale-hours",
        metavar="N",
        type=_hours,
        default=STALE_HOURS,
        help="age of failed entries and locks; above the longest compilation, or 0 while nothing compiles (default: 6)",
    )
    parser.add_argument("--yes", action="store_true", help="do not prompt (with --local there is no prompt)")


def _hours(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of hours: expected a whole number from 0")
    return int(text)


def run(options: argparse.Namespace) -> int:
    from datetime import UTC, datetime, timedelta

    from neuron_cluster.cli.cache_contents import read_cache
    from neuron_cluster.compile_cache.cleaning import cleaning

    with read_cache(options) as cache:
        found = cleaning(cache.folders, cache.in_use, datetime.now(UTC) - timedelta(hours=options.stale_hours))
        if options.format == "text":
            _print(cache, found)
        is_deleted = options.delete and bool(found.objects)
        if is_deleted:
            _delete(cache, found, asks=not options.yes)
        _print_end(options, cache, found, is_deleted=is_deleted)
    return 0


def _print(cache: CacheContents, found: Cleaning) -> None:
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.report.compile_cache_page import cleaning_lines

    for line in cache.notes:
        print_paragraph(line, sys.stdout)
    for line in cleaning_lines(found):
        print(line, flush=True)


def _delete(cache: CacheContents, found: Cleaning, *, asks: bool) -> None:
    from neuron_cluster.aws.s3 import delete_objects
    from neuron_cluster.cli.confirmation import confirm

    destination = cache.destination
    if asks and not destination.is_local:
        confirm(f"Delete this below {cache.place} on {destination.description}?", cache.removal.plan.name)
    delete_objects(destination.target, cache.bucket, [each.key for each in found.objects])


def _print_end(options: argparse.Namespace, cache: CacheContents, found: Cleaning, *, is_deleted: bool) -> None:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.compile_cache_page import cleaning_as_data

    if options.format == "json":
        findings = [finding.as_dict() for finding in cache.removal.findings]
        names = {"environment": cache.removal.plan.name, "bucket": cache.bucket, "prefix": cache.prefix}
        result = {"deleted": is_deleted, "notes": cache.notes, "findings": findings}
        print_json({**names, **cleaning_as_data(found), **result})
    elif not found.objects:
        print("Nothing to delete.")
    else:
        print("Deleted." if is_deleted else "Nothing was deleted: --delete deletes it.")
