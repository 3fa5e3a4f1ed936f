"""Each question to the account before a deploy, answered by a local AWS whose accounts were never used."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from moto.ec2 import ec2_backends
from msgspec import structs

from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight import (
    ebs_key,
    replication_target,
    reservations,
    resource_quotas,
    spot_role,
    vcpu_quotas,
    zone_offerings,
)
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.run import preflight_findings
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.planning.build_vcpu_use import build_vcpu_use
from neuron_cluster.providers.eks import principals

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from hint_commands import command_error, commands_in
from hinted_command import run_aws
from rule_fixture import Case

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parents[3]
STANDARD, TRN, TRN_SPOT, INF = "L-1216C47A", "L-2C3B7624", "L-6B0D517C", "L-1945791B"
Check = Callable[[ClusterPlan, Any], list[Finding]]


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws(is_fresh_account=True, principals_must_exist=True) as running:
        yield running


@pytest.fixture(autouse=True)
def _unused(aws: LocalAws) -> None:
    aws.empty()


def plan_of(name: str) -> ClusterPlan:
    return check_environment(PROJECT / "environments" / f"{name}.yaml").require_plan()


def context_of(plan: ClusterPlan, aws: LocalAws) -> PreflightContext:
    destination = local_destination(aws.endpoint, plan.account, plan.region, is_fresh_account=True)
    return PreflightContext(
        plan,
        destination,
        lambda path: Location("train.yaml", path=".".join(map(str, path))),
        load_catalog(),
        build_vcpu_use(plan, load_catalog()),
        "hnb659fds",
    )


@pytest.fixture
def check(aws: LocalAws) -> Iterator[Check]:
    """Runs one check of its module; every command of a hint must be one that its program understands."""
    targets = []

    def one(plan: ClusterPlan, module: Any) -> list[Finding]:
        context = context_of(plan, aws)
        targets.append(context.destination.target)
        found = list(module.check(context))
        assert [
            command_error(each) for finding in found for each in commands_in(finding.hint) if command_error(each)
        ] == []
        return found

    yield one
    for target in targets:
        close_clients(target)


def target_of(plan: ClusterPlan, aws: LocalAws) -> LocalTarget:
    return LocalTarget(plan.region, plan.account, aws.endpoint)


def follow(finding: Finding, word: str, plan: ClusterPlan, aws: LocalAws) -> Any:
    """Carries out the command of the hint that has this word; its answer."""
    (command,) = [each for each in commands_in(finding.hint) if word in each]
    return run_aws(command, target_of(plan, aws))


def with_groups(plan: ClusterPlan, **changes: Any) -> ClusterPlan:
    """The plan with other values in the ``purchase`` option, counts or zones of its last node group."""
    assert plan.kubernetes is not None
    *others, last = plan.kubernetes.node_groups
    counts = {"desired": last.desired, "maximum": changes.pop("max", last.max)} | changes
    zone_ids = counts.pop("zone_ids", last.zone_ids)
    purchase_option = counts.pop("purchase", {})
    scaling = structs.replace(last.scaling, **counts)
    purchase = structs.replace(last.machine.purchase, **purchase_option)
    last = structs.replace(
        last, machine=structs.replace(last.machine, purchase=purchase), scaling=scaling, zone_ids=zone_ids
    )
    return structs.replace(plan, providers=(structs.replace(plan.kubernetes, node_groups=(*others, last)),))


@pytest.mark.hints("E9550")
def test_quotas_of_a_new_account_are_refused_by_code_until_they_are_raised(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1")
    found = check(plan, vcpu_quotas)
    assert [(each.id, re.findall("L-[0-9A-F]{8}", each.message)) for each in found] == [
        ("E9550", [STANDARD]),
        ("E9550", [TRN]),
    ]
    assert "allows 0 vCPUs in us-west-2; the deploy starts 2,048 of them" in found[1].message
    for finding in found:
        follow(finding, "request-service-quota-increase", plan, aws)
    assert check(plan, vcpu_quotas) == []


@pytest.mark.hints("W9551")
def test_a_quota_for_the_desired_size_alone_is_a_warning(check: Check, aws: LocalAws) -> None:
    plan = with_groups(plan_of("train-trn1"), desired=2)
    quotas = client(target_of(plan, aws), "service-quotas")
    for code, value in ((STANDARD, 8), (TRN, 256)):
        quotas.request_service_quota_increase(ServiceCode="ec2", QuotaCode=code, DesiredValue=value)
    standard, trn = check(plan, vcpu_quotas)
    assert (standard.id, trn.id) == ("W9551", "W9551")
    assert "the environment has 2,048" in trn.message
    follow(trn, "request-service-quota-increase", plan, aws)
    assert [each.id for each in check(plan, vcpu_quotas)] == ["W9551"]


@pytest.mark.parametrize(("name", "code"), [("dev-trn2", TRN_SPOT), ("dev-inf2", INF), ("workstation", INF)])
def test_a_group_that_could_never_start_a_machine_is_refused_at_size_0_too(name: str, code: str, check: Check) -> None:
    assert code in " ".join(each.message for each in check(plan_of(name), vcpu_quotas) if each.id == "E9550")


def test_reserved_machines_count_where_they_were_reserved(check: Check) -> None:
    """A reservation counted when it was made; a block never does."""
    found = check(plan_of("train-trn1n"), vcpu_quotas)
    assert [(each.id, STANDARD in each.message) for each in found] == [("E9550", True), ("W9551", False)]
    found = check(plan_of("train-trn2"), vcpu_quotas)
    assert [(each.id, STANDARD in each.message) for each in found] == [("E9550", True)]


def test_a_type_without_a_known_quota_is_no_pass(check: Check, aws: LocalAws) -> None:
    context = context_of(plan_of("train-trn1"), aws)
    unknown = structs.replace(context.vcpus[1], code="", name="trn9.48xlarge")
    gone = structs.replace(context.vcpus[1], code="L-00000000")
    found = list(vcpu_quotas.check(structs.replace(context, vcpus=(unknown, gone))))
    assert [each.id for each in found] == ["W9556", "W9556"]
    assert command_error(commands_in(found[0].hint)[0]) == ""


def test_a_role_that_does_not_exist_is_refused_until_it_is_made(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1")
    (finding,) = check(plan, principals)
    assert (finding.id, finding.location.path) == ("E9552", "eks.access.admins.0")
    follow(finding, "create-role", plan, aws)
    assert check(plan, principals) == []


@pytest.mark.hints("E9552")
def test_a_user_a_path_and_another_account(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1")
    assert plan.kubernetes is not None
    user, elsewhere = (f"arn:aws:iam::{account}:user/people/ann" for account in (plan.account, "444455556666"))
    role = f"arn:aws:iam::{plan.account}:role/teams/ops"
    plan = structs.replace(plan, providers=(structs.replace(plan.kubernetes, admins=(user, role, elsewhere)),))
    missing, also_missing, unknown = check(plan, principals)
    assert (missing.id, also_missing.id, unknown.id) == ("E9552", "E9552", "W9556")
    follow(missing, "create-user", plan, aws)
    follow(also_missing, "create-role", plan, aws)
    assert [each.id for each in check(plan, principals)] == ["W9556"]
    iam = client(target_of(plan, aws), "iam")
    trust = json.dumps(iam.get_role(RoleName="ops")["Role"]["AssumeRolePolicyDocument"])
    iam.delete_role(RoleName="ops")
    iam.create_role(RoleName="ops", AssumeRolePolicyDocument=trust)
    wrong, _ = check(plan, principals)
    assert wrong.hint == f"write arn:aws:iam::{plan.account}:role/ops"


def test_a_role_of_identity_center_is_not_made_by_hand(check: Check) -> None:
    plan = plan_of("train-trn1")
    assert plan.kubernetes is not None
    path = "aws-reserved/sso.amazonaws.com/us-west-2/AWSReservedSSO_Admin_0123456789abcdef"
    role = f"arn:aws:iam::{plan.account}:role/{path}"
    (finding,) = check(structs.replace(plan, providers=(structs.replace(plan.kubernetes, admins=(role,)),)), principals)
    assert ("create-role" in finding.hint, "assign the permission set" in finding.hint) == (False, True)


def reserved(plan: ClusterPlan, aws: LocalAws, **changes: Any) -> str:
    """Id of a reservation for the last node group of the plan."""
    assert plan.kubernetes is not None
    group = plan.kubernetes.node_groups[-1]
    target = target_of(plan, aws)
    quotas = client(target, "service-quotas")
    if quotas.get_service_quota(ServiceCode="ec2", QuotaCode=TRN)["Quota"]["Value"] == 0:
        quotas.request_service_quota_increase(ServiceCode="ec2", QuotaCode=TRN, DesiredValue=9999)
    wish = {
        "InstanceType": group.machine.instance_type,
        "InstancePlatform": "Linux/UNIX",
        "AvailabilityZoneId": group.zone_ids[0],
        "InstanceCount": group.max,
        "InstanceMatchCriteria": "targeted",
    }
    row = client(target, "ec2").create_capacity_reservation(**{**wish, **changes})["CapacityReservation"]
    return str(row["CapacityReservationId"])


@pytest.mark.hints("E9553", "W9554")
def test_a_reservation_must_be_there_active_and_fit(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1n")
    assert check(plan, reservations) == [], "the placeholder of the examples, on the local AWS"
    held = reserved(plan, aws)
    good = with_groups(plan, purchase={"reservation_id": held})
    assert check(good, reservations) == []

    (missing,) = check(with_groups(plan, purchase={"reservation_id": "cr-0fedcba9876543210"}), reservations)
    assert (missing.id, missing.location.path) == ("E9553", "eks.node_groups.1.capacity.reservation_id")
    ((found, state, *_),) = follow(missing, "describe-capacity-reservations", plan, aws)
    assert (found, state) == (held, "active"), "the id to write"

    (elsewhere,) = check(with_groups(good, zone_ids=("usw2-az9",)), reservations)
    assert (elsewhere.id, "availability_zone is usw2-az9" in elsewhere.message) == ("E9553", True)
    (block,) = check(with_groups(good, purchase={"kind": "capacity_block"}), reservations)
    assert (block.id, "not a capacity block" in block.message) == ("E9553", True)
    assert "`neuron-cluster capacity offers train-trn1n`" in block.hint
    (small,) = check(with_groups(good, desired=99, max=99), reservations)
    assert (small.id, "count.desired is 99" in small.message) == ("E9553", True)
    (large,) = check(with_groups(good, max=99), reservations)
    assert (large.id, "count.max is 99" in large.message) == ("W9554", True)
    ((_, _, _, count, *_),) = follow(large, "describe-capacity-reservations", plan, aws)
    assert check(with_groups(good, max=count), reservations) == []

    client(target_of(plan, aws), "ec2").cancel_capacity_reservation(CapacityReservationId=held)
    (over,) = check(good, reservations)
    assert (over.id, "it is cancelled" in over.message) == ("E9553", True)


def _addresses(ec2: Any) -> None:
    for _ in range(5):
        ec2.allocate_address(Domain="vpc")
    with pytest.raises(ClientError, match="AddressLimitExceeded"):
        ec2.allocate_address(Domain="vpc")


def _vpcs(ec2: Any) -> None:
    for number in range(5 - len(ec2.describe_vpcs()["Vpcs"])):
        ec2.create_vpc(CidrBlock=f"10.{200 + number}.0.0/16")


QUOTAS = [
    (_addresses, "(L-0263D0A3) is 5 in us-west-2; the account has 5, and the deploy needs 1 more (NAT gateways)"),
    (_vpcs, "(L-F678F1CE) is 5 in us-west-2; the account has 5, and the deploy needs 1 more (this environment)"),
]


@pytest.mark.hints("E9581")
@pytest.mark.parametrize(
    ("fill", "text"), [QUOTAS[0], *(pytest.param(*row, marks=pytest.mark.exhaustive) for row in QUOTAS[1:])]
)
def test_a_quota_that_is_too_small_for_the_deploy_is_rejected_until_it_is_raised(
    fill: Callable[[Any], None], text: str, check: Check, aws: LocalAws
) -> None:
    plan = plan_of("dev-inf2")
    assert check(plan, resource_quotas) == []
    fill(client(target_of(plan, aws), "ec2"))
    (found,) = check(plan, resource_quotas)
    assert (found.id, text in found.message) == ("E9581", True), found.message
    follow(found, "request-service-quota-increase", plan, aws)
    assert check(plan, resource_quotas) == []


def deployed_network(environment: str, aws: LocalAws) -> ClusterPlan:
    """Creates the network stack of a shipped environment, by its golden template."""
    plan = plan_of(environment)
    target = target_of(plan, aws)
    client(target, "ssm").put_parameter(Name="/cdk-bootstrap/hnb659fds/version", Value="30", Type="String")
    name = plan.stack_name("network")
    body = (PROJECT / "tests" / "golden" / environment / f"{name}.template.json").read_text()
    create_stack(target, name, body, {})
    return plan


def nat_per_zone(plan: ClusterPlan) -> ClusterPlan:
    zones = tuple(structs.replace(each, has_nat_gateway=True, nat_zone_id=each.zone_id) for each in plan.network.zones)
    return structs.replace(plan, network=structs.replace(plan.network, zones=zones))


@pytest.mark.hints("E9581")
def test_an_edit_that_needs_another_elastic_ip_asks_for_the_difference(check: Check, aws: LocalAws) -> None:
    plan = deployed_network("dev-inf2", aws)
    ec2 = client(target_of(plan, aws), "ec2")
    while len(ec2.describe_addresses()["Addresses"]) < 5:
        ec2.allocate_address(Domain="vpc")
    assert check(plan, resource_quotas) == []
    edited = nat_per_zone(plan)
    (found,) = check(edited, resource_quotas)
    assert (found.id, found.location.path) == ("E9581", "network.nat")
    assert "(L-0263D0A3) is 5 in us-west-2; the account has 5, and the deploy needs 1 more" in found.message
    assert "--desired-value 6 " in found.hint
    follow(found, "request-service-quota-increase", plan, aws)
    assert check(edited, resource_quotas) == []


@pytest.mark.hints("E9581")
def test_nat_gateways_are_counted_in_the_zones_that_get_one(check: Check, aws: LocalAws) -> None:
    plan = deployed_network("dev-inf2", aws)
    ec2 = client(target_of(plan, aws), "ec2")
    client(target_of(plan, aws), "service-quotas").request_service_quota_increase(
        ServiceCode="ec2", QuotaCode="L-0263D0A3", DesiredValue=20
    )
    first, second = (each.zone_id for each in plan.network.zones)
    for zone_id, count in ((first, 4), (second, 4)):
        in_zone = [{"Name": "availability-zone-id", "Values": [zone_id]}]
        subnet = ec2.describe_subnets(Filters=in_zone)["Subnets"][0]["SubnetId"]
        for _ in range(count):
            ec2.create_nat_gateway(SubnetId=subnet, ConnectivityType="private")
    edited = nat_per_zone(plan)
    assert check(edited, resource_quotas) == [], "the first zone is full, and gets none"
    ec2.create_nat_gateway(SubnetId=subnet, ConnectivityType="private")
    (found,) = check(edited, resource_quotas)
    assert (found.id, "(L-FE5A380F) is 5 in us-west-2; a zone has 5" in found.message) == ("E9581", True)


@pytest.mark.exhaustive
@pytest.mark.hints("W9582")
def test_volumes_of_the_maximum_sizes_beyond_the_quota_are_a_warning(check: Check, aws: LocalAws) -> None:
    plan = with_groups(plan_of("dev-inf2"), max=400)
    (found,) = [each for each in check(plan, resource_quotas) if "L-7A658B76" in each.message]
    assert (found.id, "is 50 in us-west-2" in found.message) == ("W9582", True)


@pytest.mark.hints("E9583")
def test_a_zone_that_does_not_sell_the_type_is_refused_before_any_stack(check: Check) -> None:
    plan = plan_of("train-trn1n")
    assert check(plan, zone_offerings) == []
    (found,) = check(with_groups(plan, zone_ids=("usw2-az4", "usw2-az1"), desired=2), zone_offerings)
    assert found.id == "E9583"
    assert "EC2 offers trn1n.32xlarge in usw2-az4, not in usw2-az1" in found.message
    assert found.hint.startswith("set availability_zone: usw2-az4; `aws ec2 describe-instance-type-offerings")


DEDICATED = {"Tenancy": "dedicated"}
UNFIT_RESERVATIONS = [
    (DEDICATED, "E9553", "its tenancy is dedicated, but that of the instances is default"),
    ({"InstancePlatform": "Red Hat Enterprise Linux"}, "E9553", "its platform is Red Hat Enterprise Linux, but"),
    ({"InstanceType": "trn1.32xlarge"}, "E9553", "it has trn1.32xlarge, but instance_type is trn1n.32xlarge"),
    ({"AvailabilityZoneId": "usw2-az9"}, "E9553", "it is in usw2-az9, but availability_zone is"),
    ({"ReservationType": "capacity-block"}, "E9553", "it is a capacity block, unlike capacity.kind"),
    ({"TotalInstanceCount": 1}, "E9553", "it has 1 instance, but count.desired is 2"),
    ({"State": "cancelled"}, "E9553", "it is cancelled"),
    ({"PlacementGroupArn": "arn:aws:ec2:us-west-2:1:placement-group/a"}, "E9553", "in the placement group arn:aws:"),
    ({"InstanceMatchCriteria": "open"}, "W9554", "is open: it takes any instance of the account that matches"),
    ({"OwnerId": "444455556666"}, "W9554", "belongs to account 444455556666, which shares it"),
    ({"EndDate": datetime(2999, 1, 1, tzinfo=UTC)}, "W9554", "ends 2999-01-01 00:00 UTC"),
]


@pytest.mark.hints("E9553", "W9554")
@pytest.mark.parametrize(
    ("change", "finding_id", "text"),
    [UNFIT_RESERVATIONS[0], *(pytest.param(*row, marks=pytest.mark.exhaustive) for row in UNFIT_RESERVATIONS[1:])],
)
def test_each_attribute_of_a_reservation_that_no_node_matches_is_a_finding(
    change: dict[str, Any], finding_id: str, text: str, check: Check, aws: LocalAws
) -> None:
    plan = plan_of("train-trn1n")
    held = reserved(plan, aws)
    plan = with_groups(plan, purchase={"reservation_id": held}, desired=2)
    assert check(plan, reservations) == []
    row = aws.store.table(plan.account, plan.region, "ec2.capacity-reservations")[held]
    row.update({"EndDate": datetime(2999, 1, 1, tzinfo=UTC)} if "ReservationType" in change else {}, **change)
    found = next(each for each in check(plan, reservations) if text in each.message)
    assert found.id == finding_id
    if "modify-capacity-reservation" in found.hint:
        follow(found, "modify-capacity-reservation", plan, aws)
        assert check(plan, reservations) == []


def run_in(reservation_id: str, count: int, plan: ClusterPlan, aws: LocalAws) -> None:
    """Starts instances of somebody else in a reservation."""
    ec2 = client(target_of(plan, aws), "ec2")
    in_zone = [{"Name": "availability-zone-id", "Values": [plan.compute_groups[-1].zone_ids[0]]}]
    ec2.run_instances(
        ImageId=ec2.describe_images(Owners=["amazon"])["Images"][0]["ImageId"],
        InstanceType="trn1n.32xlarge",
        MinCount=count,
        MaxCount=count,
        SubnetId=ec2.describe_subnets(Filters=in_zone)["Subnets"][0]["SubnetId"],
        CapacityReservationSpecification={"CapacityReservationTarget": {"CapacityReservationId": reservation_id}},
    )


def test_a_reservation_that_others_use_is_refused(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1n")
    held = reserved(plan, aws)
    plan = with_groups(plan, purchase={"reservation_id": held}, desired=2)
    total = aws.store.table(plan.account, plan.region, "ec2.capacity-reservations")[held]["TotalInstanceCount"]
    run_in(held, total - 1, plan, aws)
    (found,) = check(plan, reservations)
    assert (found.id, f"1 of its {total} instances are free, but count.desired is 2" in found.message) == (
        "E9553", True
    )  # fmt: skip


def test_open_reservations_that_no_node_matches_are_no_capacity(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1n")
    purchase = {"reservation_id": None, "reservation_preference": "open"}
    plan = with_groups(plan, purchase=purchase, desired=2)
    reserved(plan, aws, InstanceMatchCriteria="open", Tenancy="dedicated")
    reserved(plan, aws, InstanceMatchCriteria="open", InstanceCount=1)
    (found,) = check(plan, reservations)
    assert (found.id, "have 1 free instance that" in found.message) == ("W9554", True)
    reserved(plan, aws, InstanceMatchCriteria="open", InstanceCount=1)
    assert check(plan, reservations) == []


def test_a_block_that_is_over_is_refused_and_one_that_has_not_begun_is_said(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn2")
    held = reserved(plan, aws)
    plan = with_groups(plan, purchase={"reservation_id": held}, desired=2)
    row = aws.store.table(plan.account, plan.region, "ec2.capacity-reservations")[held]
    now = datetime.now(UTC)
    row.update(ReservationType="capacity-block", StartDate=now + timedelta(1), EndDate=now + timedelta(2))
    (late,) = check(plan, reservations)
    assert (late.id, "is scheduled and begins" in late.message) == ("W9554", True)
    row.update(StartDate=now - timedelta(2), EndDate=now - timedelta(1))
    (over,) = check(plan, reservations)
    assert (over.id, "it is expired since" in over.message) == ("E9553", True)
    assert "`neuron-cluster capacity offers train-trn2`" in over.hint
    (new,) = check(with_groups(plan, desired=0), reservations)
    assert new.id == "E9553", "EKS reads the block when it makes the group, which is not there yet"


def in_resource_group(plan: ClusterPlan, aws: LocalAws, *counts: int) -> tuple[ClusterPlan, list[str]]:
    """The plan with eight nodes in a resource group of reservations of these sizes, and their ids."""
    groups = client(target_of(plan, aws), "resource-groups")
    arn = groups.create_group(
        Name="trn1n",
        Configuration=[
            {
                "Type": "AWS::ResourceGroups::Generic",
                "Parameters": [{"Name": "allowed-resource-types", "Values": ["AWS::EC2::CapacityReservation"]}],
            },
            {"Type": "AWS::EC2::CapacityReservationPool"},
        ],
    )["Group"]["GroupArn"]
    plan = with_groups(plan, purchase={"reservation_id": None, "resource_group_arn": arn}, desired=8, max=8)
    held = [reserved(plan, aws, InstanceCount=count) for count in counts]
    for each in held:
        member = f"arn:aws:ec2:{plan.region}:{plan.account}:capacity-reservation/{each}"
        groups.group_resources(Group=arn, ResourceArns=[member])
    return plan, held


@pytest.mark.hints("E9553", "W9554")
def test_the_reservations_of_a_resource_group_count_together(check: Check, aws: LocalAws) -> None:
    plan, _ = in_resource_group(plan_of("train-trn1n"), aws, 4, 4)
    assert check(plan, reservations) == []
    (small,) = check(with_groups(plan, max=9), reservations)
    assert (small.id, "8 instances that trn1n can use, but count.max is 9" in small.message) == ("W9554", True)
    arn = plan.compute_groups[-1].machine.purchase.resource_group_arn
    (gone,) = check(with_groups(plan, purchase={"resource_group_arn": f"{arn}-gone"}), reservations)
    assert (gone.id, "does not exist" in gone.message) == ("E9553", True)


def test_a_resource_group_without_reservations_is_refused(check: Check, aws: LocalAws) -> None:
    plan, _ = in_resource_group(plan_of("train-trn1n"), aws)
    (empty,) = check(plan, reservations)
    arn = plan.compute_groups[-1].machine.purchase.resource_group_arn
    assert (empty.id, empty.message) == (
        "E9553",
        f"{arn} has 0 capacity reservations with 0 instances that trn1n can use, but count.desired is 8",
    )


@pytest.mark.hints("E9553", "W9554")
@pytest.mark.parametrize(
    ("change", "finding_id", "text"),
    [
        UNFIT_RESERVATIONS[0],
        *(
            pytest.param(*row, marks=pytest.mark.exhaustive)
            for row in UNFIT_RESERVATIONS[1:]
            if "TotalInstanceCount" not in row[0]
        ),
    ],
)
def test_each_attribute_of_a_reservation_in_a_resource_group_is_named(
    change: dict[str, Any], finding_id: str, text: str, check: Check, aws: LocalAws
) -> None:
    plan, (good, changed) = in_resource_group(plan_of("train-trn1n"), aws, 4, 4)
    row = aws.store.table(plan.account, plan.region, "ec2.capacity-reservations")[changed]
    row.update({"EndDate": datetime(2999, 1, 1, tzinfo=UTC)} if "ReservationType" in change else {}, **change)
    (found,) = check(plan, reservations)
    assert (found.id, text in found.message) == (finding_id, True), found.message
    assert changed in found.message
    assert good not in found.message
    if finding_id == "E9553":
        assert "2 capacity reservations with 4 instances that trn1n can use, but count.desired is 8; " in found.message
    if "modify-capacity-reservation" in found.hint:
        follow(found, "modify-capacity-reservation", plan, aws)
        assert check(plan, reservations) == []


def test_a_reservation_in_a_resource_group_that_others_use_is_named(check: Check, aws: LocalAws) -> None:
    plan, (held,) = in_resource_group(plan_of("train-trn1n"), aws, 8)
    run_in(held, 7, plan, aws)
    (found,) = check(plan, reservations)
    assert found.message.endswith(
        "has 1 capacity reservation with 1 instance that trn1n can use, but count.desired is 8; "
        f"{held}: 1 of its 8 instances are free"
    )


@pytest.mark.exhaustive
def test_a_reservation_in_a_resource_group_that_has_not_begun_or_is_gone_is_named(check: Check, aws: LocalAws) -> None:
    plan, (first, second) = in_resource_group(plan_of("train-trn1n"), aws, 4, 4)
    table = aws.store.table(plan.account, plan.region, "ec2.capacity-reservations")
    table[first]["StartDate"] = datetime.now(UTC) + timedelta(1)
    (late,) = check(plan, reservations)
    assert (late.id, f"{first} of arn:" in late.message, "is scheduled and begins" in late.message) == (
        "W9554", True, True
    )  # fmt: skip
    del table[second]
    (gone,) = check(plan, reservations)
    assert (gone.id, f"; {second}: EC2 does not return it for {plan.account}" in gone.message) == ("E9553", True)


RED_HAT = "Red Hat Enterprise Linux"


def with_image(plan: ClusterPlan, aws: LocalAws, platform: str) -> ClusterPlan:
    """The plan with an AMI of its own for its last node group, whose platform details EC2 gives so."""
    ec2 = client(target_of(plan, aws), "ec2")
    image_id = ec2.describe_images(Owners=["amazon"])["Images"][0]["ImageId"]
    image_of(plan, image_id).platform_details = platform
    assert plan.kubernetes is not None
    *others, last = plan.kubernetes.node_groups
    last = structs.replace(last, image=structs.replace(last.image, image=image_id))
    return structs.replace(plan, providers=(structs.replace(plan.kubernetes, node_groups=(*others, last)),))


def image_of(plan: ClusterPlan, image_id: str) -> Any:
    return ec2_backends[plan.account][plan.region].amis[image_id]


@pytest.mark.parametrize("platform", ["SUSE Linux", *(pytest.param(p, marks=pytest.mark.exhaustive) for p in
                                                     (RED_HAT, "Ubuntu Pro"))])  # fmt: skip
def test_the_platform_of_a_reservation_is_that_of_the_ami_of_the_file(
    platform: str, check: Check, aws: LocalAws
) -> None:
    plan = with_image(plan_of("train-trn1n"), aws, platform)
    image_id = plan.compute_groups[-1].image.pinned
    held, other = reserved(plan, aws, InstancePlatform=platform), reserved(plan, aws)
    assert check(with_groups(plan, purchase={"reservation_id": held}), reservations) == []
    (found,) = check(with_groups(plan, purchase={"reservation_id": other}), reservations)
    assert (found.id, f"its platform is Linux/UNIX, but that of {image_id} is {platform}" in found.message) == (
        "E9553", True
    )  # fmt: skip


def test_an_ami_whose_platform_no_reservation_can_have_is_a_warning(check: Check, aws: LocalAws) -> None:
    plan = with_image(plan_of("train-trn1n"), aws, "Red Hat BYOL Linux")
    plan = with_groups(plan, purchase={"reservation_id": reserved(plan, aws)})
    (found,) = check(plan, reservations)
    assert (found.id, "has the platform Linux/UNIX, and EC2 describes" in found.message) == ("W9554", True)


def test_open_reservations_that_do_not_fit_are_named_with_the_attribute(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1n")
    plan = with_groups(plan, purchase={"reservation_id": None, "reservation_preference": "open"}, desired=2)
    dedicated = reserved(plan, aws, InstanceMatchCriteria="open", Tenancy="dedicated")
    targeted = reserved(plan, aws, InstanceCount=1)
    other_type = reserved(plan, aws, InstanceMatchCriteria="open", InstanceType="trn1.32xlarge", InstanceCount=1)
    (found,) = check(plan, reservations)
    assert f"{dedicated}: its tenancy is dedicated, but that of the instances is default" in found.message
    assert f"{targeted}: it is targeted, not open" in found.message
    assert other_type not in found.message


@pytest.mark.hints("E9555")
def test_the_default_key_of_ebs_must_be_one_that_auto_scaling_may_use(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1")
    target = target_of(plan, aws)
    assert check(plan, ebs_key) == []
    kms, ec2 = client(target, "kms"), client(target, "ec2")
    key = kms.create_key()["KeyMetadata"]["Arn"]
    ec2.modify_ebs_default_kms_key_id(KmsKeyId=key)
    (forbidden,) = check(plan, ebs_key)
    assert (forbidden.id, "Auto Scaling may not use" in forbidden.message) == ("E9555", True)
    follow(forbidden, "create-grant", plan, aws)
    assert check(plan, ebs_key) == []
    kms.disable_key(KeyId=key)
    (disabled,) = check(plan, ebs_key)
    assert (disabled.id, "is Disabled" in disabled.message) == ("E9555", True)
    follow(disabled, "enable-key", plan, aws)
    assert check(plan, ebs_key) == []
    kms.schedule_key_deletion(KeyId=key)
    (deleted,) = check(plan, ebs_key)
    assert (deleted.id, "is PendingDeletion" in deleted.message) == ("E9555", True)
    follow(deleted, "cancel-key-deletion", plan, aws)
    follow(deleted, "enable-key", plan, aws)
    assert check(plan, ebs_key) == []
    kms.disable_key(KeyId=key)
    follow(disabled, "reset-ebs-default-kms-key-id", plan, aws)
    assert check(plan, ebs_key) == []


@pytest.mark.hints("E9555")
def test_the_default_key_of_ebs_must_be_one_that_pcs_may_use(check: Check, aws: LocalAws) -> None:
    plan = plan_of("slurm-trn1")
    target = target_of(plan, aws)
    key = client(target, "kms").create_key()["KeyMetadata"]["Arn"]
    client(target, "ec2").modify_ebs_default_kms_key_id(KmsKeyId=key)
    (forbidden,) = check(plan, ebs_key)
    assert (forbidden.id, "AWS PCS may not use" in forbidden.message) == ("E9555", True)
    assert "AWSServiceRoleForAutoScaling" not in forbidden.message + forbidden.hint
    follow(forbidden, "create-grant", plan, aws)
    assert check(plan, ebs_key) == []


@pytest.mark.hints("W9606")
def test_spot_groups_of_pcs_need_the_service_linked_role_of_spot(check: Check, aws: LocalAws, tmp_path: Path) -> None:
    file = tmp_path / "slurm-trn1.yaml"
    file.write_text(Case("slurm-trn1", {"slurm.groups[0].capacity": {"kind": "spot"}}).text(), encoding="utf-8")
    plan = check_environment(file).require_plan()
    (missing,) = check(plan, spot_role)
    assert (missing.id, missing.location.path) == ("W9606", "slurm.groups.0.capacity")
    follow(missing, "create-service-linked-role", plan, aws)
    assert check(plan, spot_role) == []
    assert check(plan_of("slurm-trn1"), spot_role) == []


def test_a_key_policy_that_names_auto_scaling_is_enough(check: Check, aws: LocalAws) -> None:
    plan = plan_of("train-trn1")
    target = target_of(plan, aws)
    role = ebs_key.AUTO_SCALING.arn(plan)
    statements = [
        {"Effect": "Allow", "Principal": {"AWS": who}, "Action": "kms:*", "Resource": "*"}
        for who in (f"arn:aws:iam::{plan.account}:root", role)
    ]
    policy = json.dumps({"Version": "2012-10-17", "Statement": statements})
    key = client(target, "kms").create_key(Policy=policy)["KeyMetadata"]["KeyId"]
    client(target, "ec2").modify_ebs_default_kms_key_id(KmsKeyId=key)
    assert check(plan, ebs_key) == []


def test_an_unused_account_is_told_everything_at_once(aws: LocalAws) -> None:
    context = context_of(plan_of("train-trn1"), aws)
    assert [each.id for each in preflight_findings(context)] == ["E9503", "E9550", "E9550", "E9552"]
    close_clients(context.destination.target)


def test_another_qualifier_that_is_there_is_named(aws: LocalAws) -> None:
    context = structs.replace(context_of(plan_of("train-trn1"), aws), qualifier="mine")
    target = context.destination.target
    client(target, "ssm").put_parameter(Name="/cdk-bootstrap/theirs/version", Value="27", Type="String")
    finding = preflight_findings(context)[0]
    assert (finding.id, "/cdk-bootstrap/mine/version is missing" in finding.message) == ("E9503", True)
    assert "or use theirs, which is there" in finding.hint
    assert commands_in(finding.hint) == [
        'cdk bootstrap --app "" --qualifier mine --toolkit-stack-name CDKToolkit-mine aws://111122223333/us-west-2'
    ]
    close_clients(target)


DENIED = {
    "ssm": "GetParameter",
    "service-quotas": "GetServiceQuota",
    "iam": "GetRole",
    "ec2": "GetEbsDefaultKmsKeyId",
}


@pytest.mark.hints("W9556")
@pytest.mark.parametrize(("service", "operation"), DENIED.items())
def test_a_missing_permission_is_a_warning_that_names_it(service: str, operation: str, aws: LocalAws) -> None:
    context = context_of(plan_of("train-trn1"), aws)
    with aws.faults.access_denied(service, operation):
        found = [each for each in preflight_findings(context) if each.id == "W9556"]
    assert len(found) == (2 if service == "service-quotas" else 1), "of vCPUs, and of other resources"
    assert f":{operation}" in found[0].hint
    assert "not checked" in found[0].message
    assert "W9556" not in {each.id for each in preflight_findings(context)}, "with the permission"
    close_clients(context.destination.target)


def test_a_service_that_is_not_reached_is_a_warning(aws: LocalAws) -> None:
    """As in a network without an endpoint for it."""
    context = context_of(plan_of("train-trn1"), aws)
    with aws.faults.dropped_connection("service-quotas", "GetServiceQuota"):
        found = preflight_findings(context)
    assert [each.id for each in found] == ["E9503", "W9556", "E9552"]
    assert "no connection" in found[1].message or "has ended" in found[1].message
    close_clients(context.destination.target)


def test_a_service_that_is_throttled_stops_the_deploy(aws: LocalAws) -> None:
    context = context_of(plan_of("train-trn1"), aws)
    with (
        aws.faults.throttling("service-quotas", "GetServiceQuota", times=1),
        pytest.raises(AwsApiError, match="throttled"),
    ):
        preflight_findings(context)
    close_clients(context.destination.target)


def replicating(region: str = "us-east-2", **more: str) -> dict[str, str]:
    key = f"arn:aws:kms:{region}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    return {"bucket": "checkpoints-replica", "region": region, "key_arn": key, **more}


@pytest.mark.hints("E9557")
def test_the_target_of_replication_must_exist_with_versioning(
    check: Check, aws: LocalAws, plan_of: Callable[..., ClusterPlan]
) -> None:
    edit = "storage.checkpoint_bucket.replication"
    plan = plan_of("train-trn1", {edit: replicating()})
    (absent,) = check(plan, replication_target)
    assert (absent.id, absent.location.path) == ("E9557", f"{edit}.bucket")
    assert "does not exist" in absent.message
    create, enable = commands_in(absent.hint)
    there = structs.replace(target_of(plan, aws), region="us-east-2")
    run_aws(create, there)
    (unversioned,) = check(plan, replication_target)
    assert "has no versioning" in unversioned.message
    assert commands_in(unversioned.hint) == [enable]
    run_aws(enable, there)
    assert check(plan, replication_target) == []
    (elsewhere,) = check(plan_of("train-trn1", {edit: replicating("us-west-1")}), replication_target)
    assert (elsewhere.location.path, "is in us-east-2" in elsewhere.message) == (f"{edit}.region", True)
    assert "set region: us-east-2" in elsewhere.hint
    locked = {edit: replicating(), "storage.checkpoint_bucket.object_lock": {"mode": "governance", "days": 7}}
    (unlocked,) = check(plan_of("train-trn1", locked), replication_target)
    assert "has no Object Lock" in unlocked.message
    (lock,) = commands_in(unlocked.hint)
    run_aws(lock, there)
    assert check(plan_of("train-trn1", locked), replication_target) == []
    close_clients(there)
    other = {edit: replicating("us-west-1", account="444455556666")}
    assert check(plan_of("train-trn1", other), replication_target) == []
    assert check(plan_of("train-trn1"), replication_target) == []
