"""S3 by the AWS CLI of the image, which has credentials from EKS Pod Identity or IRSA."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manifest import MANIFEST, File, read
from problem import FULL, NO_ACCESS, NO_INPUT, USAGE, Interrupted, Problem

AWS = "aws"
DENIED = ("AccessDenied", "(403)", "Unable to locate credentials", "InvalidAccessKeyId", "ExpiredToken")
ABSENT = ("(404)", "NoSuchKey", "NoSuchBucket", "Not Found")
"""What the AWS CLI prints of errors (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html)."""


class Bucket:
    """A prefix of a bucket: ``s3://bucket/prefix``."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.name, _, self._prefix = self.url.removeprefix("s3://").partition("/")

    def key(self, path: str) -> str:
        """The key of a file below the prefix."""
        return f"{self._prefix}/{path}" if self._prefix else path

    def text(self, path: str) -> str | None:
        """The content of a small object; None where there is none."""
        try:
            return _aws("s3", "cp", "--only-show-errors", f"{self.url}/{path}", "-")
        except Problem as problem:
            if problem.code == NO_INPUT:
                return None
            raise

    def put_text(self, path: str, text: str) -> None:
        _aws("s3", "cp", "--only-show-errors", "-", f"{self.url}/{path}", text=text)

    def download(self, path: str, to: Path) -> None:
        _aws("s3", "cp", "--only-show-errors", f"{self.url}/{path}", str(to))

    def upload(self, source: Path, path: str, metadata: Mapping[str, str]) -> None:
        listed = ",".join(f"{key}={value}" for key, value in metadata.items())
        _aws("s3", "cp", "--only-show-errors", "--metadata", listed, str(source), f"{self.url}/{path}")

    def head(self, path: str) -> Mapping[str, Any] | None:
        """Size and metadata of an object; None where there is none."""
        try:
            found = json.loads(_aws("s3api", "head-object", "--bucket", self.name, "--key", self.key(path)))
        except Problem as problem:
            if problem.code == NO_INPUT:
                return None
            raise
        return {"size": found["ContentLength"], **found.get("Metadata", {})}

    def objects(self) -> dict[str, int]:
        """Size by path below the prefix."""
        start = self.key("")
        answer = _aws("s3api", "list-objects-v2", "--bucket", self.name, "--prefix", start, "--output", "json")
        rows = (json.loads(answer) if answer.strip() else {}).get("Contents") or []
        return {row["Key"].removeprefix(start): row["Size"] for row in rows if not row["Key"].endswith("/")}


class BucketSource:
    """Files of a prefix; with the digests of its manifest, if a model-store wrote it."""

    def __init__(self, url: str) -> None:
        self._bucket = Bucket(url)
        self._manifest: dict[str, Any] | None = None

    @property
    def origin(self) -> dict[str, Any] | None:
        """What a manifest says of the copy. Objects can change, so that it does not say that they are the same."""
        return {"source": "s3", "url": self._bucket.url}

    def files(self) -> list[File]:
        objects = self._bucket.objects()
        if not objects:
            raise Problem(f"{self._bucket.url}/ has no objects: check download.url", NO_INPUT)
        self._manifest = read(self._bucket.text(MANIFEST)) if MANIFEST in objects else None
        if self._manifest is None:
            return [File(path, size, "") for path, size in objects.items()]
        return [File(row["path"], row["size"], f"sha256:{row['sha256']}") for row in self._manifest["files"]]

    def read(self, file: File, part: Path) -> None:
        """The AWS CLI begins a file again: resumed is by file."""
        part.unlink(missing_ok=True)
        self._bucket.download(file.path, part)


def _aws(*arguments: str, text: str | None = None) -> str:
    """Standard output of the command."""
    try:
        command = [AWS, *arguments]
        ran = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False)
    except FileNotFoundError as error:
        raise Problem("the image has no AWS CLI, which this chart needs for S3: use a Neuron image", USAGE) from error
    if ran.returncode == 0:
        return ran.stdout
    where = next((each for each in arguments if each.startswith("s3://")), "S3")
    said = next(iter(reversed(ran.stderr.strip().splitlines())), f"exit code {ran.returncode}")
    if "No space left on device" in ran.stderr:
        raise Problem(f"no space left for {where}: raise machine.scratchGib, or use a larger volume", FULL)
    if any(sign in ran.stderr for sign in DENIED):
        how = "the role of the service account needs s3:ListBucket, s3:GetObject and, to write, s3:PutObject"
        raise Problem(f"{where}: {said}: {how}", NO_ACCESS)
    if any(sign in ran.stderr for sign in ABSENT):
        raise Problem(f"{where}: {said}", NO_INPUT)
    raise Interrupted(f"{where}: {said}")
