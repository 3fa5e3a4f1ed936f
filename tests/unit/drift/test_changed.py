"""The part of the drift that a deploy reads: what it changes, and protection of data that was weakened."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from botocore.client import BaseClient

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.deploy.changed_drift import drift_of_changes, findings_of_drift
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.drift.diff_lines import drift_lines
from neuron_cluster.drift.findings import part_text
from neuron_cluster.drift.records import DeployEffect, Drift, EnvironmentDrift
from neuron_cluster.findings.finding import Finding
from neuron_cluster.opened_environment import OpenedEnvironment, opened_environment

from .conftest import CHECKOUT, Deployed, Environment
from .small_stack import small_environment

pytestmark = pytest.mark.slow
NAME = "train-trn1"
Templates = dict[str, dict[str, Any]]
CATALOG = load_catalog()


@pytest.fixture(scope="module")
def opened() -> OpenedEnvironment:
    return opened_environment(NAME, str(CHECKOUT), is_local=True)


class Changed:
    """The environment with other versions and life cycle of the bucket, and an open security group."""

    def __init__(self, environment: Environment, opened: OpenedEnvironment) -> None:
        self.environment = environment
        self.opened = opened
        self.templates: Templates = environment.deployed().templates
        self.destination = local_destination(
            environment.aws.endpoint, environment.plan.account, environment.plan.region
        )
        self.bucket, self.group = self.address("AWS::S3::Bucket"), self.address("AWS::EC2::SecurityGroup")

    def address(self, kind: str) -> tuple[str, str]:
        return next(
            (stack, name)
            for stack, template in self.templates.items()
            for name, each in template["Resources"].items()
            if each["Type"] == kind
        )

    def physical_id(self, address: tuple[str, str]) -> str:
        stack, name = address
        found = self.environment.client("cloudformation").describe_stack_resource(
            StackName=stack, LogicalResourceId=name
        )
        return str(found["StackResourceDetail"]["PhysicalResourceId"])

    def change_by_hand(self) -> None:
        s3, bucket = self.environment.client("s3"), self.physical_id(self.bucket)
        s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Suspended"})
        rules = s3.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
        (rule,) = [each for each in rules if each["ID"] == "expire-old-versions"]
        rule["NoncurrentVersionExpiration"]["NoncurrentDays"] = 5
        s3.put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration={"Rules": rules})
        rule = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
        self.environment.client("ec2").authorize_security_group_ingress(
            GroupId=self.physical_id(self.group), IpPermissions=[rule]
        )

    def edited(self, address: tuple[str, str], **properties: Any) -> Templates:
        new = copy.deepcopy(self.templates)
        new[address[0]]["Resources"][address[1]]["Properties"] |= properties
        return new

    def with_days(self, days: int) -> Templates:
        stack, name = self.bucket
        configuration = copy.deepcopy(self.templates[stack]["Resources"][name]["Properties"]["LifecycleConfiguration"])
        (rule,) = [each for each in configuration["Rules"] if each["Id"] == "expire-old-versions"]
        rule["NoncurrentVersionExpiration"]["NoncurrentDays"] = days
        return self.edited(self.bucket, LifecycleConfiguration=configuration)

    def drift(self, new: Templates, *, reads_protection: bool = False) -> EnvironmentDrift | None:
        comparison = Comparison(self.templates, new, CATALOG)
        return drift_of_changes(self.opened, self.destination, comparison, reads_protection=reads_protection)

    def findings(self, found: EnvironmentDrift | None) -> list[Finding]:
        assert found is not None
        return list(findings_of_drift(found, self.opened))


@pytest.fixture(scope="module")
def changed(deployed: Deployed, opened: OpenedEnvironment) -> Changed:
    made = Changed(small_environment(deployed, NAME, "storage"), opened)
    made.change_by_hand()
    return made


def rows(found: EnvironmentDrift | None) -> dict[str, DeployEffect]:
    assert found is not None
    return {f"{each.logical_id}{each.property}": each.next_deploy.effect for each in found.drifts}


def test_resources_that_the_deploy_does_not_change_are_not_read(changed: Changed) -> None:
    found = changed.drift(changed.with_days(9))
    assert found is not None
    name = changed.bucket[1]
    place = f"{name}/LifecycleConfiguration/Rules/0/NoncurrentVersionExpiration/NoncurrentDays"
    assert rows(found) == {
        f"{name}/VersioningConfiguration/Status": DeployEffect.NOTHING,
        place: DeployEffect.SETS,
    }
    assert (found.compared, found.left_out) == (1, found.resources - 1)


def test_a_deploy_of_the_actual_value_overwrites_nothing(changed: Changed) -> None:
    effects = rows(changed.drift(changed.with_days(5)))
    assert DeployEffect.KEEPS in effects.values()
    assert DeployEffect.SETS not in effects.values()


def test_no_call_is_made_where_no_resource_that_exists_changes(changed: Changed) -> None:
    first = Comparison({}, changed.templates, CATALOG)
    same = Comparison(changed.templates, changed.templates, CATALOG)
    nowhere = local_destination("http://127.0.0.1:9", changed.opened.plan.account, changed.opened.plan.region)
    assert drift_of_changes(changed.opened, nowhere, first, reads_protection=True) is None
    assert drift_of_changes(changed.opened, nowhere, same) is None


@pytest.mark.hints("W9597")
def test_a_value_that_the_deploy_overwrites_is_a_warning(changed: Changed) -> None:
    """Its hint names the key, with which the file keeps the value: then there is no finding."""
    before = [each for each in changed.findings(changed.drift(changed.with_days(9))) if each.id == "W9597"]
    (finding,) = before
    assert "30, actual 5, by arn:aws:iam::" in finding.message
    assert finding.location.path == "storage.checkpoint_bucket.noncurrent_version_days"
    assert "drift NAME --adopt storage.checkpoint_bucket.noncurrent_version_days" in finding.hint
    after = changed.findings(changed.drift(changed.with_days(5)))
    assert [each.id for each in after if each.id == "W9597"] == []


def test_lost_protection_of_what_stays_is_a_warning(changed: Changed) -> None:
    found = changed.drift(changed.templates, reads_protection=True)
    named = {each.location.path for each in changed.findings(found) if each.id == "W9598"}
    bucket, group = changed.bucket[1], changed.group[1]
    assert {f"{bucket}/VersioningConfiguration/Status", f"{group}/SecurityGroupIngress/0"} <= named
    assert found is not None
    assert found.calls <= 60


def test_a_denied_call_is_not_read_and_a_warning(changed: Changed) -> None:
    with changed.environment.aws.faults.access_denied("s3", "GetBucketVersioning"):
        found = changed.drift(changed.with_days(9))
    assert found is not None
    assert [(part.call, part.is_denied) for part in found.uncompared] == [("s3:GetBucketVersioning", True)]
    assert [each.id for each in changed.findings(found)] == ["W9597", "W9595"]


def test_a_stack_that_is_gone_leaves_its_resources_not_read(changed: Changed) -> None:
    other = {"train-trn1-nodes": {"Resources": {"Logs": {"Type": "AWS::Logs::LogGroup", "Properties": {}}}}}
    comparison = Comparison({**changed.templates, **other}, changed.templates, CATALOG)
    found = drift_of_changes(changed.opened, changed.destination, comparison)
    assert found is not None
    (part,) = found.uncompared
    assert (part.resources, found.is_complete) == (("train-trn1-nodes/Logs",), False)


def test_an_unread_trail_leaves_the_caller_unknown(changed: Changed) -> None:
    with changed.environment.aws.faults.access_denied("cloudtrail", "LookupEvents"):
        found = changed.drift(changed.with_days(9))
    assert found is not None
    assert [each.changed_by for each in found.drifts] == [None, None]
    assert "who changed them is not known" in part_text(found)
    assert ", by " not in " ".join(words for _, words in drift_lines(found))


def test_lines_of_diff_name_the_effect_and_the_key(changed: Changed) -> None:
    found = changed.drift(changed.with_days(9))
    assert found is not None
    versions, days = (words for _, words in sorted(drift_lines(found), key=lambda line: "Days" in line[0]))
    assert "template Enabled, actual Suspended, by arn:aws:iam::" in versions
    assert "; a deploy leaves it: " in versions
    assert "a deploy sets another value: the edit sets 9; to keep it: storage.checkpoint_bucket." in days


def test_stacks_that_cannot_be_listed_leave_each_resource_not_read(changed: Changed) -> None:
    with changed.environment.aws.faults.access_denied("cloudformation", "DescribeStacks"):
        found = changed.drift(changed.with_days(9))
    assert found is not None
    (part,) = found.uncompared
    assert part.resources == ("/".join(changed.bucket),)
    assert (part.call, found.compared, found.drifts) == ("cloudformation:DescribeStacks", 0, ())


def calls_of(changed: Changed) -> list[tuple[str, str]]:
    """The calls of a deploy that reads drift, each once, but for that which lists stacks."""
    made: set[tuple[str, str]] = set()
    call = BaseClient._make_api_call

    def noted(client: Any, operation: str, parameters: Any) -> Any:
        made.add((client.meta.service_model.service_name, operation))
        return call(client, operation, parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", noted)
        changed.drift(changed.with_days(9), reads_protection=True)
    return sorted(made - {("cloudformation", "DescribeStacks"), ("cloudtrail", "LookupEvents")})


def names(drift: Drift) -> set[str]:
    """The names that a difference would have among what was not compared."""
    resource = f"{drift.stack}/{drift.logical_id}"
    return {drift.stack, resource, f"{resource}/{drift.place[0] if drift.place else ''}"}


@pytest.mark.exhaustive
def test_each_denied_call_hides_no_difference_without_saying_so(changed: Changed) -> None:
    new = changed.with_days(9)
    whole = changed.drift(new, reads_protection=True)
    assert whole is not None
    for service, operation in calls_of(changed):
        with changed.environment.aws.faults.access_denied(service, operation):
            found = changed.drift(new, reads_protection=True)
        assert found is not None
        listed = {name for part in found.uncompared for name in part.resources}
        seen = {(each.logical_id, each.property) for each in found.drifts}
        hidden = [each for each in whole.drifts if (each.logical_id, each.property) not in seen]
        assert [each for each in hidden if not names(each) & listed] == [], operation
        assert "W9595" in {each.id for each in changed.findings(found)}, operation


@pytest.mark.hints("W9598")
def test_protection_that_is_put_back_ends_the_finding(changed: Changed) -> None:
    """The last test: the others need the change."""
    bucket = changed.physical_id(changed.bucket)
    changed.environment.client("s3").put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    found = changed.findings(changed.drift(changed.templates, reads_protection=True))
    assert f"{changed.bucket[1]}/VersioningConfiguration/Status" not in {each.location.path for each in found}


def test_what_each_deploy_reads_is_a_part_of_what_protects() -> None:
    assert [row.name for row in CATALOG.drift_types if not {*row.weakens} <= {*row.protects}] == []
