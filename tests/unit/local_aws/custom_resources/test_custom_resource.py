"""Real events: CDK's own kubectl function and the real helm run."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.custom_resources.event import CustomResourceFailed
from local_aws.custom_resources.published_lambda import folder_of_programs
from local_aws.custom_resources.record import recorded

pytestmark = pytest.mark.slow

CHART = "Custom::AWSCDK-EKS-HelmChart"
MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"
PATCH = "Custom::AWSCDK-EKS-KubernetesPatch"
OWN_CHART = {
    "Chart.yaml": "apiVersion: v2\nname: own\nversion: 0.1.0\n",
    "values.yaml": "replicas: 1\n",
    "values.schema.json": json.dumps(
        {"type": "object", "additionalProperties": False, "properties": {"replicas": {"type": "integer"}}}
    ),
    "templates/settings.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}", namespace: "{{ .Release.Namespace }}"}
data: {replicas: "{{ .Values.replicas }}", kubernetes: "{{ .Capabilities.KubeVersion.Version }}"}
""",
}


def namespace(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def manifest_properties(requests, *objects, **more):
    token = requests.published.service_token
    return {"ServiceToken": token, "ClusterName": "train", "Manifest": json.dumps(objects), **more}


def oci_properties(requests, **more):
    return {
        "ServiceToken": requests.published.service_token,
        "ClusterName": "train",
        "Release": "neuron",
        "Chart": "neuron-helm-chart",
        "Version": "1.10.0",
        "Repository": "oci://public.ecr.aws/neuron/neuron-helm-chart",
        "Namespace": "neuron",
        "CreateNamespace": True,
        "Wait": True,
        "Timeout": "600s",
        "Values": json.dumps({"npd": {"enabled": False}}),
        **more,
    }


def own_properties(requests, values: dict[str, Any]):
    return {
        "ServiceToken": requests.published.service_token,
        "ClusterName": "train",
        "Release": "own",
        "ChartAssetURL": requests.published.chart_asset("own", OWN_CHART),
        "Namespace": "team-a",
        "Values": json.dumps(values),
    }


def rows(requests):
    return recorded(requests.store, "123456789012", "us-west-2")


def test_chart_from_a_registry_is_recorded_with_its_command_lines_and_values(requests):
    made = requests.provider.create(requests.context(CHART), oci_properties(requests))

    [row] = rows(requests)
    assert row["kind"] == "chart"
    lines = [re.sub(r"/tmp\w+/", "/PULLED/", " ".join(line)) for line in row["commands"]]  # noqa: S108 - a pattern
    assert lines[0] == "aws eks update-kubeconfig --name train --kubeconfig /tmp/kubeconfig"
    assert sorted(lines[1:3]) == [
        "aws ecr-public get-login-password --region us-east-1",
        "helm registry login --username AWS --password-stdin public.ecr.aws",
    ]
    pull, upgrade = lines[3:]
    assert pull == "helm pull oci://public.ecr.aws/neuron/neuron-helm-chart --version 1.10.0 --untar"
    assert upgrade == (
        "helm upgrade neuron /tmp/PULLED/neuron-helm-chart --install --create-namespace --values /tmp/values.yaml "
        "--namespace neuron --wait --timeout 600s --kubeconfig /tmp/kubeconfig"
    )
    assert json.loads(json.dumps(row)) == row, "the record goes over HTTP as JSON"
    assert row["values"] == {"npd": {"enabled": False}}
    assert (row["chart"], row["repository"], row["version"], row["rendered"]) == (
        "neuron-helm-chart",
        "oci://public.ecr.aws/neuron/neuron-helm-chart",
        "1.10.0",
        None,
    )
    assert (row["stack"], row["release"], row["namespace"], row["cluster"]) == ("software", "neuron", "neuron", "train")
    assert made.note == "recorded, not installed: chart neuron-helm-chart 1.10.0 as release neuron"

    requests.provider.delete(requests.context(CHART), made, oci_properties(requests))
    assert rows(requests) == []


def test_chart_from_a_repository_keeps_repository_and_version_on_the_command_line(requests):
    properties = oci_properties(requests, Chart="efa", Repository="https://charts.example", Version="v0.5.30")
    requests.provider.create(requests.context(CHART), properties)
    [row] = rows(requests)
    assert (row["chart"], row["repository"], row["version"]) == ("efa", "https://charts.example", "v0.5.30")


def test_a_chart_of_an_asset_is_rendered_by_helm_for_the_version_of_the_cluster(requests):
    made = requests.provider.create(requests.context(CHART), own_properties(requests, {"replicas": 3}))
    [row] = rows(requests)
    assert row["rendered"] == [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "own", "namespace": "team-a"},
            "data": {"replicas": "3", "kubernetes": "v1.35.0"},
        }
    ]
    assert (row["chart"], row["version"]) == ("own", "0.1.0")
    assert made.note == "recorded, not installed: chart own 0.1.0 as release own, rendered to 1 objects"


