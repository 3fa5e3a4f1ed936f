"""Each rule that AWS enforces, broken by a call: refused with the rule's error code, in words like the service's.

A test that breaks a rule is parametrized by its ``rule_id``: the last test finds it there.
"""

from __future__ import annotations

import base64
import json

import pytest

from neuron_cluster.template_rules.base import Verdict
from neuron_cluster.template_rules.discover import all_template_rules

RULES = {rule.id: rule for rule in all_template_rules()}
PRIMARY = {"DeviceIndex": 0}
BOTH = {
    "CapacityReservationId": "cr-0123456789abcdef0",
    "CapacityReservationResourceGroupArn": "arn:aws:resource-groups:us-west-2:111122223333:group/trn1",
}
BLOCK = {
    "InstanceMarketOptions": {"MarketType": "capacity-block"},
    "CapacityReservationSpecification": {
        "CapacityReservationTarget": {"CapacityReservationId": BOTH["CapacityReservationId"]}
    },
}
DATA = {
    "E8101": (
        {"NetworkInterfaces": [PRIMARY], "SecurityGroupIds": ["sg-1"]},
        "Network interfaces and an instance-level security groups may not be specified on the same request",
    ),
    "E8103": (
        {"NetworkInterfaces": [PRIMARY, PRIMARY]},
        "has NetworkCardIndex 0 and DeviceIndex 0, as LaunchTemplateData.NetworkInterfaces[0] has",
    ),
    "E8104": (
        {"NetworkInterfaces": [{"DeviceIndex": 1}]},
        "When specifying network interfaces, you must include a device at index 0.",
    ),
    "E8105": ({"NetworkInterfaces": [{**PRIMARY, "InterfaceType": "efa-only"}]}, "interface is efa-only"),
    "E8106": (
        {"InstanceType": "trn1.2xlarge", "NetworkInterfaces": [{**PRIMARY, "InterfaceType": "efa"}]},
        "lists 1 EFA interfaces; trn1.2xlarge supports 0",
    ),
    "E8107": (
        {"InstanceType": "trn1.2xlarge", "NetworkInterfaces": [{"DeviceIndex": index} for index in range(5)]},
        "Interface count 5 exceeds the limit for trn1.2xlarge",
    ),
    "E8108": (
        {"NetworkInterfaces": [{**PRIMARY, "AssociatePublicIpAddress": True}, {"DeviceIndex": 1}]},
        "The associatePublicIPAddress parameter cannot be specified when launching with multiple network interfaces.",
    ),
    "E8111": (
        {"InstanceType": "trn2.48xlarge", "InstanceMarketOptions": {"MarketType": "capacity-block"}},
        "CapacityReservationTarget is not set",
    ),
    "E8113": (
        {"NetworkInterfaces": [{**PRIMARY, "Groups": [f"sg-{number}" for number in range(6)]}]},
        "The maximum number of security groups per interface has been reached.",
    ),
    "E8115": (
        {"InstanceType": "trn1.32xlarge", "CapacityReservationSpecification": {"CapacityReservationTarget": BOTH}},
        "sets both CapacityReservationId and CapacityReservationResourceGroupArn",
    ),
    "E8116": (
        {
            "InstanceType": "trn1.32xlarge",
            "CapacityReservationSpecification": {
                "CapacityReservationPreference": "open",
                "CapacityReservationTarget": {"CapacityReservationId": BOTH["CapacityReservationId"]},
            },
        },
        "The request can include either a CapacityReservationId or a CapacityReservationPreference but not both.",
    ),
    "E8114": ({"UserData": "x" * 16385}, "User data is limited to 16384 bytes"),
}
"""The data of a launch that violates each rule, and words of the error."""
FILE_SYSTEM = {
    "FileSystemType": "LUSTRE",
    "StorageCapacity": 1200,
    "FileSystemTypeVersion": "2.15",
    "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250},
}
HERE = {"LocationConstraint": "us-west-2"}
TRUST = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole"}]}


@pytest.fixture(scope="module")
def network(client):
    """A VPC, a subnet of it, and one of a second zone."""
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnets = [
        ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{number}.0/24", AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
        for number, zone in enumerate(("usw2-az4", "usw2-az4", "usw2-az1"))
    ]
    return vpc, subnets


