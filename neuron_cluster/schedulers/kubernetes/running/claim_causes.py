"""A PersistentVolumeClaim of the release is missing or not bound."""

from __future__ import annotations

from collections.abc import Iterator

from local_kubernetes.model.fields import at, text
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage
from neuron_cluster.schedulers.kubernetes.running.cluster_state import Object, created_at, name_of, namespace_of
from neuron_cluster.schedulers.kubernetes.running.situation import Situation, event_words, last_seen

REASONS = ("ProvisioningFailed", "FailedBinding", "VolumeMismatch", "ClaimLost", "ExternalProvisioning")
WAITS = "WaitForFirstConsumer"
ADD_CLAIM = "install the release with a claim that exists, or add the storage to the environment file and deploy"


def claim_causes(situation: Situation) -> Iterator[Cause]:
    release, state, here = situation.release, situation.state, situation.here
    for name in release.claims if state.may_read("persistentvolumeclaims") else ():
        claim = _claim(situation, name)
        if claim is None:
            known = ", ".join(
                name_of(body)
                for body in state.of_kind("PersistentVolumeClaim")
                if namespace_of(body) == release.namespace
            )
            yield Cause(
                stage=Stage.CLAIM,
                about=f"PersistentVolumeClaim {name}",
                seen="it does not exist",
                means=f"namespace {release.namespace} has no claim {name} (it has: {known or 'none'})",
                do=(ADD_CLAIM,),
            )
        elif at(claim, "status", "phase") != "Bound" and not _waits_for_a_pod(claim, situation):
            event = _event(situation, name, *REASONS)
            phase = text(at(claim, "status", "phase")) or "Pending"
            yield Cause(
                stage=Stage.CLAIM,
                about=f"PersistentVolumeClaim {name}",
                seen=f"phase {phase}" + (f"; {event_words(event)}" if event is not None else ""),
                means="the claim has no volume: pods that mount it stay Pending",
                do=(f"`{here} describe pvc {name}`", f"see the volumes: `{situation.kubectl} get pv,sc`"),
                since=last_seen(event) if event is not None else created_at(claim),
            )


def _claim(situation: Situation, name: str) -> Object | None:
    namespace = situation.release.namespace
    claims = situation.state.of_kind("PersistentVolumeClaim")
    return next((body for body in claims if name_of(body) == name and namespace_of(body) == namespace), None)


def _waits_for_a_pod(claim: Object, situation: Situation) -> bool:
    """Returns whether the claim is of a class that binds when a pod is placed, which is not a cause."""
    return _event(situation, name_of(claim), WAITS) is not None and not _event(situation, name_of(claim), *REASONS)


def _event(situation: Situation, claim: str, *reasons: str) -> Object | None:
    events = (event for event in situation.state.of_kind("Event") if event.get("reason") in reasons)
    about = (event for event in events if at(event, "involvedObject", "kind") == "PersistentVolumeClaim")
    return next((event for event in about if at(event, "involvedObject", "name") == claim), None)