def test_an_asset_that_is_not_there_fails_as_the_aws_command_does(requests):
    asset = requests.published.chart_asset("own", OWN_CHART).replace("own", "another")
    with pytest.raises(CustomResourceFailed) as refusal:
        requests.provider.create(requests.context(CHART), own_properties(requests, {}) | {"ChartAssetURL": asset})
    text = "fatal error: An error occurred (404) when calling the HeadObject operation: Not Found"
    assert refusal.value.reason == f"aws s3 cp: {text} ({asset})"
    assert rows(requests) == []


def test_values_that_the_schema_of_the_chart_refuses_fail_the_event_with_helms_words(requests):
    with pytest.raises(CustomResourceFailed, match="replica_count") as refusal:
        requests.provider.create(requests.context(CHART), own_properties(requests, {"replica_count": 3}))
    assert refusal.value.reason.startswith("helm upgrade own: Error: values don't meet the specifications")
    assert rows(requests) == []


def test_chart_from_a_registry_without_a_version_fails_as_in_the_lambda(requests):
    properties = oci_properties(requests)
    del properties["Version"]
    with pytest.raises(CustomResourceFailed, match="TypeError"):
        requests.provider.create(requests.context(CHART), properties)


def test_manifest_is_recorded_when_made_changed_and_removed(requests):
    context = requests.context(MANIFEST)
    first, second = manifest_properties(requests, namespace("a")), manifest_properties(requests, namespace("b"))

    made = requests.provider.create(context, first)
    [row] = rows(requests)
    assert row["kind"] == "manifest"
    assert row["objects"] == [namespace("a")]
    assert row["commands"][-1][:2] == ["kubectl", "create"]
    assert made.note == "recorded, not installed: Namespace a"

    updated = requests.provider.update(context, made, first, second)
    [row] = rows(requests)
    assert updated.physical_id == made.physical_id
    assert row["objects"] == [namespace("b")]
    assert row["commands"][-1][:2] == ["kubectl", "apply"]
    assert requests.provider.read(context, updated) == second

    requests.provider.delete(context, updated, second)
    assert rows(requests) == []


def test_manifest_of_an_object_that_exists_is_refused_as_kubectl_create_refuses_it(requests):
    requests.provider.create(requests.context(MANIFEST, "One"), manifest_properties(requests, namespace("a")))
    for existing in ("a", "kube-system"):
        with pytest.raises(CustomResourceFailed, match=f'AlreadyExists.*Namespace "{existing}"'):
            requests.provider.create(
                requests.context(MANIFEST, "Two"), manifest_properties(requests, namespace(existing))
            )
    overwriting = manifest_properties(requests, namespace("a"), Overwrite=True)
    requests.provider.create(requests.context(MANIFEST, "Three"), overwriting)
    assert [row["logical_id"] for row in rows(requests)] == ["One", "Three"]


def test_patch_is_recorded(requests):
    properties = {
        "ServiceToken": requests.published.service_token,
        "ClusterName": "train",
        "ResourceName": "daemonset/aws-node",
        "ResourceNamespace": "kube-system",
        "ApplyPatchJson": '{"spec": 1}',
        "RestorePatchJson": '{"spec": 2}',
        "PatchType": "strategic",
    }
    requests.provider.create(requests.context(PATCH), properties)
    [row] = rows(requests)
    assert (row["kind"], row["resource"], row["patch"]) == ("patch", "daemonset/aws-node", {"spec": 1})


