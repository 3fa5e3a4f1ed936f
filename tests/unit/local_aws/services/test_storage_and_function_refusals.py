"""Requests that S3, Lambda and Systems Manager reject."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
Clients = Callable[[str], Any]
BUCKET = "rules-and-policies"
REGISTRY = "111122223333.dkr"
QUEUE = "arn:aws:sqs:us-west-2:111122223333:own"
RULE = {"ID": "r", "Status": "Enabled", "Filter": {"Prefix": ""}}
RARE = {"NoncurrentDays": 30, "StorageClass": "STANDARD_IA"}
KEPT = {"NoncurrentDays": 60, "NewerNoncurrentVersions": 100}
NOON = datetime(2027, 1, 1, 12, tzinfo=UTC)
MIDNIGHT = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def s3(client: Clients) -> Any:
    """With a bucket that is there once for all tests of the module."""
    made = client("s3")
    if BUCKET not in [each["Name"] for each in made.list_buckets()["Buckets"]]:
        made.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    return made


def moves(*days: tuple[int, str], **members: Any) -> dict[str, Any]:
    return {**RULE, "Transitions": [{"Days": day, "StorageClass": name} for day, name in days], **members}


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (moves((30, "STANDARD_IA"), (59, "GLACIER")), "'GLACIER' must be 30 days more than"),
        (moves((1, "GLACIER_IR"), (90, "DEEP_ARCHIVE")), "'DEEP_ARCHIVE' must be 90 days more than"),
        (moves((60, "STANDARD_IA"), (30, "INTELLIGENT_TIERING")), "'INTELLIGENT_TIERING' must be 30 days more"),
        (moves((30, "GLACIER"), (200, "GLACIER")), "'StorageClass' must be different"),
        (moves((30, "GLACIER"), Expiration={"Date": MIDNIGHT}), "Found mixed 'Date' and 'Days'"),
        ({**RULE, "NoncurrentVersionExpiration": {"NoncurrentDays": 0}}, "'NoncurrentDays' for NoncurrentVersion"),
        ({**RULE, "NoncurrentVersionTransitions": [{**RARE, "NoncurrentDays": 29}]}, "greater than or equal to 30 for"),
        ({**RULE, "NoncurrentVersionTransitions": [{**RARE, "NewerNoncurrentVersions": 101}]}, "between 1 and 100"),
        ({**RULE, "NoncurrentVersionExpiration": {**KEPT, "NewerNoncurrentVersions": 0}}, "between 1 and 100"),
        ({**RULE, "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 0}}, "'DaysAfterInitiation' for Abort"),
        ({**RULE, "Expiration": {"Date": NOON}}, "'Date' must be at midnight GMT"),
        ({**RULE, "Expiration": {"Days": 1, "ExpiredObjectDeleteMarker": True}}, "The XML you provided was not well-"),
        (
            {
                **RULE,
                "Filter": {"Tag": {"Key": "a", "Value": "b"}},
                "Expiration": {"ExpiredObjectDeleteMarker": True},
            },
            "ExpiredObjectDeleteMarker cannot be specified with Tags.",
        ),
        (
            moves((30, "GLACIER"), Filter={"And": {"Tags": [{"Key": "a", "Value": "b"}, {"Key": "a", "Value": "c"}]}}),
            "Duplicate Tag Keys are not allowed.",
        ),
        (
            moves((30, "GLACIER"), Filter={"And": {"ObjectSizeGreaterThan": 9, "ObjectSizeLessThan": 9}}),
            "'ObjectSizeLessThan' has to be a value greater",
        ),
    ],
)
def test_a_lifecycle_rule_is_rejected(s3: Any, refused: Refused, rule: dict[str, Any], text: str) -> None:
    given = {"Bucket": BUCKET, "LifecycleConfiguration": {"Rules": [rule]}}
    assert text in refused(s3.put_bucket_lifecycle_configuration, **given)[1]


def test_lifecycle_rules_in_order_are_kept(s3: Any) -> None:
    rules = [
        moves((30, "STANDARD_IA"), (60, "GLACIER"), (150, "DEEP_ARCHIVE"), Expiration={"Days": 151}),
        {**RULE, "ID": "dated", "Expiration": {"Date": MIDNIGHT}},
        {**RULE, "ID": "marker", "Expiration": {"ExpiredObjectDeleteMarker": True}},
        {**RULE, "ID": "versions", "NoncurrentVersionTransitions": [RARE], "NoncurrentVersionExpiration": KEPT},
    ]
    s3.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration={"Rules": rules})
    kept = s3.get_bucket_lifecycle_configuration(Bucket=BUCKET)["Rules"]
    assert [each["ID"] for each in kept] == ["r", "dated", "marker", "versions"]


def encryption(**default: str) -> dict[str, Any]:
    rules = [{"ApplyServerSideEncryptionByDefault": default, "BucketKeyEnabled": True}]
    return {"Bucket": BUCKET, "ServerSideEncryptionConfiguration": {"Rules": rules}}


def test_a_key_belongs_to_encryption_with_kms(s3: Any, refused: Refused) -> None:
    code, text = refused(s3.put_bucket_encryption, **encryption(SSEAlgorithm="AES256", KMSMasterKeyID="alias/aws/s3"))
    assert (code, "a KMSMasterKeyID is not applicable" in text) == ("InvalidArgument", True)
    s3.put_bucket_encryption(**encryption(SSEAlgorithm="AES256"))
    s3.put_bucket_encryption(**encryption(SSEAlgorithm="aws:kms:dsse", KMSMasterKeyID="alias/aws/s3"))


@pytest.mark.parametrize("name", ["xn--mine", "amzn-s3-demo-mine", "mine-s3alias", "mine.mrap", "a..b", "10.0.0.1"])
def test_reserved_names_of_buckets_are_rejected(s3: Any, refused: Refused, name: str) -> None:
    configuration = {"LocationConstraint": "us-west-2"}
    assert refused(s3.create_bucket, Bucket=name, CreateBucketConfiguration=configuration)[0] == "InvalidBucketName"


def allowing(action: Any, path: str) -> str:
    principal = {"AWS": "arn:aws:iam::300000000000:root"}
    statement = {"Effect": "Allow", "Principal": principal, "Action": action, "Resource": f"arn:aws:s3:::{path}"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def test_actions_on_objects_have_objects(s3: Any, refused: Refused) -> None:
    for action in ("s3:GetObject", ["s3:ListBucket", "s3:PutObject*"]):
        code, text = refused(s3.put_bucket_policy, Bucket=BUCKET, Policy=allowing(action, BUCKET))
        assert (code, text) == ("MalformedPolicy", "Action does not apply to any resource(s) in statement")
    s3.put_bucket_policy(Bucket=BUCKET, Policy=allowing("s3:GetObject", f"{BUCKET}/*"))
    s3.put_bucket_policy(Bucket=BUCKET, Policy=allowing("s3:ListBucket", BUCKET))


FILES = "arn:aws:elasticfilesystem:us-west-2:300000000000:access-point/fsap-0123456789abcdef0"
CODE = {"Code": {"S3Bucket": "code", "S3Key": "k"}}
FUNCTION = {"FunctionName": "f", "Role": "arn:aws:iam::300000000000:role/x", "Runtime": "python3.12", "Handler": "a.b"}


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"Environment": {"Variables": {"NAME": "v" * 4086}}}, "exceeded the 4KB limit. Measured size: 4097 bytes."),
        ({"Environment": {"Variables": {"AWS_REGION": "x"}}}, "Reserved keys used in this request: AWS_REGION"),
        ({"Environment": {"Variables": {"1NAME": "x"}}}, "regular expression pattern: [a-zA-Z]"),
        ({"MemorySize": 10241}, "less than or equal to 10240"),
        ({"Timeout": 901}, "less than or equal to 900"),
        ({"Layers": ["arn:aws:lambda:eu-west-1:111122223333:layer:l:1"]}, "is in the Region eu-west-1"),
        ({"LoggingConfig": {"ApplicationLogLevel": "INFO"}}, "the log format JSON only"),
        ({"LoggingConfig": {"LogGroup": "aws/mine"}}, "the reserved prefix aws/"),
        ({"VpcConfig": {"SubnetIds": ["subnet-1"], "SecurityGroupIds": []}}, "SubnetIds and SecurityIds must coexist"),
        ({"Code": {"ZipFile": b"x", "S3Key": "k"}}, "do not provide other FunctionCode parameters"),
        ({"Code": {"S3Bucket": "code"}}, "S3 Bucket and Key are required for uploading with S3 parameters."),
        ({"Code": {"ImageUri": f"{REGISTRY}.ecr.us-east-1.amazonaws.com/own:1"}}, "Provide a valid source image."),
        ({"Code": {"ImageUri": f"{REGISTRY}.ecr-fips.us-west-2.amazonaws.com/own:1"}}, "Provide a valid source image."),
        ({"Code": {"ImageUri": "public.ecr.aws/own/own:1"}}, "Provide a valid source image."),
        ({"DeadLetterConfig": {"TargetArn": "arn:aws:s3:::own"}}, "is not supported for dead letter configuration."),
        ({"DeadLetterConfig": {"TargetArn": f"{QUEUE}.fifo"}}, "specified by the TargetArn is FIFO"),
        ({"DeadLetterConfig": {"TargetArn": "arn:aws:sns:us-east-1:111122223333:own"}}, "must be in the same region"),
        ({"PackageType": "Image"}, "An ImageUri is required for functions of the package type Image."),
        ({"FileSystemConfigs": [{"Arn": FILES, "LocalMountPath": "/mnt/a"}]}, f"to reference access point {FILES}."),
    ],
)
def test_a_function_is_rejected(client: Clients, refused: Refused, members: dict[str, Any], text: str) -> None:
    message = refused(client("lambda").create_function, **{**FUNCTION, **CODE, **members})[1]
    assert text in message


@pytest.mark.parametrize(
    "members",
    [
        {"DeadLetterConfig": {"TargetArn": QUEUE}},
        {"DeadLetterConfig": {"TargetArn": ""}},
        {"PackageType": "Image", "Code": {"ImageUri": f"{REGISTRY}.ecr.us-west-2.amazonaws.com/own:1"}},
    ],
)
def test_a_target_and_an_image_of_the_region_are_not_rejected(
    client: Clients, refused: Refused, members: dict[str, Any]
) -> None:
    message = refused(client("lambda").create_function, **{**FUNCTION, **CODE, **members})[1]
    assert "dead letter" not in message
    assert "source image" not in message


@pytest.mark.parametrize(("tenancy", "is_rejected"), [("dedicated", True), ("default", False)])
def test_a_function_in_a_dedicated_vpc_is_rejected(
    client: Clients, refused: Refused, tenancy: str, is_rejected: bool
) -> None:
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.7.0.0/16", InstanceTenancy=tenancy)["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.7.0.0/24")["Subnet"]["SubnetId"]
    group = ec2.create_security_group(GroupName="own", Description="own", VpcId=vpc)["GroupId"]
    network = {"SubnetIds": [subnet], "SecurityGroupIds": [group]}
    message = refused(client("lambda").create_function, **FUNCTION, **CODE, VpcConfig=network)[1]
    assert ("dedicated instance tenancy" in message) is is_rejected


def test_a_public_acl_is_rejected_until_public_acls_are_unblocked(s3: Any, refused: Refused) -> None:
    code, message = refused(s3.put_bucket_acl, Bucket=BUCKET, ACL="public-read")
    assert (code, "blocked by the BlockPublicAcls" in message) == ("AccessDenied", True)
    s3.put_bucket_acl(Bucket=BUCKET, ACL="private")
    s3.put_public_access_block(Bucket=BUCKET, PublicAccessBlockConfiguration={"BlockPublicAcls": True})
    assert refused(s3.put_bucket_acl, Bucket=BUCKET, ACL="public-read-write")[0] == "AccessDenied"
    s3.put_public_access_block(Bucket=BUCKET, PublicAccessBlockConfiguration={"BlockPublicAcls": False})
    s3.put_bucket_acl(Bucket=BUCKET, ACL="public-read")


def test_a_bucket_of_another_owner_than_expected_is_denied(s3: Any, refused: Refused) -> None:
    assert refused(s3.head_bucket, Bucket=BUCKET, ExpectedBucketOwner="444455556666")[0] == "403"


def test_object_lock_keeps_versioning_enabled(s3: Any, refused: Refused) -> None:
    place = {"CreateBucketConfiguration": {"LocationConstraint": "us-west-2"}}
    s3.create_bucket(Bucket="locked-objects", ObjectLockEnabledForBucket=True, **place)
    suspended = {"VersioningConfiguration": {"Status": "Suspended"}}
    assert refused(s3.put_bucket_versioning, Bucket="locked-objects", **suspended)[0] == "InvalidBucketState"
    s3.put_bucket_versioning(Bucket=BUCKET, **suspended)


def test_a_function_at_its_limits_fails_for_its_role_only(client: Clients, refused: Refused) -> None:
    members = {
        "Environment": {"Variables": {"NAME": "v" * 4085}},
        "MemorySize": 10240,
        "Timeout": 900,
        "LoggingConfig": {"LogFormat": "JSON", "SystemLogLevel": "WARN"},
        "VpcConfig": {"SubnetIds": [], "SecurityGroupIds": []},
    }
    _, text = refused(client("lambda").create_function, **FUNCTION, **CODE, **members)
    assert "role" in text.lower() or "bucket" in text.lower()


DOCUMENT = {"Name": "AWS-RunShellScript"}
TARGETS = {"Targets": [{"Key": "tag:Role", "Values": ["node"]}]}


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({}, "Instance ID or targets must be specified"),
        ({"Targets": [{"Key": "Name", "Values": ["a"]}]}, "Unsupported target key: Name, can either be InstanceIds"),
        ({"Targets": [{"Key": "tag:Name", "Values": [""]}]}, "values cannot contain null or empty string."),
        ({"Targets": [{"Key": "InstanceIds", "Values": ["x-1"]}]}, "Invalid InstanceId format: x-1"),
        ({**TARGETS, "DocumentVersion": "1"}, "Document version can not be used with Amazon document"),
        ({**TARGETS, "ScheduleExpression": "cron(0 2 * *)"}, "is not a valid cron expression."),
        ({**TARGETS, "ScheduleExpression": "daily"}, "Only schedule expressions of type rate, cron, and at"),
        ({**TARGETS, "ScheduleExpression": "rate(29 minutes)"}, "is not a valid rate expression."),
        ({**TARGETS, "ScheduleExpression": "rate(1 days)"}, "is not a valid rate expression."),
    ],
)
def test_an_association_is_rejected(client: Clients, refused: Refused, members: dict[str, Any], text: str) -> None:
    assert text in refused(client("ssm").create_association, **DOCUMENT, **members)[1]


def test_associations_are_made(client: Clients) -> None:
    ssm = client("ssm")
    for members in (
        {**TARGETS, "ScheduleExpression": "rate(30 minutes)"},
        {"Targets": [{"Key": "InstanceIds", "Values": ["i-0123456789abcdef0"]}], "ScheduleExpression": "rate(1 day)"},
        {"Targets": [{"Key": "InstanceIds", "Values": ["*"]}], "ScheduleExpression": "cron(0 8 ? * MON *)"},
    ):
        made = ssm.create_association(**DOCUMENT, **members)["AssociationDescription"]
        ssm.delete_association(AssociationId=made["AssociationId"])


PARAMETER = {"Name": "/team/name", "Value": "v", "Type": "String"}


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"Name": "/AWS/mine"}, 'can\'t be prefixed with "aws" or "ssm" (case-insensitive).'),
        ({"Name": "/team/"}, "Parameter name must not end with slash."),
        ({"Name": "/team//name"}, "Parameter name: only a mix of letters, numbers"),
        ({"Value": "{{other}}"}, "Parameter value can't nest another parameter."),
        ({"Value": "v" * 4097}, "Standard tier parameters support a maximum parameter value of 4096 characters."),
        (
            {"Value": "v" * 8193, "Tier": "Advanced"},
            "Advanced-tier parameters support a maximum parameter value of 8192",
        ),
        ({"DataType": "Text"}, "The following data type is not supported: Text."),
        ({"AllowedPattern": "^a$"}, "cannot be validated against allowedPattern: ^a$"),
        ({"Value": "a,b", "Type": "StringList", "AllowedPattern": "^a$"}, "cannot be validated against allowedPattern"),
    ],
)
def test_a_parameter_is_rejected(client: Clients, refused: Refused, members: dict[str, Any], text: str) -> None:
    code, message = refused(client("ssm").put_parameter, **{**PARAMETER, **members})
    assert (code, text in message) == ("ValidationException", True), message


@pytest.mark.parametrize(
    "members", [{"Value": "v" * 4096}, {"Value": "v" * 8192, "Tier": "Advanced"}, {"AllowedPattern": "^v$"}]
)
def test_a_parameter_is_kept(client: Clients, members: dict[str, Any]) -> None:
    client("ssm").put_parameter(**{**PARAMETER, **members}, Overwrite=True)
    kept = client("ssm").get_parameter(Name=PARAMETER["Name"])["Parameter"]["Value"]
    assert kept == members.get("Value", PARAMETER["Value"])


def test_the_levels_of_a_parameter_are_limited(client: Clients, refused: Refused) -> None:
    given = {"Type": "String", "Value": "v"}
    answer = refused(client("ssm").put_parameter, Name="/level" * 16, **given)
    assert answer[0] == "HierarchyLevelLimitExceededException"
    client("ssm").put_parameter(Name="/level" * 15, **given)


def test_a_parameter_keeps_its_type_and_its_tier(client: Clients, refused: Refused) -> None:
    ssm = client("ssm")
    ssm.put_parameter(Name="kind", Type="String", Value="v", Tier="Advanced")
    again = {"Name": "kind", "Value": "w", "Overwrite": True}
    assert refused(ssm.put_parameter, **again, Type="StringList")[0] == "HierarchyTypeMismatchException"
    assert "can't downgrade a parameter" in refused(ssm.put_parameter, **again, Tier="Standard")[1]
    ssm.put_parameter(**again, Type="String", Tier="Advanced")
    assert ssm.get_parameter(Name="kind")["Parameter"]["Value"] == "w"
    ssm.delete_parameter(Name="kind")
