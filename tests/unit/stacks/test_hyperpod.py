"""The stack of a HyperPod cluster: its role, rules, script and groups, and the laws of SageMaker on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import botocore.session
import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER
from neuron_cluster.providers.hyperpod.life_cycle_script import SCRIPT, TEXT, folder
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.providers.hyperpod.stacks import HYPERPOD

CATALOG = load_catalog()
NAME, STACK = "hyperpod-trn2", HYPERPOD.stack_key
GROUP = "hyperpod.groups.0"
PLAN_ARN = "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"
CPU = {"name": "prepare", "instance_type": "ml.m7i.4xlarge", "count": {"desired": 2}}
INGRESS, EGRESS = "AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress"
SCHEMA = Path(__file__).parents[3] / "local_aws" / "handlers" / "schemas" / "aws-sagemaker-cluster.json"

StackOf = Callable[..., Any]
Templates = dict[str, dict[str, Any]]


def resources(stack: Any, type_name: str) -> dict[str, dict[str, Any]]:
    return dict(stack.find_resources(type_name))


def one(stack: Any, type_name: str) -> Mapping[str, Any]:
    """Properties of the only resource of this type."""
    (found,) = resources(stack, type_name).values()
    return dict(found["Properties"])


def group_of(stack_of: StackOf, edits: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    return dict(one(stack_of(NAME, STACK, edits), CLUSTER)["InstanceGroups"][0])


def key_paths(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Paths of the keys of properties; a position in a list is none."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield (*path, key)
            yield from key_paths(each, (*path, key))
    elif isinstance(value, list):
        for each in value:
            yield from key_paths(each, path)


def test_the_cluster_joins_the_eks_cluster_and_is_in_a_private_subnet_of_its_vpc(stack_of: StackOf) -> None:
    cluster = one(stack_of(NAME, STACK), CLUSTER)
    assert cluster["ClusterName"] == NAME
    assert cluster["Orchestrator"] == {
        "Eks": {"ClusterArn": f"arn:aws:eks:us-east-2:111122223333:cluster/{NAME}"},
    }
    (subnet,) = cluster["VpcConfig"]["Subnets"]
    assert subnet["Fn::ImportValue"].startswith(f"{NAME}-network:")
    assert "private" in subnet["Fn::ImportValue"].lower()


@pytest.mark.parametrize(
    ("edits", "recovery", "mode"),
    [
        ({}, "Automatic", "Continuous"),
        ({"hyperpod.node_recovery": "none"}, "None", "Continuous"),
        ({"hyperpod.continuous": False}, "Automatic", None),
    ],
    ids=["defaults", "without recovery", "all or none"],
)
def test_recovery_and_provisioning_are_those_of_the_file(
    stack_of: StackOf, edits: Mapping[str, Any], recovery: str, mode: str | None
) -> None:
    cluster = one(stack_of(NAME, STACK, edits), CLUSTER)
    assert (cluster["NodeRecovery"], cluster.get("NodeProvisioningMode")) == (recovery, mode)


def test_sagemaker_alone_assumes_the_role_of_nodes_with_the_documented_policies(stack_of: StackOf) -> None:
    (role,) = (
        each["Properties"]
        for each in resources(stack_of(NAME, STACK), "AWS::IAM::Role").values()
        if "sagemaker.amazonaws.com" in str(each["Properties"]["AssumeRolePolicyDocument"])
    )
    (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert (trust["Effect"], trust["Action"]) == ("Allow", "sts:AssumeRole")
    assert trust["Principal"] == {"Service": "sagemaker.amazonaws.com"}
    (managed,) = role["ManagedPolicyArns"]
    assert str(managed).endswith(":iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy']]}")
    inline = {each["PolicyName"]: each["PolicyDocument"]["Statement"] for each in role["Policies"]}
    allowed = {action for statement in inline["Nodes"] for action in _listed(statement["Action"])}
    documented = {
        action
        for row in ("node", "node_on_eks")
        for statement in CATALOG.hyperpod_roles[row].statements
        for action in statement.actions
    }
    assert allowed == documented >= {"ec2:CreateNetworkInterface", "ecr:GetAuthorizationToken", "ec2:CreateTags"}
    reads = {action for statement in inline["Scripts"] for action in _listed(statement["Action"])}
    assert reads == {"s3:GetObject", "s3:ListBucket"}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_policies_are_finished_with_the_role_and_not_after_it(stack_of: StackOf) -> None:
    """A policy of its own would be there after SageMaker has assumed the role."""
    stack = stack_of(NAME, STACK)
    for separate in ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy"):
        assert resources(stack, separate) == {}


def test_the_cluster_is_made_after_role_and_script_and_deleted_before_them(stack_of: StackOf) -> None:
    """CloudFormation deletes in the reverse order: without a role a cluster stays in Deleting."""
    stack = stack_of(NAME, STACK)
    ((_, cluster),) = resources(stack, CLUSTER).items()
    roles = [key for key, each in resources(stack, "AWS::IAM::Role").items() if "sagemaker" in str(each)]
    scripts = [*resources(stack, "Custom::NeuronClusterLifeCycleScript")]
    assert {*scripts} <= set(_listed(cluster["DependsOn"]))
    assert [name for name in roles if f"'Fn::GetAtt': ['{name}'" not in str(cluster["Properties"])] == []


def test_rules_of_the_nodes_are_in_the_stack_of_their_group_alone(templates_of: Callable[..., Templates]) -> None:
    """CloudFormation reports a rule of another stack as drift of the group."""
    holders = {
        stack
        for stack, template in templates_of(NAME).items()
        for each in template["Resources"].values()
        if each["Type"] in (INGRESS, EGRESS, "AWS::EC2::SecurityGroup")
    }
    assert holders == {"network"}


def test_the_stack_is_deployed_after_the_charts_and_the_endpoint_of_s3(plan_of: Callable[..., ClusterPlan]) -> None:
    stacks = plan_of(NAME).stacks
    assert stacks[-1] == STACK
    assert {"network", "cluster", "software"} <= set(stacks[: stacks.index(STACK)])
    assert "software" in HYPERPOD.waits_for


@pytest.mark.parametrize("type_name", [INGRESS, EGRESS])
def test_the_group_of_the_nodes_lets_all_traffic_in_from_and_out_to_itself(stack_of: StackOf, type_name: str) -> None:
    """As resources of their own: in the group itself they would be a circle."""
    stack = stack_of(NAME, "network")
    own = {"Fn::GetAtt": [group_of_nodes(stack), "GroupId"]}
    other = "SourceSecurityGroupId" if type_name == INGRESS else "DestinationSecurityGroupId"
    rules = [each["Properties"] for each in resources(stack, type_name).values()]
    assert [rule["IpProtocol"] for rule in rules if rule["GroupId"] == own and rule.get(other) == own] == ["-1"]


@pytest.mark.parametrize("type_name", [INGRESS, EGRESS])
def test_nodes_of_hyperpod_and_of_node_groups_reach_each_other(stack_of: StackOf, type_name: str) -> None:
    stack = stack_of(NAME, "network")
    own = group_of_nodes(stack)
    others = [name for name, each in resources(stack, "AWS::EC2::SecurityGroup").items() if is_for(each, "Nodes and")]
    pairs = [
        (each["Properties"]["GroupId"], each["Properties"].get("SourceSecurityGroupId"),
         each["Properties"].get("DestinationSecurityGroupId"))
        for each in resources(stack, type_name).values()
        if each["Properties"]["IpProtocol"] == "-1"
    ]  # fmt: skip
    (node,) = others
    assert len([pair for pair in pairs if own in str(pair) and node in str(pair)]) == 2


def group_of_nodes(stack: Any) -> str:
    """Logical id of the security group of HyperPod nodes."""
    groups = resources(stack, "AWS::EC2::SecurityGroup").items()
    (name,) = [name for name, each in groups if is_for(each, "HyperPod")]
    return name


def is_for(group: Mapping[str, Any], purpose: str) -> bool:
    return bool(group["Properties"]["GroupDescription"].startswith(purpose))


def test_every_subnet_of_a_group_has_the_group_of_the_nodes_and_no_other(stack_of: StackOf) -> None:
    """SageMaker wants the rules above in each security group that is attached."""
    stack = stack_of(NAME, STACK, {"hyperpod.groups.1": CPU})
    cluster = one(stack, CLUSTER)
    configs = [cluster["VpcConfig"], *(each["OverrideVpcConfig"] for each in cluster["InstanceGroups"])]
    (group,) = {str(each["SecurityGroupIds"]) for each in configs}
    assert "hyperpod" in group
    assert {len(each["SecurityGroupIds"]) for each in configs} == {1}
    assert {len(each["Subnets"]) for each in configs} == {1}


def test_a_group_is_in_the_subnet_of_its_own_zone(stack_of: StackOf) -> None:
    edits = {f"{GROUP}.availability_zone": "use2-az1", "storage.lustre": None}
    cluster = one(stack_of(NAME, STACK, edits), CLUSTER)
    own = cluster["InstanceGroups"][0]["OverrideVpcConfig"]["Subnets"]
    assert own != cluster["VpcConfig"]["Subnets"]
    assert group_of(stack_of)["OverrideVpcConfig"]["Subnets"] == cluster["VpcConfig"]["Subnets"]


@pytest.mark.parametrize("edits", [None, {"hyperpod.groups.1": CPU}], ids=["one group", "two groups"])
def test_no_node_group_and_no_launch_template_has_a_type_of_sagemaker(
    templates_of: Callable[..., Templates], edits: Mapping[str, Any] | None
) -> None:
    templates = templates_of(NAME, edits)
    types = {
        value
        for template in templates.values()
        for each in template["Resources"].values()
        if each["Type"] in ("AWS::EKS::Nodegroup", "AWS::EC2::LaunchTemplate")
        for path, value in _leaves(each["Properties"])
        if path[-1] in ("InstanceType", "InstanceTypes")
    }
    assert types == {"m7i.xlarge"}


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, (*path, key))
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each, path)
    else:
        yield path, value


def test_the_bucket_of_the_script_is_closed_and_has_versions(stack_of: StackOf) -> None:
    stack = stack_of(NAME, STACK)
    bucket = one(stack, "AWS::S3::Bucket")
    assert bucket["BucketName"] == "sagemaker-hyperpod-trn2-111122223333-us-east-2"
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(bucket["PublicAccessBlockConfiguration"]) == 4
    statements = one(stack, "AWS::S3::BucketPolicy")["PolicyDocument"]["Statement"]
    denied = [each["Condition"] for each in statements if each["Effect"] == "Deny"]
    assert {"Bool": {"aws:SecureTransport": "false"}} in denied
    assert {"NumericLessThan": {"s3:TlsVersion": 1.2}} in denied


def test_the_bucket_goes_with_the_stack_and_its_template_says_why(stack_of: StackOf) -> None:
    (bucket,) = resources(stack_of(NAME, STACK), "AWS::S3::Bucket").values()
    assert (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]) == ("Delete", "Delete")
    assert bucket["Metadata"]["neuron-cluster"]["holds-no-data"]


def test_what_holds_data_of_a_user_stays(templates_of: Callable[..., Templates]) -> None:
    kept = [
        each["DeletionPolicy"]
        for each in templates_of(NAME)["storage"]["Resources"].values()
        if each["Type"] in ("AWS::S3::Bucket", "AWS::FSx::FileSystem")
    ]
    assert set(kept) <= {"Retain", "RetainExceptOnCreate"}
    assert len(kept) == 2


def test_nodes_run_the_script_that_the_stack_writes(stack_of: StackOf) -> None:
    stack = stack_of(NAME, STACK)
    life_cycle = group_of(stack_of)["LifeCycleConfig"]
    script = one(stack, "Custom::NeuronClusterLifeCycleScript")
    ((bucket, _),) = resources(stack, "AWS::S3::Bucket").items()
    assert life_cycle["OnCreate"] == SCRIPT
    assert life_cycle["SourceS3Uri"] == {"Fn::Join": ["", ["s3://", {"Ref": bucket}, f"/{folder(TEXT)}"]]}
    assert (script["Bucket"], script["Key"], script["Text"]) == ({"Ref": bucket}, f"{folder(TEXT)}/{SCRIPT}", TEXT)


def test_groups_are_in_the_order_of_the_file(stack_of: StackOf) -> None:
    def names(*groups: Mapping[str, Any]) -> list[str]:
        cluster = one(stack_of(NAME, STACK, {"hyperpod.groups": list(groups)}), CLUSTER)
        return [each["InstanceGroupName"].rpartition("-")[0] for each in cluster["InstanceGroups"]]

    trn2 = {"name": "trn2", "instance_type": "ml.trn2.48xlarge", "count": {"desired": 4}}
    assert names(trn2, CPU) == ["trn2", "prepare"]
    assert names(CPU, trn2) == ["prepare", "trn2"]


EVERYTHING = {
    f"{GROUP}.count": {"desired": 4, "min": 2},
    f"{GROUP}.capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN},
    f"{GROUP}.labels": {"workload": "training"},
    f"{GROUP}.taints": [{"key": "team", "value": "a", "effect": "no_schedule"}],
    f"{GROUP}.extra_volume": {"size_gib": 500},
    f"{GROUP}.ami_release": "1.2.3",
    f"{GROUP}.software_updates": {
        "schedule": "cron(0 2 ? * SUN *)",
        "batch_percent": 25,
        "wait_minutes": 10,
        "rollback_alarms": ["training-failed"],
    },
    "hyperpod.groups.1": {
        **CPU,
        "capacity": {"kind": "spot"},
    },
    "hyperpod.groups.2": {
        "name": "checked",
        "instance_type": "ml.trn2.48xlarge",
        "count": {"desired": 1},
        "availability_zone": "use2-az3",
        "deep_health_checks": ["instance_stress", "instance_connectivity"],
    },
}
"""Every key of a group that becomes a property."""


def test_the_cluster_has_no_key_that_cloudformation_does_not_have(stack_of: StackOf) -> None:
    """The schema of the Registry decides: the API has more, and CloudFormation rejects them."""
    schema = json.loads(SCHEMA.read_text())
    cluster = one(stack_of(NAME, STACK, EVERYTHING), CLUSTER)
    unknown = [path for path in key_paths(cluster) if not _is_known(schema, path)]
    assert unknown == []
    read_only = {each.removeprefix("/properties/") for each in schema["readOnlyProperties"]}
    assert not read_only & {"/".join(path) for path in key_paths(cluster)}
    assert "CurrentCount" not in json.dumps(cluster)


def _is_known(schema: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    """Up to where keys are those of intrinsic functions, or a user's."""
    nodes = [schema]
    for key in path:
        if key in ("Fn::ImportValue", "Fn::GetAtt", "Fn::Join", "Ref") or any("patternProperties" in n for n in nodes):
            return True
        named = [node["properties"][key] for node in nodes if key in node.get("properties", {})]
        if not named:
            return False
        nodes = [each for node in named for each in _alternatives(schema, node)]
    return True