def test_cluster_that_does_not_exist_fails_the_event(requests):
    properties = manifest_properties(requests, namespace("a")) | {"ClusterName": "other"}
    with pytest.raises(CustomResourceFailed, match=r"ResourceNotFoundException.*No cluster found for name: other"):
        requests.provider.create(requests.context(MANIFEST), properties)


@pytest.mark.parametrize("kind", ["Custom::AWSCDK-EKS-Cluster", "Custom::AWSCDK-EKS-KubernetesObjectValue"])
def test_what_needs_an_answer_of_a_cluster_is_refused_by_name(requests, kind):
    with pytest.raises(CustomResourceFailed, match=f"{kind} is not emulated"):
        requests.provider.create(requests.context(kind), manifest_properties(requests, namespace("a")))
    assert rows(requests) == []


def test_function_that_is_not_cdks_is_refused_by_name_and_does_not_run(requests):
    properties = manifest_properties(requests, namespace("a")) | {"ServiceToken": requests.published.own_token}
    with pytest.raises(CustomResourceFailed, match="function own, which is not CDK's kubectl function"):
        requests.provider.create(requests.context(MANIFEST), properties)


def test_code_with_the_names_of_cdks_does_not_run(requests):
    """Whoever may publish a function could else run anything as the user."""
    properties = manifest_properties(requests, namespace("a")) | {"ServiceToken": requests.published.foreign_token}
    with pytest.raises(CustomResourceFailed, match=r"which is not CDK's kubectl function of aws-cdk-lib \d") as refused:
        requests.provider.create(requests.context(MANIFEST), properties)
    assert "FOREIGN" not in refused.value.reason
    assert rows(requests) == []


def test_a_helm_of_no_known_layer_does_not_run(requests):
    properties = own_properties(requests, {"replicas": 1}) | {"ServiceToken": requests.published.foreign_layer_token}
    with pytest.raises(CustomResourceFailed, match=r"holds the helm/helm of a kubectl layer that is known here .*v35"):
        requests.provider.create(requests.context(CHART), properties)
    assert rows(requests) == []


def test_service_token_of_no_function_is_refused_in_the_words_of_lambda(requests):
    token = requests.published.service_token + "-gone"
    with pytest.raises(ClientError, match="ResourceNotFoundException"):
        requests.provider.create(requests.context(MANIFEST), {**manifest_properties(requests), "ServiceToken": token})


def test_another_physical_id_on_update_leaves_the_old_resource_to_the_clean_up(requests):
    context, token = requests.context(MANIFEST), {"ServiceToken": requests.published.renaming_token}
    first, second = (manifest_properties(requests, namespace(name)) | token for name in ("a", "b"))
    made = requests.provider.create(context, first)
    updated = requests.provider.update(context, made, first, second)
    assert (made.physical_id, updated.physical_id) == ("a", "b")
    assert (made.attributes, updated.attributes) == ({"Request": "Create"}, {"Request": "Update"})
    assert [row["physical_id"] for row in rows(requests)] == ["a", "b"]
    requests.provider.delete(context, made, first)
    assert [row["physical_id"] for row in rows(requests)] == ["b"]


def test_service_token_cannot_change(requests):
    context, properties = requests.context(MANIFEST), manifest_properties(requests, namespace("a"))
    made = requests.provider.create(context, properties)
    with pytest.raises(CustomResourceFailed, match="Modifying service token is not allowed"):
        requests.provider.update(context, made, properties, properties | {"ServiceToken": requests.published.own_token})


def test_nothing_is_left_of_an_event_but_what_is_unpacked_once(fresh_requests):
    for values in ({"replicas": 1}, {"wrong": 1}):
        try:
            fresh_requests.provider.create(fresh_requests.context(CHART), own_properties(fresh_requests, values))
        except CustomResourceFailed:
            assert "wrong" in values
    left = [path.name for path in (fresh_requests.folder / "events").iterdir()]
    assert left == ["programs"]
    unpacked = {path.name for path in (fresh_requests.folder / "published").glob("*/*")}
    assert unpacked == {"helm", "apply", "get", "patch", "index.py", "__pycache__"}
    assert len(list((fresh_requests.folder / "published").iterdir())) == 1
    assert {path.name for path in folder_of_programs().glob("*/*")} == {"helm"}
