"""Steps that stop a release so that no controller starts it again, and the time that its pods may take to end."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, items, text, whole_number
from local_kubernetes.model.objects import labels_of
from neuron_cluster.schedulers.kubernetes.running.cluster_state import Object, holds, name_of, owners_of
from neuron_cluster.schedulers.kubernetes.running.controller_kind import (
    PAUSED,
    REPLICAS_ANNOTATION,
    is_finished,
    is_stopped,
    kind_of,
)
from neuron_cluster.schedulers.kubernetes.running.queue_causes import KUEUE_GROUP
from neuron_cluster.schedulers.kubernetes.running.release import INSTANCE_LABEL, Release
from neuron_cluster.schedulers.kubernetes.running.situation import Situation, is_active

DEFAULT_GRACE_SECONDS, SPARE_SECONDS = 30, 60
CHECKPOINTS = "CHECKPOINT_DIRECTORY"
"""The variable of neuron-training with the folder of checkpoints; not set without a claim."""


class Patch(Struct, frozen=True):
    """One merge patch of an object in the namespace of the release, and the one that undoes it."""

    resource: str
    name: str
    body: dict[str, Any]
    undo: dict[str, Any]

    def command(self, here: str) -> str:
        """The same as a command for the user."""
        return self._command(here, self.body)

    def undo_command(self, here: str) -> str:
        return self._command(here, self.undo)

    def _command(self, here: str, body: dict[str, Any]) -> str:
        patch = shlex.quote(json.dumps(body))
        return f"{here} patch {self.resource} {self.name} --type merge --patch {patch}"


def stop_patches(situation: Situation) -> list[Patch]:
    """In this order: what would start pods again comes before what has them."""
    release = situation.release
    patches = [*_autoscalers(situation)]
    for body in release.controllers:
        if is_finished(body):
            continue
        if body.get("kind") == "CronJob":
            own = [job for job in release.jobs if ("CronJob", name_of(body)) in owners_of(job) and not is_finished(job)]
            patches += [] if is_stopped(body) else [_patch(body)]
            patches += [patch for job in own for patch in _job_patches(job, situation)]
        else:
            patches += _job_patches(body, situation)
    return patches


def active_pods(release: Release) -> list[Object]:
    return [pod for pod in release.pods if is_active(pod)]


def grace_seconds(release: Release) -> int:
    """How long the pods may take: the longest grace period, and a minute."""
    graces = (whole_number(at(pod, "spec", "terminationGracePeriodSeconds")) for pod in active_pods(release))
    return max((DEFAULT_GRACE_SECONDS if each is None else each for each in graces), default=0) + SPARE_SECONDS


def checkpoint_folder(release: Release) -> str | None:
    """The folder that the pods of a training save to; None where they have none."""
    containers = (each for template in release.templates for each in items(at(template.spec, "containers")))
    variables = (variable for container in containers for variable in items(at(container, "env")))
    return next((text(at(each, "value")) for each in variables if at(each, "name") == CHECKPOINTS), None)


def _job_patches(body: Object, situation: Situation) -> list[Patch]:
    """Kueue starts again what is only suspended: its Workload is deactivated instead."""
    kind = kind_of(body)
    own = [each for each in situation.release.workloads if (body.get("kind"), name_of(body)) in owners_of(each)]
    if own and not kind.is_server:
        active = [each for each in own if at(each, "spec", "active") is not False and not holds(each, "Finished")]
        return [_deactivation(name_of(each)) for each in active]
    return [] if is_stopped(body) else [_patch(body)]


def _deactivation(workload: str) -> Patch:
    bodies = ({"spec": {"active": is_active}} for is_active in (False, True))
    return Patch(f"workloads.{KUEUE_GROUP}", workload, *bodies)


def _patch(body: Object) -> Patch:
    kind = kind_of(body)
    patch, undo = kind.stop_patch(), kind.start_patch(body)
    if kind.is_server:
        replicas = whole_number(at(body, *kind.stop_path))
        before = 1 if replicas is None else replicas
        patch["metadata"] = {"annotations": {REPLICAS_ANNOTATION: str(before)}}
        undo = kind.start_patch(body, before)
    return Patch(kind.resource, name_of(body), patch, undo)


def _autoscalers(situation: Situation) -> Iterator[Patch]:
    instances = {labels_of(body).get(INSTANCE_LABEL) for body in situation.release.controllers}
    for body in situation.state.of_kind("ScaledObject"):
        annotations = at(body, "metadata", "annotations") or {}
        if labels_of(body).get(INSTANCE_LABEL) in instances and annotations.get(PAUSED) != "0":
            pause, resume = ({"metadata": {"annotations": {PAUSED: value}}} for value in ("0", None))
            yield Patch("scaledobjects.keda.sh", name_of(body), pause, resume)
