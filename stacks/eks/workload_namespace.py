"""A namespace for workloads: made, or labelled where Kubernetes makes it."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from constructs import Construct

from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from stacks.eks.service_timeout import bound_service_timeout


def workload_namespace(scope: Construct, plan: WorkloadNamespacePlan, *, cluster: eks.ICluster) -> Construct:
    """Never deleted by CloudFormation: with a namespace go its claims and their volumes, and labels that are taken off
    would open it. Both stay in the cluster until a user deletes them there, or the cluster is deleted."""
    metadata = {"name": plan.name, "labels": dict(plan.labels)}
    if plan.is_made:
        made = eks.KubernetesManifest(
            scope,
            f"Namespace {plan.name}",
            cluster=cluster,
            manifest=[{"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}],
            overwrite=True,
            prune=False,
            removal_policy=cdk.RemovalPolicy.RETAIN,
        )
        bound_service_timeout(made)
        return made
    patch = {"metadata": {"labels": dict(plan.labels)}}
    labelled = eks.KubernetesPatch(
        scope,
        f"PodSecurity {plan.name}",
        cluster=cluster,
        resource_name=f"namespace/{plan.name}",
        patch_type=eks.PatchType.MERGE,
        apply_patch=patch,
        restore_patch=patch,  # for the function, which wants one; it gets no event of a deletion
        removal_policy=cdk.RemovalPolicy.RETAIN,
    )
    bound_service_timeout(labelled)
    return labelled