@pytest.fixture(scope="module")
def cluster(client, network):
    statement = {**TRUST["Statement"][0], "Principal": {"Service": ["eks.amazonaws.com", "ec2.amazonaws.com"]}}
    document = json.dumps({**TRUST, "Statement": [statement]})
    role = client("iam").create_role(RoleName="both", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    subnets = network[1][1:]
    client("eks").create_cluster(name="rules", roleArn=role, resourcesVpcConfig={"subnetIds": subnets})
    return {"clusterName": "rules", "nodeRole": role, "subnets": subnets[:1]}


@pytest.fixture
def template(client, request):
    """Makes a launch template that goes away with the test; gives how EKS names it."""
    ec2, made = client("ec2"), []

    def make(data):
        name = f"t-{len(made)}-{abs(hash(request.node.name))}"
        ec2.create_launch_template(LaunchTemplateName=name, LaunchTemplateData=encoded(data))
        made.append(name)
        return {"name": name}

    yield make
    for name in made:
        ec2.delete_launch_template(LaunchTemplateName=name)


def encoded(data):
    """A launch template takes user data in base64; the SDK does that for RunInstances only."""
    return {**data, "UserData": base64.b64encode(data["UserData"].encode()).decode()} if "UserData" in data else data


@pytest.mark.parametrize("rule_id", sorted(DATA))
def test_run_instances_is_refused(client, refused, rule_id):
    data, text = DATA[rule_id]
    code, message = refused(client("ec2").run_instances, ImageId="ami-1", MinCount=1, MaxCount=1, **data)
    assert code == RULES[rule_id].error_code
    assert text in message


OF_THE_TEMPLATE = {"E8114"}
"""EC2 refuses such a template itself."""


def test_a_template_with_too_much_user_data_is_refused_itself(client, refused):
    data, text = DATA["E8114"]
    create = client("ec2").create_launch_template
    code, message = refused(create, LaunchTemplateName="large", LaunchTemplateData=encoded(data))
    assert code == "InvalidUserData.Malformed"
    assert text in message


@pytest.mark.parametrize("rule_id", sorted(set(DATA) - OF_THE_TEMPLATE))
def test_run_instances_from_a_template_is_refused(client, refused, template, rule_id):
    """EC2 takes the template itself."""
    data, text = DATA[rule_id]
    named = {"LaunchTemplateName": template(data)["name"]}
    code, message = refused(client("ec2").run_instances, ImageId="ami-1", MinCount=1, MaxCount=1, LaunchTemplate=named)
    assert code == RULES[rule_id].error_code
    assert text in message


@pytest.mark.parametrize("rule_id", sorted(set(DATA) - {"E8111"} - OF_THE_TEMPLATE))
def test_a_node_group_passes_ec2s_refusal_on(client, refused, template, cluster, rule_id):
    data, text = DATA[rule_id]
    group = {**cluster, "nodegroupName": "refused", "launchTemplate": template(data)}
    code, message = refused(client("eks").create_nodegroup, **group)
    assert code == "InvalidRequestException"
    assert message.startswith("You must use a valid fully-formed launch template. ")
    assert text in message
    assert client("eks").list_nodegroups(clusterName="rules")["nodegroups"] == []


@pytest.mark.parametrize("rule_id", ["E8106", "E8107"])
def test_a_node_group_that_names_its_type_itself_passes_ec2s_refusal_on(client, refused, template, cluster, rule_id):
    data, text = DATA[rule_id]
    untyped = {name: value for name, value in data.items() if name != "InstanceType"}
    group = {**cluster, "nodegroupName": "refused", "launchTemplate": template(untyped)}
    types = ["trn1.32xlarge", data["InstanceType"]]
    code, message = refused(client("eks").create_nodegroup, **group, instanceTypes=types)
    assert code == "InvalidRequestException"
    assert message.startswith("You must use a valid fully-formed launch template. ")
    assert text in message


@pytest.mark.parametrize("rule_id", ["E8106"])
def test_a_new_version_of_the_template_is_held_against_the_types_of_the_group(
    client, refused, template, cluster, rule_id
):
    eks, named = client("eks"), template({"EbsOptimized": True})
    name = {"clusterName": "rules", "nodegroupName": "typed"}
    eks.create_nodegroup(**cluster, nodegroupName="typed", launchTemplate=named, instanceTypes=["trn1.2xlarge"])
    interfaces = {"NetworkInterfaces": DATA[rule_id][0]["NetworkInterfaces"]}
    client("ec2").create_launch_template_version(LaunchTemplateName=named["name"], LaunchTemplateData=interfaces)
    second = {**named, "version": "2"}
    code, message = refused(eks.update_nodegroup_version, **name, launchTemplate=second)
    eks.delete_nodegroup(**name)
    assert (code, DATA[rule_id][1] in message) == ("InvalidRequestException", True)


@pytest.mark.parametrize("rule_id", ["E8102"])
def test_an_unknown_interface_type_is_refused_in_the_template(client, refused, rule_id):
    data = {"NetworkInterfaces": [{**PRIMARY, "InterfaceType": "efaaa"}]}
    code, message = refused(client("ec2").create_launch_template, LaunchTemplateName="odd", LaunchTemplateData=data)
    assert code == RULES[rule_id].error_code
    assert "efaaa is not a valid interface type" in message
    assert client("ec2").describe_launch_templates()["LaunchTemplates"] == []


@pytest.mark.parametrize(
    ("rule_id", "wish", "text"),
    [
        ("E8121", {"CidrBlock": "10.0.9.0/24", "AvailabilityZoneId": "usw2-az99"}, "usw2-az99 is a zone of no Region"),
        ("E8121", {"CidrBlock": "10.0.9.0/24", "AvailabilityZoneId": "use1-az1"}, "use1-az1 is a zone of us-east-1"),
        ("E8122", {"CidrBlock": "10.1.0.0/24"}, "The CIDR '10.1.0.0/24' is invalid."),
        ("E8123", {"CidrBlock": "10.0.0.128/25"}, "The CIDR '10.0.0.128/25' conflicts with another subnet"),
    ],
)
def test_a_subnet_is_refused(client, network, refused, rule_id, wish, text):
    code, message = refused(client("ec2").create_subnet, VpcId=network[0], **wish)
    assert code == RULES[rule_id].error_code
    assert text in message


def test_a_subnet_of_a_second_range_of_its_vpc_is_taken(client):
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.4.0.0/16")["Vpc"]["VpcId"]
    ec2.associate_vpc_cidr_block(VpcId=vpc, CidrBlock="10.5.0.0/16")
    assert ec2.create_subnet(VpcId=vpc, CidrBlock="10.5.1.0/24")["Subnet"]["CidrBlock"] == "10.5.1.0/24"


@pytest.mark.parametrize(
    ("rule_id", "data", "wish", "text"),
    [
        ("E8201", {"InstanceType": "m7i.large"}, {"instanceTypes": ["m7i.large"]}, "Cannot specify instance types"),
        ("E8202", {"EbsOptimized": True}, {"diskSize": 100}, "Disk size must be specified within the launch template."),
        (
            "E8204",
            {"InstanceType": "m7i.large"},
            {"capacityType": "CAPACITY_BLOCK"},
            "does not match the MarketType",
        ),
        ("E8204", None, {"capacityType": "CAPACITY_BLOCK"}, "Capacity type CAPACITY_BLOCK needs a launch template."),
        (
            "E8205",
            None,
            {"scalingConfig": {"minSize": 2, "desiredSize": 1, "maxSize": 3}},
            "minSize can't be greater than desiredSize",
        ),
        (
            "E8209",
            {"InstanceMarketOptions": {"MarketType": "spot"}},
            {"capacityType": "SPOT"},
            "Instance market options are not supported with the launch template.",
        ),
        ("E8210", BLOCK, {"capacityType": "CAPACITY_BLOCK"}, "CAPACITY_BLOCK needs an instance type in the launch"),
        ("E8207", {"NetworkInterfaces": [{**PRIMARY, "SubnetId": "subnet-1"}]}, {}, "must not specify a subnet"),
    ],
)
def test_a_node_group_is_refused(client, refused, template, cluster, rule_id, data, wish, text):
    named = {} if data is None else {"launchTemplate": template(data)}
    code, message = refused(client("eks").create_nodegroup, **cluster, nodegroupName="refused", **named, **wish)
    assert code == RULES[rule_id].error_code
    assert text in message


def test_an_update_of_a_node_group_is_refused_and_changes_nothing(client, refused, cluster):
    eks, name = client("eks"), {"clusterName": "rules", "nodegroupName": "sizes"}
    sizes = {"minSize": 1, "desiredSize": 1, "maxSize": 2}
    eks.create_nodegroup(**cluster, nodegroupName="sizes", scalingConfig=sizes)
    code, message = refused(eks.update_nodegroup_config, **name, scalingConfig={"desiredSize": 3})
    retained = eks.describe_nodegroup(**name)["nodegroup"]["scalingConfig"]
    eks.delete_nodegroup(**name)
    assert (code, message) == (RULES["E8205"].error_code, "desired capacity 3 can't be greater than max size 2")
    assert retained == sizes


@pytest.mark.parametrize(
    ("rule_id", "zones", "region", "text"),
    [
        ("E8216", ("usw2-az1", "usw2-az1"), "us-west-2", "Subnets specified must be in at least two different AZs"),
        (
            "E8217",
            ("use1-az1", "use1-az3"),
            "us-east-1",
            "creating control plane instances in use1-az3",
        ),
    ],
)
def test_a_cluster_is_refused(local_aws, refused, cluster, rule_id, zones, region, text):
    from local_aws.clients import local_client

    ec2, eks = (local_client(service, local_aws.endpoint, "500000000000", region) for service in ("ec2", "eks"))
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnets = [
        ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{number}.0/24", AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
        for number, zone in enumerate(zones)
    ]
    network = {"subnetIds": subnets}
    code, message = refused(eks.create_cluster, name="x", roleArn=cluster["nodeRole"], resourcesVpcConfig=network)
    assert code == RULES[rule_id].error_code
    assert text in message


@pytest.mark.parametrize(
    ("rule_id", "wish", "lustre", "text"),
    [
        (
            "E8301",
            {"StorageCapacity": 1300},
            {},
            "Invalid Lustre FS storage capacity: 1300. Must be 1200",
        ),
        ("E8302", {}, {"PerUnitStorageThroughput": 300}, "the provided throughput is invalid"),
        (
            "E8303",
            {"FileSystemTypeVersion": "2.10"},
            {},
            "FileSystemTypeVersion 2.10 is not supported",
        ),
        (
            "E8306",
            {"FileSystemTypeVersion": "2.12"},
            {"MetadataConfiguration": {"Mode": "AUTOMATIC"}},
            "FileSystemTypeVersion 2.12 is not supported",
        ),
        (
            "E8310",
            {},
            {"EfaEnabled": True, "MetadataConfiguration": {"Mode": "AUTOMATIC"}},
            "Must be a multiple of 19200 for an EFA-enabled file system",
        ),
    ],
)
def test_a_file_system_is_refused(client, network, refused, rule_id, wish, lustre, text):
    wanted = {**FILE_SYSTEM, **wish, "SubnetIds": network[1][:1]}
    wanted["LustreConfiguration"] = {**FILE_SYSTEM["LustreConfiguration"], **lustre}
    code, message = refused(client("fsx").create_file_system, **wanted)
    assert code == RULES[rule_id].error_code
    assert text in message


@pytest.mark.parametrize("rule_id", ["E8307"])
def test_backups_of_a_scratch_file_system_are_refused(client, network, refused, rule_id):
    lustre = {"DeploymentType": "SCRATCH_2", "AutomaticBackupRetentionDays": 7}
    wanted = {**FILE_SYSTEM, "LustreConfiguration": lustre, "SubnetIds": network[1][:1]}
    code, message = refused(client("fsx").create_file_system, **wanted)
    assert code == RULES[rule_id].error_code
    assert "Backups are not supported" in message


@pytest.mark.parametrize("rule_id", ["E8405"])
def test_an_early_transition_to_infrequent_access_is_refused(client, refused, rule_id):
    s3 = client("s3")
    s3.create_bucket(Bucket="early", CreateBucketConfiguration=HERE)
    transitions = [{"Days": 29, "StorageClass": "STANDARD_IA"}]
    rule = {"Status": "Enabled", "Filter": {"Prefix": ""}, "Transitions": transitions}
    put = s3.put_bucket_lifecycle_configuration
    code, message = refused(put, Bucket="early", LifecycleConfiguration={"Rules": [rule]})
    assert code == RULES[rule_id].error_code
    assert "greater than or equal to 30" in message


@pytest.mark.parametrize(
    ("rule_id", "lustre", "links", "text"),
    [
        ("E8308", {"AutomaticBackupRetentionDays": 7}, ["/data"], "Backups cannot be enabled on S3-linked"),
        ("E8311", {}, [f"/data{number}" for number in range(9)], "at most 8 data repository associations"),
        ("E8312", {}, ["/data", "/data/team"], "overlaps with /data of"),
    ],
)
def test_an_association_is_refused(client, network, refused, rule_id, lustre, links, text):
    fsx, bucket = client("fsx"), f"linked-{rule_id.lower()}"
    client("s3").create_bucket(Bucket=bucket, CreateBucketConfiguration=HERE)
    wanted = {**FILE_SYSTEM, "SubnetIds": network[1][:1]}
    wanted["LustreConfiguration"] = {**FILE_SYSTEM["LustreConfiguration"], **lustre}
    file_system_id = fsx.create_file_system(**wanted)["FileSystem"]["FileSystemId"]
    *earlier, last = [
        {"FileSystemId": file_system_id, "FileSystemPath": link, "DataRepositoryPath": f"s3://{bucket}{link}/"}
        for link in links
    ]
    for each in earlier:
        fsx.create_data_repository_association(**each)
    code, message = refused(fsx.create_data_repository_association, **last)
    assert code == RULES[rule_id].error_code
    assert text in message


@pytest.mark.parametrize("rule_id", ["E8304"])
def test_an_association_beside_import_paths_is_refused(local_aws, client, refused, rule_id):
    """FSx makes no such file system of the types we use any more; one of before stands in the account."""
    row = {"LustreConfiguration": {"DataRepositoryConfiguration": {"ImportPath": "s3://bucket"}}}
    local_aws.store.table("500000000000", "us-west-2", "fsx.file_systems")["fs-0123456789abcdef0"] = row
    code, message = refused(
        client("fsx").create_data_repository_association,
        FileSystemId="fs-0123456789abcdef0",
        FileSystemPath="/data",
        DataRepositoryPath="s3://bucket",
    )
    assert code == RULES[rule_id].error_code
    assert "sets ImportPath" in message


@pytest.mark.parametrize(
    ("rule_id", "prefix", "address", "text"),
    [
        ("E8901", "trn1-/k8s", "registry.k8s.io", "trn1-/k8s must be parts of lower-case letters"),
        ("E8902", "trn1/docker", "docker.io", "The specified upstream registry docker.io isn't supported."),
    ],
)
def test_a_cache_rule_is_refused(client, refused, rule_id, prefix, address, text):
    create = client("ecr").create_pull_through_cache_rule
    code, message = refused(create, ecrRepositoryPrefix=prefix, upstreamRegistryUrl=address)
    assert code == RULES[rule_id].error_code
    assert text in message


@pytest.mark.parametrize("rule_id", ["E8603"])
@pytest.mark.parametrize("service", ["eks.amazon.com", "ekss.amazonaws.com", "ec2.us-west-2.amazon.com"])
def test_a_role_for_a_service_that_there_is_not_is_refused(client, refused, rule_id, service):
    iam = client("iam")
    bad = json.dumps({**TRUST, "Statement": [{**TRUST["Statement"][0], "Principal": {"Service": service}}]})
    answer = (RULES[rule_id].error_code, f'Invalid principal in policy: "SERVICE":"{service}"')
    assert refused(iam.create_role, RoleName="none", AssumeRolePolicyDocument=bad) == answer
    good = bad.replace(service, "ec2.amazonaws.com")
    iam.create_role(RoleName="changed", AssumeRolePolicyDocument=good)
    assert refused(iam.update_assume_role_policy, RoleName="changed", PolicyDocument=bad) == answer
    iam.delete_role(RoleName="changed")


@pytest.mark.parametrize("service", ["logs.us-west-2.amazonaws.com", "ec2.amazonaws.com.cn", "pods.eks.amazonaws.com"])
def test_regional_and_partition_principals_are_taken(client, service):
    document = {**TRUST, "Statement": [{**TRUST["Statement"][0], "Principal": {"Service": service}}]}
    iam = client("iam")
    iam.create_role(RoleName="taken", AssumeRolePolicyDocument=json.dumps(document))
    iam.delete_role(RoleName="taken")


@pytest.mark.parametrize(
    ("rule_id", "template", "text"),
    [
        (
            "E8701",
            {"Resources": {f"R{number}": {"Type": "AWS::EC2::VPC"} for number in range(501)}},
            "Template format error: Number of resources, 501, is greater than maximum allowed, 500",
        ),
        (
            "E8702",
            {
                "Resources": {"R": {"Type": "AWS::EC2::InternetGateway"}},
                "Outputs": {f"O{number}": {"Value": "x"} for number in range(201)},
            },
            "Template format error: Number of outputs, 201, is greater than maximum allowed, 200",
        ),
        (
            "E8703",
            {"Resources": {"R": {"Type": "AWS::EC2::InternetGateway", "Metadata": {"long": "x" * 1_000_000}}}},
            "Template may not exceed 1000000 bytes in size.",
        ),
    ],
)
def test_a_template_beyond_the_limits_is_refused(client, refused, rule_id, template, text):
    client("s3").create_bucket(
        Bucket=f"templates-{rule_id.lower()}", CreateBucketConfiguration={"LocationConstraint": "us-west-2"}
    )
    client("s3").put_object(Bucket=f"templates-{rule_id.lower()}", Key="t", Body=json.dumps(template, indent=1))
    url = f"https://templates-{rule_id.lower()}.s3.us-west-2.amazonaws.com/t"
    answer = refused(client("cloudformation").create_stack, StackName="large", TemplateURL=url)
    assert answer == (RULES[rule_id].error_code, text)


@pytest.mark.parametrize("rule_id", ["E8001"])
def test_a_vault_lock_with_its_ends_exchanged_is_refused(client, refused, rule_id):
    client("backup").create_backup_vault(BackupVaultName="kept")
    lock = {"BackupVaultName": "kept", "MinRetentionDays": 30, "MaxRetentionDays": 7}
    code, text = refused(client("backup").put_backup_vault_lock_configuration, **lock)
    assert (code, "MinRetentionDays" in text) == (RULES[rule_id].error_code, True)


@pytest.mark.parametrize("rule_id", ["E8003"])
def test_a_continuous_backup_that_is_kept_longer_than_its_limit_is_refused(client, refused, rule_id):
    client("backup").create_backup_vault(BackupVaultName="kept-long")
    rule = {
        "RuleName": "daily",
        "TargetBackupVaultName": "kept-long",
        "EnableContinuousBackup": True,
        "Lifecycle": {"DeleteAfterDays": 36},
    }
    plan = {"BackupPlanName": "daily", "Rules": [rule]}
    code, text = refused(client("backup").create_backup_plan, BackupPlan=plan)
    assert (code, "35 days" in text) == (RULES[rule_id].error_code, True)


SLURM = {
    "scheduler": {"type": "SLURM", "version": "25.11"},
    "size": "SMALL",
    "networking": {"subnetIds": ["subnet-11111111"], "securityGroupIds": ["sg-11111111"]},
}
GRES = {"Name": "gpu", "Type": "trainium", "Count": "16", "File": "/dev/neuron[0-15]"}


def setting(name, value):
    return {"slurmCustomSettings": [{"parameterName": name, "parameterValue": value}]}


@pytest.fixture(scope="module")
def slurm_group(client, network):
    """A compute node group that PCS accepts, of a cluster with one instance in another group."""
    pcs = client("pcs")
    cluster = pcs.create_cluster(clusterName="rules", **SLURM)["cluster"]["id"]
    group = {
        "clusterIdentifier": cluster,
        "subnetIds": network[1][:1],
        "iamInstanceProfileArn": "arn:aws:iam::500000000000:instance-profile/aws-pcs/nodes",
        "instanceConfigs": [{"instanceType": "trn1.32xlarge"}],
        "scalingConfiguration": {"minInstanceCount": 0, "maxInstanceCount": 1},
    }
    pcs.create_compute_node_group(computeNodeGroupName="first", **group)
    return group


@pytest.mark.parametrize("rule_id", ["E8951"])
def test_an_unknown_setting_of_a_slurm_cluster_is_refused(client, refused, rule_id):
    settings = setting("SlurmctldPort", "6817")
    code, text = refused(client("pcs").create_cluster, clusterName="odd", **SLURM, slurmConfiguration=settings)
    assert (code, "SlurmctldPort" in text) == (RULES[rule_id].error_code, True)


@pytest.mark.parametrize(
    ("rule_id", "wish", "text"),
    [
        ("E8952", {"slurmConfiguration": setting("Prolog", "/opt/prolog")}, "does not accept for a group"),
        (
            "E8954",
            {"slurmConfiguration": {**setting("Gres", "gpu:trainium:32"), "gresCustomSettings": [GRES]}},
            "requests 32 of gpu, and its records have 16",
        ),
        ("E8956", {"purchaseOption": "CAPACITY_BLOCK"}, "the launch template's MarketType is not set"),
        ("E8957", {"instanceConfigs": [{"instanceType": "trn1.2xlarge"}, {"instanceType": "trn1.32xlarge"}]}, "vCPUs"),
        (
            "E8958",
            {"scalingConfiguration": {"minInstanceCount": 0, "maxInstanceCount": 32}},
            "33 with the other groups",
        ),
    ],
)
def test_a_compute_node_group_is_refused(client, refused, template, slurm_group, rule_id, wish, text):
    name = {"LaunchTemplateName": template({"EbsOptimized": True})["name"]}
    found = client("ec2").describe_launch_templates(LaunchTemplateNames=[name["LaunchTemplateName"]])
    launch = {"id": found["LaunchTemplates"][0]["LaunchTemplateId"], "version": "1"}
    group = {**slurm_group, "computeNodeGroupName": "refused", "customLaunchTemplate": launch, **wish}
    code, message = refused(client("pcs").create_compute_node_group, **group)
    assert code == RULES[rule_id].error_code
    assert text in message


def test_an_update_of_a_compute_node_group_is_refused_and_changes_nothing(client, refused, slurm_group):
    pcs = client("pcs")
    group = {"clusterIdentifier": slurm_group["clusterIdentifier"], "computeNodeGroupIdentifier": "first"}
    scaling = {"minInstanceCount": 0, "maxInstanceCount": 33}
    code, text = refused(pcs.update_compute_node_group, **group, scalingConfiguration=scaling)
    assert (code, "33 with the other groups" in text) == (RULES["E8958"].error_code, True)
    retained = pcs.get_compute_node_group(**group)["computeNodeGroup"]["scalingConfiguration"]
    assert retained == slurm_group["scalingConfiguration"]
    pcs.update_compute_node_group(**group, scalingConfiguration={**scaling, "maxInstanceCount": 32})
    pcs.update_compute_node_group(**group, scalingConfiguration=slurm_group["scalingConfiguration"])


@pytest.mark.parametrize("rule_id", ["E8953"])
def test_a_queue_with_an_unknown_setting_is_refused(client, refused, slurm_group, rule_id):
    cluster = {"clusterIdentifier": slurm_group["clusterIdentifier"]}
    settings = setting("Prolog", "/opt/prolog")
    code, text = refused(client("pcs").create_queue, **cluster, queueName="odd", slurmConfiguration=settings)
    assert (code, "does not accept for a queue" in text) == (RULES[rule_id].error_code, True)


GROUP = {
    "InstanceGroupName": "compute",
    "InstanceType": "ml.trn1.32xlarge",
    "InstanceCount": 2,
    "ExecutionRole": "arn:aws:iam::500000000000:role/nodes",
}
CONTINUOUS = {"NodeProvisioningMode": "Continuous"}
ON_SLURM = {"Orchestrator": {"Slurm": {}}}


@pytest.mark.parametrize(
    ("rule_id", "cluster_members", "group_members", "text"),
    [
        ("E8915", {}, {"InstanceType": "ml.inf2.48xlarge"}, "HyperPod's Neuron types are"),
        ("E8917", CONTINUOUS, {"InstanceRequirements": {"InstanceTypes": ["ml.m5.xlarge"]}}, "InstanceType too"),
        ("E8918", {}, {"LifeCycleConfig": {"OnCreate": "a", "OnInitComplete": "b"}}, "and OnCreate too"),
        ("E8920", CONTINUOUS, {"MinInstanceCount": 3}, "is 3, and InstanceCount 2"),
        ("E8921", {}, {"MinInstanceCount": 1}, "is not Continuous"),
        (
            "E8922",
            {},
            {
                "OnStartDeepHealthChecks": ["InstanceStress"],
                "KubernetesConfig": {"Taints": [{"Key": "team", "Effect": "NoSchedule"}]},
            },
            "OnStartDeepHealthChecks too",
        ),
        ("E8923", {}, {"KubernetesConfig": {"Labels": {"karpenter.sh/a": "b"}}}, "is in a reserved domain"),
        ("E8926", {"Orchestrator": {}}, {}, "has neither Eks nor Slurm"),
        ("E8928", ON_SLURM, {"SlurmConfig": {"NodeType": "Login"}}, "has 0 groups with the NodeType Controller"),
        ("E8929", {**ON_SLURM, **CONTINUOUS}, {}, "is not set, and NodeProvisioningMode is Continuous"),
        (
            "E8931",
            {},
            {"InstanceStorageConfigs": [{"EbsVolumeConfig": {"RootVolume": True}}]},
            "is not set for the root volume",
        ),
        (
            "E8932",
            CONTINUOUS,
            {
                "TrainingPlanArn": f"arn:aws:sagemaker:us-west-2:500000000000:training-plan/{'p' * 12}",
                "CapacityRequirements": {"Spot": {}},
            },
            "CapacityRequirements.Spot too",
        ),
        ("E8933", {**CONTINUOUS, "AutoScaling": {"Mode": "Enable"}}, {}, "AutoScaling.Mode is Enable"),
    ],
)
def test_a_hyperpod_cluster_is_refused(client, refused, rule_id, cluster_members, group_members, text):
    members = {"ClusterName": "refused", "InstanceGroups": [{**GROUP, **group_members}], **cluster_members}
    code, message = refused(client("sagemaker").create_cluster, **members)
    assert code == RULES[rule_id].error_code
    assert text in message


@pytest.mark.parametrize("rule_id", ["E8938"])
def test_priority_classes_out_of_their_limits_are_refused(client, refused, rule_id):
    classes = [{"Name": "training", "Weight": 101}]
    code, text = refused(
        client("sagemaker").create_cluster_scheduler_config,
        Name="odd",
        ClusterArn=f"arn:aws:sagemaker:us-west-2:500000000000:cluster/{'c' * 12}",
        SchedulerConfig={"PriorityClasses": classes},
    )
    assert (code, "is 101; it must be 0 to 100" in text) == (RULES[rule_id].error_code, True)


def test_what_only_this_toolkit_forbids_is_taken(client):
    """A house rule is no refusal: no token for instance metadata, an open group, a plain volume."""
    ec2 = client("ec2")
    data = {
        "MetadataOptions": {"HttpTokens": "optional"},
        "BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"Encrypted": False, "VolumeSize": 30}}],
    }
    ec2.create_launch_template(LaunchTemplateName="loose", LaunchTemplateData=data)
    group = ec2.create_security_group(GroupName="open", Description="x")["GroupId"]
    rule = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[rule])
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "eks:Decribe", "Resource": "*"}]}
    client("iam").create_policy(PolicyName="misspelt", PolicyDocument=json.dumps(policy))
    ec2.delete_launch_template(LaunchTemplateName="loose")


def rules_of(test):
    """The values of ``rule_id`` by which a test is parametrized."""
    for mark in getattr(test, "pytestmark", ()):
        names, values = mark.args
        if names == "rule_id":
            yield from values
        elif "rule_id" in names:
            yield from (row[names.index("rule_id")] for row in values)


def test_every_enforced_rule_is_broken_above():
    """A call of this file violates each rule; a new rule needs one too."""
    here = {rule_id for name, test in globals().items() if name.startswith("test_") for rule_id in rules_of(test)}
    in_a_stack_only = {"E8502", "E8704", "E8911", "E8959"}
    enforced = {rule.id for rule in all_template_rules() if rule.verdict is Verdict.REJECTED}
    assert here | in_a_stack_only == enforced