def _alternatives(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "$ref" in node:
        yield from _alternatives(schema, schema["definitions"][node["$ref"].rpartition("/")[2]])
    elif "items" in node:
        yield from _alternatives(schema, node["items"])
    else:
        yield node
        for each in (*node.get("oneOf", ()), *node.get("anyOf", ())):
            yield from _alternatives(schema, each)


def test_every_key_of_a_group_is_one_of_the_api_too(stack_of: StackOf) -> None:
    model = botocore.session.get_session().get_service_model("sagemaker")
    shape = model.operation_model("CreateCluster").input_shape.members["InstanceGroups"].member
    for group in one(stack_of(NAME, STACK, EVERYTHING), CLUSTER)["InstanceGroups"]:
        assert set(group) <= set(shape.members)
        assert set(shape.required_members) <= set(group)


def test_labels_and_taints_are_those_of_kubernetes(stack_of: StackOf) -> None:
    kubernetes = group_of(stack_of, EVERYTHING)["KubernetesConfig"]
    assert kubernetes["Labels"] == {
        "neuron-cluster/node-group": "trn2",
        "neuron-cluster/queue": "training",
        "workload": "training",
    }
    assert kubernetes["Taints"] == [
        {"Key": "aws.amazon.com/neuron", "Value": "true", "Effect": "NoSchedule"},
        {"Key": "team", "Value": "a", "Effect": "NoSchedule"},
    ]


def test_a_taint_without_a_value_has_none(stack_of: StackOf) -> None:
    """The API accepts no empty value: TaintValue of botocore 1.44.5 has one character at least."""
    taints = [{"key": "team", "effect": "no_execute"}]
    kubernetes = group_of(stack_of, {f"{GROUP}.taints": taints})["KubernetesConfig"]
    assert kubernetes["Taints"][-1] == {"Key": "team", "Effect": "NoExecute"}


@pytest.mark.parametrize(("count", "minimum"), [({"desired": 4}, None), ({"desired": 4, "min": 2}, 2)])
def test_a_minimum_of_none_is_not_written(stack_of: StackOf, count: Mapping[str, int], minimum: int | None) -> None:
    """It is allowed with continuous provisioning alone."""
    group = group_of(stack_of, {f"{GROUP}.count": count})
    assert (group["InstanceCount"], group.get("MinInstanceCount")) == (4, minimum)


@pytest.mark.parametrize(
    ("capacity", "expected"),
    [
        ({"kind": "on_demand"}, {}),
        ({"kind": "spot"}, {"CapacityRequirements": {"Spot": {}}}),
        ({"kind": "training_plan", "plan_arn": PLAN_ARN}, {"TrainingPlanArn": PLAN_ARN}),
    ],
    ids=["on demand", "Spot", "training plan"],
)
def test_a_group_is_bought_in_one_way(
    stack_of: StackOf, capacity: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    group = group_of(stack_of, {f"{GROUP}.capacity": capacity})
    assert {key: group[key] for key in ("CapacityRequirements", "TrainingPlanArn") if key in group} == expected


def test_deep_health_checks_stand_without_taints(stack_of: StackOf) -> None:
    group = group_of(stack_of, {f"{GROUP}.deep_health_checks": ["instance_connectivity", "instance_stress"]})
    assert group["OnStartDeepHealthChecks"] == ["InstanceStress", "InstanceConnectivity"]
    assert "Taints" not in group["KubernetesConfig"]
    assert "OnStartDeepHealthChecks" not in group_of(stack_of)


def test_an_extra_volume_is_the_only_volume_that_is_ours(stack_of: StackOf) -> None:
    group = group_of(stack_of, {f"{GROUP}.extra_volume": {"size_gib": 500}})
    assert group["InstanceStorageConfigs"] == [{"EbsVolumeConfig": {"VolumeSizeInGB": 500}}]
    assert "InstanceStorageConfigs" not in group_of(stack_of)


def test_scheduled_updates_run_in_batches(stack_of: StackOf) -> None:
    updates = {"schedule": "cron(0 2 ? * SUN *)", "batch_percent": 25, "wait_minutes": 10}
    group = group_of(stack_of, {f"{GROUP}.software_updates": updates})
    batch = {"MaximumBatchSize": {"Type": "CAPACITY_PERCENTAGE", "Value": 25}}
    assert group["ScheduledUpdateConfig"] == {
        "ScheduleExpression": "cron(0 2 ? * SUN *)",
        "DeploymentConfig": {"RollingUpdatePolicy": batch, "WaitIntervalInSeconds": 600},
    }
    assert "ScheduledUpdateConfig" not in group_of(stack_of)


def test_alarms_take_an_update_back_and_the_role_of_nodes_reads_them(stack_of: StackOf) -> None:
    updates = {"schedule": "cron(0 2 ? * SUN *)", "rollback_alarms": ["jobs failed", "slow", "slow"]}
    edits = {f"{GROUP}.software_updates": updates}
    deployment = group_of(stack_of, edits)["ScheduledUpdateConfig"]["DeploymentConfig"]
    assert deployment["AutoRollbackConfiguration"] == [{"AlarmName": "jobs failed"}, {"AlarmName": "slow"}]
    assert "cloudwatch:DescribeAlarms" in str(resources(stack_of(NAME, STACK, edits), "AWS::IAM::Role"))
    assert "cloudwatch:DescribeAlarms" not in str(resources(stack_of(NAME, STACK), "AWS::IAM::Role"))


def test_an_ami_release_is_written_where_the_file_has_one(stack_of: StackOf) -> None:
    assert group_of(stack_of, {f"{GROUP}.ami_release": "1.2.3"})["ImageReleaseVersion"] == "1.2.3"
    assert "ImageReleaseVersion" not in group_of(stack_of)


def test_names_of_groups_in_the_template_are_those_of_the_plan(
    stack_of: StackOf, plan_of: Callable[..., ClusterPlan]
) -> None:
    planned = plan_of(NAME).provider(HyperPodPlan)
    assert planned is not None
    assert [group_of(stack_of)["InstanceGroupName"]] == [group.physical_name for group in planned.groups]


def test_other_stacks_are_the_same_with_hyperpod_beside_them(templates_of: Callable[..., Templates]) -> None:
    """But for charts, which learn its types and its queue, the security group of its nodes, and exports."""
    added = {"hyperpod": {"groups": [{"name": "pod", "instance_type": "ml.trn1.32xlarge", "count": {"desired": 2}}]}}
    before, after = (templates_of("train-trn1", edits) for edits in (None, added))
    assert after.keys() - before.keys() == {STACK}
    for part in before.keys() - {"software"}:
        ours = {key: after[part]["Resources"].get(key) for key in before[part]["Resources"]}
        assert ours == before[part]["Resources"], part
        more = after[part]["Resources"].keys() - before[part]["Resources"].keys()
        kinds = {after[part]["Resources"][key]["Type"] for key in more}
        assert kinds <= ({"AWS::EC2::SecurityGroup", INGRESS, EGRESS} if part == "network" else set()), part
        old, new = before[part].get("Outputs", {}), after[part].get("Outputs", {})
        assert {key: new.get(key) for key in old} == old, part
    same, changed = _compared(before["software"]["Resources"], after["software"]["Resources"])
    assert len(same) > len(changed)
    assert {type_name for type_name, _ in changed} <= {
        "Custom::AWSCDK-EKS-HelmChart",
        "Custom::AWSCDK-EKS-KubernetesResource",
    }


def _compared(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    """Keys that are the same in both, and types and keys of the others."""
    same = [key for key in before if before[key] == after.get(key)]
    keys = sorted((before.keys() | after.keys()) - set(same))
    return same, [(str((before.get(key) or after[key])["Type"]), key) for key in keys]
