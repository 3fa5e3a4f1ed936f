"""Folders that the programs of a container write, and whether the pod lets them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from local_kubernetes.model.fields import at, items, text
from local_kubernetes.model.pod_templates import PodTemplate
from neuron_cluster.catalog.program_need import ProgramNeed
from neuron_cluster.schedulers.kubernetes.workloads.programs.needs import variables_of, words_of

ROOT, IMAGE_USER = 0, 1000
"""User 1000 has a home in the images of the catalog: the READMEs of the charts name the Dockerfiles."""
OPEN_TO_ALL = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - folders of an image that every user may write
NOT_WRITABLE = ("configMap", "secret", "projected", "downwardAPI", "image")
CLAIM = "persistentVolumeClaim"
HOME, WORKING_DIRECTORY, MODEL = "~", ".", "<model>"
UNKNOWN = "the image's own working directory"


def written_folder(need: ProgramNeed, body: Mapping[str, Any]) -> str | None:
    """Where it writes; ``UNKNOWN`` without a working directory, None where it writes nothing or to S3."""
    variables, words = variables_of(body), words_of(body)
    named = next((variables[name] for name in need.variables if variables.get(name)), None)
    if named is None and need.option:
        named = _value_of(need.option, words)
    folder = named if named is not None else need.writes
    if not folder or "://" in folder or folder.startswith("$("):
        return None
    if folder.startswith(MODEL):
        folder = (_model(words) or "") + folder.removeprefix(MODEL)
    if folder.startswith(HOME) and variables.get("HOME"):
        folder = variables["HOME"] + folder.removeprefix(HOME)
    if not folder.startswith(("/", HOME)):
        start = text(body.get("workingDir"))
        return UNKNOWN if start is None else str(PurePosixPath(start, folder))
    return folder


def why_not_writable(folder: str, body: Mapping[str, Any], template: PodTemplate) -> str | None:
    """Why the container cannot write there, or None."""
    mount = _mount_of(folder, body)
    if mount is None:
        return _in_image(folder, body, template)
    where = f"the volume {at(mount, 'name')} at {at(mount, 'mountPath')}"
    if at(mount, "readOnly") is True:
        return f"{where} is mounted read-only"
    volume, kind = _volume_of(mount, template)
    if kind in NOT_WRITABLE or at(volume, kind, "readOnly") is True:
        return f"{where} is read-only ({kind})"
    return None


def why_not_of_the_node(folder: str, body: Mapping[str, Any], template: PodTemplate) -> str | None:
    """Why the folder may be on a file system that other nodes mount too, or None."""
    mount = _mount_of(folder, body)
    kind = _volume_of(mount, template)[1] if mount is not None else ""
    return f"the volume {at(mount, 'name')} may be no disk of the node ({kind})" if kind == CLAIM else None


def user_of(body: Mapping[str, Any], template: PodTemplate) -> int | None:
    """The user of the container; None where only its image names one."""
    own = at(body, "securityContext", "runAsUser")
    user = own if own is not None else at(template.spec, "securityContext", "runAsUser")
    return user if isinstance(user, int) else None


def _in_image(folder: str, body: Mapping[str, Any], template: PodTemplate) -> str | None:
    user = user_of(body, template)
    if at(body, "securityContext", "readOnlyRootFilesystem") is True:
        return "no volume is mounted there, and the root file system is read-only"
    is_home = folder.startswith(HOME) and user == IMAGE_USER
    is_open = any(f"{folder}/".startswith(f"{each}/") for each in OPEN_TO_ALL)
    if user in (None, ROOT) or is_home or is_open:
        return None
    return f"no volume is mounted there, and user {user} may not write to that folder of the image"


def _mount_of(folder: str, body: Mapping[str, Any]) -> Any:
    mounts = [
        each
        for each in items(body.get("volumeMounts"))
        if f"{folder}/".startswith(f"{(text(at(each, 'mountPath')) or '?').rstrip('/')}/")
    ]
    return max(mounts, key=lambda each: len(at(each, "mountPath")), default=None)


def _volume_of(mount: Any, template: PodTemplate) -> tuple[Any, str]:
    """The volume of a mount, and its kind; an empty kind for one that does not exist."""
    named = (each for each in items(at(template.spec, "volumes")) if at(each, "name") == at(mount, "name"))
    volume: Mapping[str, Any] = next(named, {})
    return volume, next((each for each in volume if each != "name"), "")


def _model(words: list[str]) -> str | None:
    after = dict(pairwise(words))
    return _value_of("--model", words) or after.get("serve")


def _value_of(option: str, words: list[str]) -> str | None:
    """Returns the value of ``--option=value`` or ``--option value``; None where there is none."""
    after = dict(pairwise(words))
    joined = next((word.partition("=")[2] for word in words if word.startswith(f"{option}=")), None)
    return joined if joined is not None else after.get(option)
