"""CDK's kubectl function as it was published to the local AWS: its code, and helm from its layers."""

from __future__ import annotations

import atexit
import compileall
import contextlib
import fcntl
import functools
import hashlib
import io
import os
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from local_aws.custom_resources.event import CustomResourceFailed
from local_aws.custom_resources.functions import published_code
from local_aws.engine.provider import ResourceContext
from local_aws.knowledge.current import KUBECTL_FUNCTION, knowledge
from local_aws.unpacked_zip import NotAsExpected, require_members, unpack_once

USER_FUNCTION_VARIABLE = "USER_ON_EVENT_FUNCTION_ARN"
"""Where CDK's provider framework keeps the function it calls (aws-cdk-lib, custom-resources/lib/provider-framework)."""
HELM_IN_LAYER = "helm/helm"
"""The path that becomes ``/opt/helm/helm`` in the Lambda (lambda-layer-kubectl packages)."""


class KubectlFunction(Struct, frozen=True):
    """The function that does a custom resource's work."""

    name: str
    code_folder: Path
    layers: tuple[str, ...]
    """ARNs of its layer versions."""


class PublishedLambdas:
    """Finds functions behind service tokens and unpacks what they need, once per content."""

    def __init__(self, folder: Path, known_code: Sequence[Mapping[str, str]] | None = None) -> None:
        """``known_code`` are the digests of the files of each function that is run; without it CDK's kubectl function.

        The folder belongs to this process alone: what it has unpacked there stays what it was.
        """
        self._folder = folder
        self._lock = threading.Lock()
        self._known_code = known_code or (knowledge().published_code[KUBECTL_FUNCTION].files,)
        self._unpacked: dict[str, Path] = {}

    def kubectl_function(self, context: ResourceContext, service_token: str) -> KubectlFunction:
        """The function behind a service token.

        Raises ``CustomResourceFailed`` when it is not CDK's kubectl function, ``ClientError`` when there is none.
        """
        client = context.client("lambda")
        framework = client.get_function_configuration(FunctionName=service_token)
        user_function = framework.get("Environment", {}).get("Variables", {}).get(USER_FUNCTION_VARIABLE)
        if user_function is None:
            raise CustomResourceFailed(_message_without_code(context, framework["FunctionName"]))
        configuration = client.get_function_configuration(FunctionName=user_function)
        name: str = configuration["FunctionName"]
        function = published_code(context.account, context.region).get_function(user_function)
        code_folder = self._code(function, _message_without_code(context, name))
        layers = tuple(layer["Arn"] for layer in configuration.get("Layers", ()))
        return KubectlFunction(name, code_folder, layers)

    def helm(self, context: ResourceContext, function: KubectlFunction) -> Path:
        """The helm binary of the function's layers.

        Raises ``CustomResourceFailed`` when no layer holds one, or another than an installed kubectl layer has.
        """
        for arn in function.layers:
            layer = published_code(context.account, context.region).layers_versions_by_arn(arn)
            found = self._program(layer)
            if found is not None:
                return found / HELM_IN_LAYER
        raise CustomResourceFailed(
            f"no layer of the function {function.name} holds the {HELM_IN_LAYER} of a kubectl layer that is known here "
            f"({_known_layers()}): the local AWS runs no other program"
        )

    def _code(self, function: Any, refusal: str) -> Path:
        with self._lock:
            if function.code_digest not in self._unpacked:
                try:
                    self._unpacked[function.code_digest] = self._unpacked_code(function)
                except (zipfile.BadZipFile, KeyError, NotAsExpected) as error:
                    raise CustomResourceFailed(refusal) from error
            return self._unpacked[function.code_digest]

    def _unpacked_code(self, function: Any) -> Path:
        with zipfile.ZipFile(io.BytesIO(function.code_bytes)) as archive:
            names = {name for name in archive.namelist() if not name.endswith("/")}
            known = next((files for files in self._known_code if files.keys() == names and _has(archive, files)), None)
            if known is None:
                raise NotAsExpected("code of somebody's own")
            folder = unpack_once(archive, self._folder / function.code_digest, known)
        compileall.compile_dir(folder, quiet=2)  # each event imports it, and writes nothing there
        return folder

    def _program(self, layer: Any) -> Path | None:
        with _lock_of_programs:
            if layer.code_digest not in _programs:
                with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(layer.code_bytes)) as archive:
                    if (found := _unpacked_helm(archive, layer.code_digest)) is not None:
                        _programs[layer.code_digest] = found
            return _programs.get(layer.code_digest)


HELD = ".held"
"""The file that says that a folder is in use, by its lock."""
_lock_of_programs = threading.Lock()
_programs: dict[str, Path] = {}
"""Programs by digest of a layer: 60 MB each, so that every local AWS of this process runs the same."""


@functools.cache
def folder_of_programs() -> Path:
    """Where the helm of each layer is unpacked once; it goes with this process.

    Later commands remove folders of this name that no process holds, such as that of one that was killed
    (``deploy/work_folder.py``): the lock lasts as long as this process.
    """
    folder = Path(tempfile.mkdtemp(prefix="neuron-cluster-programs-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    lock = os.open(folder / HELD, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(lock, fcntl.LOCK_EX)
    return folder


def _unpacked_helm(archive: zipfile.ZipFile, code_digest: str) -> Path | None:
    if HELM_IN_LAYER not in archive.namelist():
        return None
    digests = (row.files.get(HELM_IN_LAYER) for row in knowledge().published_code.values())
    for digest in dict.fromkeys(filter(None, digests)):
        with contextlib.suppress(NotAsExpected):
            name = hashlib.sha256(code_digest.encode()).hexdigest()
            return unpack_once(archive, folder_of_programs() / name, {HELM_IN_LAYER: digest})
    return None


def _has(archive: zipfile.ZipFile, files: Mapping[str, str]) -> bool:
    try:
        require_members(archive, files)
    except NotAsExpected:
        return False
    return True


def _known_layers() -> str:
    layers = (row for row in knowledge().published_code.values() if HELM_IN_LAYER in row.files)
    return ", ".join(f"{row.name} {row.package_version}" for row in layers)


def _message_without_code(context: ResourceContext, function: str) -> str:
    known = knowledge().published_code[KUBECTL_FUNCTION]
    return (
        f"{context.resource_type} is served by the function {function}, which is not CDK's kubectl function "
        f"of {known.name} {known.package_version}: the local AWS runs no other code"
    )
