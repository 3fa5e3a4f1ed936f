"""Models and datasets of the Hugging Face Hub, or of a mirror with its HTTP API.

Sources: huggingface/huggingface_hub@ee0a451 src/huggingface_hub: hf_api.py (model_info with files_metadata: sha,
siblings with rfilename, size, blobId, lfs.sha256), constants.py (address of a file), utils/_http.py (X-Error-Code,
RateLimit).
"""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from email.message import Message
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlsplit

from manifest import BLOCK, File
from problem import NO_ACCESS, NO_INPUT, USAGE, Interrupted, Problem, writing_failed

TIMEOUT_SECONDS = 60.0
COMMIT = re.compile(r"[0-9a-f]{40}")
WAIT = re.compile(r"\bt=(\d+)")
"""Seconds until a rate limit is over, in the header RateLimit."""
BROKEN = (OSError, http.client.HTTPException)


class SameHostToken(urllib.request.HTTPRedirectHandler):
    """The Hub redirects to hosts of its storage, which must not get the token."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        again = super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
        if again is not None and urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            again.remove_header("Authorization")
        return again


class Hub:
    """One repository at one revision."""

    def __init__(self, spec: Mapping[str, Any], token: str | None, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._endpoint = spec["endpoint"].rstrip("/")
        self._repository, self._revision = spec["repository"], spec["revision"]
        self._kind = spec["repositoryType"]
        self._token, self._timeout = token, timeout_seconds
        self._opener = urllib.request.build_opener(SameHostToken())
        self._commit = self._revision if COMMIT.fullmatch(self._revision) else None

    @property
    def origin(self) -> dict[str, str] | None:
        """What a manifest says; None as long as the commit is not known."""
        if self._commit is None:
            return None
        return {"source": "huggingface", "type": self._kind, "repository": self._repository, "revision": self._commit}

    def files(self) -> list[File]:
        """All files, with the digest that the Hub has of each. Pins the commit of a branch or tag."""
        name, revision = quote(self._repository), quote(self._revision, safe="")
        address = f"{self._endpoint}/api/{self._kind}s/{name}/revision/{revision}?blobs=true"
        try:
            with self._open(address) as response:
                answer = json.load(response)
            self._commit = answer["sha"]
            return [_file(sibling) for sibling in answer["siblings"]]
        except (ValueError, KeyError, TypeError) as error:
            lacks = "did not return the files with their sizes and digests: it is no API of the Hub, or a part of it"
            raise Problem(f"{address} {lacks}", USAGE) from error
        except BROKEN as error:
            raise Interrupted(f"{address}: {error}") from error

    def read(self, file: File, part: Path) -> None:
        """Appends to ``part`` what it lacks. Raises ``Interrupted`` when the connection ends before."""
        prefix = "datasets/" if self._kind == "dataset" else ""
        address = f"{self._endpoint}/{prefix}{quote(self._repository)}/resolve/{self._commit}/{quote(file.path)}"
        have = part.stat().st_size if part.exists() else 0
        with self._open(address, start=have) as response:
            # A server without ranges sends the whole file.
            continues = response.status == http.HTTPStatus.PARTIAL_CONTENT
            _copy(response, part, "ab" if continues else "wb", file)

    def _open(self, address: str, start: int = 0) -> http.client.HTTPResponse:
        # The chart's schema allows http and https alone.
        request = urllib.request.Request(address, headers={"User-Agent": "neuron-cluster-model-store"})  # noqa: S310
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        if start:
            request.add_header("Range", f"bytes={start}-")
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error, address) from error
        except BROKEN as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            how = "without a route to the internet set download.endpoint to a mirror"
            raise Interrupted(f"{address} is not reachable ({reason}): {how}") from error
        return response

    def _refused(self, error: urllib.error.HTTPError, address: str) -> Problem:
        if error.code == http.HTTPStatus.TOO_MANY_REQUESTS or error.code >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
            return Interrupted(f"{address}: HTTP {error.code}", _seconds(error.headers))
        code, name = error.headers.get("X-Error-Code", ""), f"{self._kind} {self._repository}"
        if code == "GatedRepo" or error.code in (http.HTTPStatus.UNAUTHORIZED, http.HTTPStatus.FORBIDDEN):
            return self._no_access(name, error.code, is_gated=code == "GatedRepo")
        if code == "RevisionNotFound":
            how = "set download.revision to a branch, tag or commit of it"
            return Problem(f"{name} has no revision {self._revision}: {how}", NO_INPUT)
        if error.code == http.HTTPStatus.NOT_FOUND:
            return Problem(f"{address} does not exist: check download.repository and repositoryType", NO_INPUT)
        return Problem(f"{address}: HTTP {error.code}", USAGE)

    def _no_access(self, name: str, status: int, *, is_gated: bool) -> Problem:
        if is_gated:
            who = "the account of the token" if self._token else "this pod, which has no token,"
            how = "accept its terms on the page of the model, and give a token of that account by download.tokenSecret"
            return Problem(f"{name} is gated, and {who} has no access: {how}", NO_ACCESS)
        token = "the token has no access to it" if self._token else "without a token it cannot be read"
        how = "check download.repository, and the Secret of download.tokenSecret"
        return Problem(f"{name} does not exist, or {token} (HTTP {status}): {how}", NO_ACCESS)


def _file(sibling: Mapping[str, Any]) -> File:
    if lfs := sibling.get("lfs"):
        return File(sibling["rfilename"], int(lfs["size"]), f"sha256:{lfs['sha256']}")
    return File(sibling["rfilename"], int(sibling["size"]), f"git:{sibling['blobId']}")


def _seconds(headers: Message) -> float:
    """How long the server wants us to wait: Retry-After, or the rest of the window of its rate limit."""
    retry_after = headers.get("Retry-After", "")
    if retry_after.isdecimal():
        return float(retry_after)
    limit = WAIT.search(headers.get("RateLimit", ""))
    return float(limit[1]) if limit else 0.0


def _copy(response: http.client.HTTPResponse, part: Path, mode: str, file: File) -> None:
    try:
        stream = part.open(mode)
    except OSError as error:
        raise writing_failed(error, part.parent) from error
    with stream:
        while True:
            try:
                block = response.read(BLOCK)
            except BROKEN as error:
                raise Interrupted(f"{file.path}: the connection broke at byte {stream.tell()} ({error})") from error
            if not block:
                break
            try:
                stream.write(block)
                stream.flush()
            except OSError as error:
                raise writing_failed(error, part.parent) from error
        if stream.tell() < file.size:
            raise Interrupted(f"{file.path}: the connection ended at byte {stream.tell()} of {file.size}")
