"""A script as a file of the cloud assembly, which CDK uploads to the bootstrap bucket under its digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import aws_cdk as cdk

from stacks.environment_stack import EnvironmentStack


@dataclass(frozen=True, slots=True)
class ScriptAsset:
    """``key`` is that of the object in the bucket of assets; both may be tokens."""

    bucket: str
    key: str
    url: str
    """``s3://`` with bucket and key."""
    digest: str
    """SHA-256 of the script in hexadecimal digits."""


def script_asset(stack: EnvironmentStack, script: str, display_name: str) -> ScriptAsset:
    """A file of the assembly; CDK has assets of folders and files that exist alone."""
    text = script.encode()
    digest = hashlib.sha256(text).hexdigest()
    name = f"asset.{digest}.sh"
    stage = cdk.Stage.of(stack)
    if stage is None:
        raise RuntimeError("a stack is in an app")
    (Path(stage.outdir) / name).write_bytes(text)
    location = stack.synthesizer.add_file_asset(
        source_hash=digest, file_name=name, packaging=cdk.FileAssetPackaging.FILE, display_name=display_name
    )
    return ScriptAsset(location.bucket_name, location.object_key, location.s3_object_url, digest)
