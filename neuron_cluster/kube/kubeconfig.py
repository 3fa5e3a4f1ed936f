"""Reads a kubeconfig: the cluster of a context."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from local_kubernetes.model.yaml_reader import yaml_document
from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.errors import ToolkitError


class ContextCluster(Struct, frozen=True):
    """The cluster of a context, and what identifies it."""

    context: str
    cluster: str
    """The entry's name: the cluster's ARN when the AWS CLI wrote it."""
    login: tuple[str, ...]
    """Arguments of the context user's exec credential plugin; empty for another login."""

    def login_option(self, name: str) -> str | None:
        """The value of an option of the login, such as ``--cluster-name``."""
        for position, argument in enumerate(self.login):
            if argument == name:
                return next(iter(self.login[position + 1 :]), None)
            if argument.startswith(f"{name}="):
                return argument.partition("=")[2]
        return None


def context_cluster(files: Sequence[Path], context: str, command: str) -> ContextCluster:
    """The context in the files; the first entry of a name is used, as by kubectl. ``command`` adds one.

    A missing file is ignored where there are several. Raises ``ToolkitError`` for one that cannot be read, where none
    exists, and for a context that none of them has.
    """
    documents = [_document(file) for file in files if file.exists()]
    shown = ", ".join(str(file) for file in files)
    if not documents:
        raise ToolkitError(f"there is no kubeconfig {shown}", hint=f"`{command}` creates one")
    found = next((body for name, body in _entries(documents, "contexts", "context") if name == context), None)
    if found is None:
        known = ", ".join(dict.fromkeys(name for name, _ in _entries(documents, "contexts", "context"))) or "none"
        hint = f"its contexts: {known}; `{command}` adds one"
        raise ToolkitError(f"{shown} has no context {context}", hint=hint)
    user = next((body for name, body in _entries(documents, "users", "user") if name == found.get("user")), {})
    login = user.get("exec") or {}
    arguments = (login.get("args") if isinstance(login, Mapping) else None) or []
    if not isinstance(arguments, list):
        raise ToolkitError(f"{shown}: exec.args of the user of context {context} is not a list")
    return ContextCluster(context, str(found.get("cluster", "")), tuple(str(each) for each in arguments))


def default_kubeconfigs() -> Sequence[Path]:
    """Returns the files of the variable KUBECONFIG, else the one in the home directory, as kubectl looks for them."""
    named = [Path(file) for file in os.environ.get("KUBECONFIG", "").split(os.pathsep) if file]
    return named or [Path.home() / ".kube" / "config"]


def _entries(documents: Sequence[Mapping[str, Any]], key: str, body: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for document in documents:
        for entry in document.get(key) or ():
            if isinstance(entry, Mapping) and isinstance(entry.get(body), Mapping):
                yield str(entry.get("name", "")), entry[body]


def _document(file: Path) -> Mapping[str, Any]:
    try:
        read = yaml_document(read_bounded(file).decode())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ToolkitError(f"{file} cannot be read as a kubeconfig: {reason}") from error
    if not isinstance(read, Mapping):
        raise ToolkitError(f"{file} is not a kubeconfig", hint="pass one with --kubeconfig FILE")
    for key in ("contexts", "users"):
        if not isinstance(read.get(key) or [], list):
            raise ToolkitError(f"{file} is not a kubeconfig: {key} is not a list")
    return read
