"""Rows of a namespace for workloads, wherever the file lists it."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect


def namespace_rows(namespaces: str) -> tuple[ChangeRow, ...]:
    """``namespaces`` is the path of a namespace: ``teams[].namespaces[]``."""
    return (
        ChangeRow(
            f"{namespaces}.queue",
            FieldEffect.DISPOSABLE,
            "LocalQueues of the namespace are created or deleted, and ClusterQueues change in place. Jobs that wait "
            "in a deleted one are no longer admitted; those that run continue.",
        ),
        ChangeRow(
            f"{namespaces}.claims",
            FieldEffect.IN_PLACE,
            "A PersistentVolume and its claim are made. What is taken out stays in the cluster, and pods that mount it "
            "run on: `kubectl delete pvc CLAIM --namespace NAME`, then `kubectl delete pv` of its volume, delete no "
            "file.",
        ),
        ChangeRow(
            f"{namespaces}.service_accounts",
            FieldEffect.DISPOSABLE,
            "Service accounts are created or deleted; pods that run keep their token; new ones that name "
            "a deleted one are rejected.",
        ),
        ChangeRow(
            f"{namespaces}.bucket_access",
            FieldEffect.DISPOSABLE,
            "Roles are created or deleted, with the associations and service accounts that have them. Pods with a "
            "deleted role lose access when their credentials expire. No object changes.",
        ),
        ChangeRow(
            f"{namespaces}.bucket_access[].service_account",
            FieldEffect.DISPOSABLE,
            "A role for the new account is created, and that of the old one deleted.",
        ),
        ChangeRow(
            f"{namespaces}.bucket_access[].access",
            FieldEffect.IN_PLACE,
            "The policy of the role changes, also for running pods.",
        ),
        ChangeRow(
            f"{namespaces}.bucket_access[].job",
            FieldEffect.IN_PLACE,
            "The policy of the role changes to another prefix, also for running pods. Objects stay where they are.",
        ),
        ChangeRow(
            f"{namespaces}.name",
            FieldEffect.DISPOSABLE,
            "A namespace of the new name is made, empty; the old one stays in the cluster as it is.",
        ),
        ChangeRow(
            f"{namespaces}.pod_security",
            FieldEffect.IN_PLACE,
            "Labels of the namespace change. Pods that run stay; the API server rejects new ones that violate the "
            "level.",
        ),
    )
