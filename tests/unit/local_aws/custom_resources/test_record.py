"""Recorded contents of a cluster, from the requests to it."""

from __future__ import annotations

from local_aws.contract import Store
from local_aws.custom_resources.kubernetes_state import state_of
from local_aws.custom_resources.record import TABLE, known_objects, recorded

SETTINGS = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": "team-a"}}
DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "server"}}
CHART = {"kind": "chart", "cluster": "train", "namespace": "neuron", "create_namespace": True, "rendered": [SETTINGS]}
MANIFEST = {"kind": "manifest", "cluster": "train", "objects": [DEPLOYMENT]}
OTHER = {"kind": "manifest", "cluster": "other", "objects": [{**SETTINGS, "kind": "Secret"}]}


def store() -> Store:
    made = Store()
    made.table("123456789012", "us-west-2", TABLE).update({"1": CHART, "2": MANIFEST, "3": OTHER})
    for row in (MANIFEST, OTHER):
        for each in row["objects"]:
            state_of(made, "123456789012", "us-west-2", row["cluster"]).put(each)
    return made


def test_a_cluster_has_its_rendered_objects_manifests_and_created_namespaces():
    known = set(known_objects(store(), "123456789012", "us-west-2", "train"))
    assert ("", "ConfigMap", "team-a", "settings") in known
    assert ("apps", "Deployment", "default", "server") in known
    assert ("", "Namespace", "default", "neuron") in known
    assert ("", "Namespace", "default", "kube-system") in known
    assert not any(kind == "Secret" for _, kind, _, _ in known)


def test_records_of_accounts_and_regions_are_apart():
    assert recorded(store(), "123456789012", "us-west-2") == [CHART, MANIFEST, OTHER]
    assert recorded(store(), "123456789012", "us-east-1") == []
    assert recorded(store(), "210987654321", "us-west-2") == []
