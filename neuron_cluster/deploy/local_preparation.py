"""Preparation of the local AWS before the CDK command deploys to it: CDK's bootstrap stack and files of the stacks.

On AWS both are the CDK command's own work. Here that was a fifth of a deploy: Node.js starts once more for the stack,
and of an upload the command writes every byte out as text, for a log that is not shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from neuron_cluster.aws.cloudformation import create_stack, delete_failed_stack, stack
from neuron_cluster.aws.s3 import put_file
from neuron_cluster.deploy.bootstrap import DEFAULT_QUALIFIER, is_bootstrapped, qualifier_of
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.node import bootstrap_template

TOOLKIT = "CDKToolkit"
PARAMETERS = {"FileAssetsBucketKmsKeyId": "AWS_MANAGED_KEY"}
"""Parameters that ``cdk bootstrap`` sets in addition to the defaults of its template."""
FAILED = ("CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_FAILED")
"""Statuses of a stack whose creation failed, or whose deletion after that."""


def bootstrap_if_needed(project: Path, destination: Destination, progress: Callable[[str], None]) -> None:
    """Makes the stack of ``cdk bootstrap``, of the command's own template. Raises ``ToolkitError`` when that fails.

    One that is being made, for another command or for one that was killed, is waited for: its roles come last. One
    whose creation failed is deleted first, as ``cdk bootstrap`` does: CloudFormation does not update such a stack.
    """
    qualifier = qualifier_of(project)
    name = TOOLKIT if qualifier == DEFAULT_QUALIFIER else f"{TOOLKIT}-{qualifier}"
    status = _status(destination, name)
    if not is_bootstrapped(destination, qualifier) or status in ("CREATE_IN_PROGRESS", *FAILED):
        progress("Preparing the local AWS for CDK.")
        if status in FAILED:
            delete_failed_stack(destination.target, name)
        body = bootstrap_template(project).read_text(encoding="utf-8")
        create_stack(destination.target, name, body, {**PARAMETERS, "Qualifier": qualifier})


def _status(destination: Destination, name: str) -> str | None:
    found = stack(destination.target, name)
    return None if found is None else found.status


class FileAsset(Struct, frozen=True):
    """A file that stacks refer to, and where CDK's templates expect it."""

    path: Path
    bucket: str
    key: str


def publish_files(assembly: Path, destination: Destination) -> None:
    """Puts the files of an assembly where the CDK command then finds them. Folders are left to it: it packs them."""
    for asset in file_assets(assembly):
        put_file(destination.target, asset.bucket, asset.key, asset.path)


def file_assets(assembly: Path) -> Iterator[FileAsset]:
    """Yields the assets that are published as they are, by the manifests that CDK writes next to the templates."""
    for manifest in sorted(assembly.glob("*.assets.json")):
        for asset in json.loads(manifest.read_text(encoding="utf-8"))["files"].values():
            if asset["source"].get("packaging", "file") == "file":
                for place in asset["destinations"].values():
                    yield FileAsset(assembly / asset["source"]["path"], place["bucketName"], place["objectKey"])
