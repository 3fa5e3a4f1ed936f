"""Requests that KMS, Lambda, CloudWatch Logs, S3 and Service Quotas reject, call by call."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest

from local_aws.server import LocalAws

Clients = Callable[[str], Any]
Refused = Callable[..., tuple[str, str]]
NOWHERE = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def code() -> dict[str, bytes]:
    with io.BytesIO() as packed:
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("index.py", "def handler(event, context): ...")
        return {"ZipFile": packed.getvalue()}


def test_a_disabled_key_is_not_used_and_does_not_rotate(client: Clients, refused: Refused) -> None:
    kms = client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    text = kms.encrypt(KeyId=key, Plaintext=b"x")["CiphertextBlob"]
    kms.disable_key(KeyId=key)
    assert refused(kms.encrypt, KeyId=key, Plaintext=b"x")[0] == "DisabledException"
    assert refused(kms.decrypt, CiphertextBlob=text)[0] == "DisabledException"
    assert refused(kms.enable_key_rotation, KeyId=key)[0] == "DisabledException"
    assert kms.get_key_rotation_status(KeyId=key)["KeyRotationEnabled"] is False


def test_a_key_that_waits_for_its_deletion_is_not_changed(client: Clients, refused: Refused) -> None:
    kms = client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    asked = [
        refused(kms.cancel_key_deletion, KeyId=key),
        *(refused(kms.schedule_key_deletion, KeyId=key, PendingWindowInDays=days) for days in (3, 31)),
    ]
    assert [code for code, _ in asked] == ["KMSInvalidStateException", "ValidationException", "ValidationException"]
    assert kms.describe_key(KeyId=key)["KeyMetadata"]["KeyState"] == "Enabled"
    kms.schedule_key_deletion(KeyId=key, PendingWindowInDays=7)
    tag = {"TagKey": "a", "TagValue": "b"}
    refusals = [
        refused(kms.enable_key, KeyId=key),
        refused(kms.disable_key, KeyId=key),
        refused(kms.schedule_key_deletion, KeyId=key),
        refused(kms.tag_resource, KeyId=key, Tags=[tag]),
        refused(kms.untag_resource, KeyId=key, TagKeys=["a"]),
        refused(kms.update_key_description, KeyId=key, Description="late"),
        refused(kms.create_alias, TargetKeyId=key, AliasName="alias/late"),
        refused(kms.disable_key_rotation, KeyId=key),
        refused(kms.generate_data_key, KeyId=key, KeySpec="AES_256"),
    ]
    assert {code for code, _ in refusals} == {"KMSInvalidStateException"}
    assert all(text.endswith(f"{key} is pending deletion.") for _, text in refusals)
    kms.cancel_key_deletion(KeyId=key)
    assert kms.describe_key(KeyId=key)["KeyMetadata"]["KeyState"] == "Disabled"
    kms.enable_key(KeyId=key)
    assert kms.encrypt(KeyId=key, Plaintext=b"x")["CiphertextBlob"]


@pytest.fixture(params=["PendingDeletion", "Disabled"])
def unusable_key(client: Clients, request: pytest.FixtureRequest) -> str:
    """The ARN of a key that no service can use."""
    kms = client("kms")
    key = str(kms.create_key()["KeyMetadata"]["Arn"])
    if request.param == "Disabled":
        kms.disable_key(KeyId=key)
    else:
        kms.schedule_key_deletion(KeyId=key, PendingWindowInDays=7)
    return key


def test_services_do_not_take_a_key_that_cannot_be_used(
    client: Clients, refused: Refused, ground: Any, unusable_key: str
) -> None:
    lustre = {
        "FileSystemType": "LUSTRE",
        "StorageCapacity": 1200,
        "SubnetIds": ground.subnets[:1],
        "FileSystemTypeVersion": "2.15",
        "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250},
    }
    secrets = [{"resources": ["secrets"], "provider": {"keyArn": unusable_key}}]
    cluster = {"name": "k", "roleArn": ground.cluster_role, "resourcesVpcConfig": {"subnetIds": ground.subnets}}
    volume = {"AvailabilityZone": "us-west-2a", "Size": 10, "Encrypted": True}
    client("logs").create_log_group(logGroupName="/plain")
    answers = [
        refused(client("fsx").create_file_system, **lustre, KmsKeyId=unusable_key),
        refused(client("eks").create_cluster, **cluster, encryptionConfig=secrets),
        refused(client("ec2").create_volume, **volume, KmsKeyId=unusable_key),
        refused(client("logs").create_log_group, logGroupName="/keyed", kmsKeyId=unusable_key),
        refused(client("logs").associate_kms_key, logGroupName="/plain", kmsKeyId=unusable_key),
    ]
    client("logs").delete_log_group(logGroupName="/plain")
    assert [code for code, _ in answers] == [
        "BadRequest",
        "InvalidParameterException",
        "InvalidKmsKey.InvalidState",
        "InvalidParameterException",
        "InvalidParameterException",
    ]
    assert all(unusable_key in text for _, text in answers)
    assert client("eks").list_clusters()["clusters"] == []


def test_a_volume_has_a_key_that_exists(client: Clients, refused: Refused, account: str) -> None:
    """The keys of other accounts are not known."""
    volume = {"AvailabilityZone": "us-west-2a", "Size": 10, "Encrypted": True}
    arn = f"arn:aws:kms:us-west-2:{account}:key/{NOWHERE}"
    code, text = refused(client("ec2").create_volume, **volume, KmsKeyId=arn)
    assert (code, f"Key '{arn}' does not exist" in text) == ("InvalidKmsKey.InvalidState", True)
    made = client("ec2").create_volume(**volume, KmsKeyId=arn.replace(account, "111122223333"))
    client("ec2").delete_volume(VolumeId=made["VolumeId"])


def test_no_object_is_written_with_a_key_that_cannot_be_used(
    client: Clients, refused: Refused, unusable_key: str
) -> None:
    """The bucket takes the key, as on AWS; an object that asks for S3's own key is written."""
    s3 = client("s3")
    s3.create_bucket(Bucket="keyed", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    default = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": unusable_key}}
    s3.put_bucket_encryption(Bucket="keyed", ServerSideEncryptionConfiguration={"Rules": [default]})
    code, text = refused(s3.put_object, Bucket="keyed", Key="a", Body=b"x")
    assert code in {"KMS.KMSInvalidStateException", "KMS.DisabledException"}
    assert unusable_key in text
    s3.put_object(Bucket="keyed", Key="b", Body=b"x", ServerSideEncryption="AES256")
    assert [each["Key"] for each in s3.list_objects_v2(Bucket="keyed")["Contents"]] == ["b"]
    s3.delete_object(Bucket="keyed", Key="b")
    s3.delete_bucket(Bucket="keyed")


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("{nope", "invalid Json"),
        ("[]", "Syntax errors"),
        ({"Effect": "Maybe", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}, "Syntax"),
        ({"Effect": "Allow", "Action": "sts:AssumeRole"}, "Principal"),
        ({"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole", "Resource": "*"}, "field Resource"),
    ],
)
def test_a_trust_policy_that_is_none(client: Clients, refused: Refused, document: Any, reason: str) -> None:
    iam = client("iam")
    text = document if isinstance(document, str) else json.dumps({"Version": "2012-10-17", "Statement": document})
    code, message = refused(iam.create_role, RoleName="untrusted", AssumeRolePolicyDocument=text)
    assert (code, reason in message) == ("MalformedPolicyDocument", True)


def test_a_trust_policy_may_be_of_the_old_version(client: Clients) -> None:
    iam = client("iam")
    statement = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
    iam.create_role(
        RoleName="old", AssumeRolePolicyDocument=json.dumps({"Version": "2008-10-17", "Statement": [statement]})
    )
    iam.delete_role(RoleName="old")


ALL_OF_KMS = {"Effect": "Allow", "Action": "kms:*", "Resource": "*"}


ASSUMED = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}


def policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("{nope", "invalid Json"),
        ("{}", "Syntax errors"),
        (policy(ALL_OF_KMS), "field Principal"),
        (policy({**ALL_OF_KMS, "Principal": {"AWS": "999999999999"}}), "update the key policy in the future"),
        (policy({**ALL_OF_KMS, "Principal": {"Service": "s3.amazonaws.com"}}), "update the key policy in the future"),
        (policy({**ALL_OF_KMS, "Principal": "*", "Action": "kms:Decrypt"}), "update the key policy in the future"),
        (policy({**ALL_OF_KMS, "Principal": "*", "Effect": "Deny"}), "update the key policy in the future"),
    ],
)
def test_a_key_policy_that_is_none_or_locks_its_owner_out(
    client: Clients, refused: Refused, document: str, text: str
) -> None:
    kms = client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    for code, message in (
        refused(kms.create_key, Policy=document),
        refused(kms.put_key_policy, KeyId=key, PolicyName="default", Policy=document),
    ):
        assert (code, text in message) == ("MalformedPolicyDocumentException", True)


def test_key_policies_that_keep_the_key_changeable(client: Clients, account: str) -> None:
    kms = client("kms")
    others = {key: value for key, value in ALL_OF_KMS.items() if key != "Action"}
    for keeper in (
        {**ALL_OF_KMS, "Principal": {"AWS": f"arn:aws:iam::{account}:root"}},
        {**ALL_OF_KMS, "Principal": {"AWS": ["999999999999", account]}, "Action": ["kms:Put*"]},
        {**others, "Principal": "*", "NotAction": "kms:Decrypt"},
    ):
        kms.create_key(Policy=policy(keeper))
    nobody = policy({**ALL_OF_KMS, "Principal": {"AWS": "999999999999"}})
    assert kms.create_key(Policy=nobody, BypassPolicyLockoutSafetyCheck=True)["KeyMetadata"]["Enabled"]


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("nope", "invalid Json"),
        ("{}", "Syntax errors"),
        (policy({"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::policed/*"}), "field Principal"),
        (
            policy({"Effect": "Deny", "Action": "s3:*", "Principal": "*", "Resource": "arn:aws:s3:::other"}),
            "invalid resource",
        ),
        (policy({**ALL_OF_KMS, "Principal": "*", "Resource": "arn:aws:s3:::policed"}), "invalid action"),
        (policy({"Effect": "Deny", "Action": "s3:*", "Principal": "*"}), "invalid resource"),
    ],
)
def test_a_bucket_policy_that_is_none(client: Clients, refused: Refused, document: str, text: str) -> None:
    s3 = client("s3")
    s3.create_bucket(Bucket="policed", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    code, message = refused(s3.put_bucket_policy, Bucket="policed", Policy=document)
    s3.delete_bucket(Bucket="policed")
    assert (code, text in message) == ("MalformedPolicy", True)
    assert refused(s3.put_bucket_policy, Bucket="policed", Policy=document)[0] == "NoSuchBucket"


def test_policies_are_limited_in_size(client: Clients, refused: Refused, account: str) -> None:
    """S3 counts no white space, KMS counts the text."""
    s3, kms = client("s3"), client("kms")
    s3.create_bucket(Bucket="sized", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    log = {"Effect": "Allow", "Principal": {"Service": "delivery.logs.amazonaws.com"}, "Action": "s3:PutObject"}

    def sized(size: int) -> str:
        empty = len(json.dumps(of_bucket(""), separators=(",", ":")))
        return json.dumps(of_bucket("x" * (size - empty)), indent=4)

    def of_bucket(name: str) -> dict[str, Any]:
        return {"Version": "2012-10-17", "Statement": [{**log, "Resource": f"arn:aws:s3:::sized/{name}"}]}

    s3.put_bucket_policy(Bucket="sized", Policy=sized(20480))
    code, text = refused(s3.put_bucket_policy, Bucket="sized", Policy=sized(20481))
    assert (code, text) == ("MalformedPolicy", "Policy exceeds the maximum allowed document size.")
    s3.delete_bucket_policy(Bucket="sized")
    s3.delete_bucket(Bucket="sized")
    owner = policy({**ALL_OF_KMS, "Principal": {"AWS": f"arn:aws:iam::{account}:root"}})
    assert refused(kms.create_key, Policy=owner + " " * (32769 - len(owner)))[0] == "LimitExceededException"
    kms.create_key(Policy=owner + " " * (32768 - len(owner)))


def test_a_public_policy_is_refused_where_those_are_blocked(client: Clients, refused: Refused) -> None:
    s3 = client("s3")
    s3.create_bucket(Bucket="private", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    read = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::private/*", "Principal": "*"}
    assert refused(s3.put_bucket_policy, Bucket="private", Policy=policy(read))[0] == "AccessDenied"
    s3.put_public_access_block(Bucket="private", PublicAccessBlockConfiguration={"BlockPublicPolicy": False})
    s3.put_bucket_policy(Bucket="private", Policy=policy(read))
    s3.delete_bucket_policy(Bucket="private")
    s3.put_public_access_block(Bucket="private", PublicAccessBlockConfiguration={"BlockPublicPolicy": True})
    code, message = refused(s3.put_bucket_policy, Bucket="private", Policy=policy(read))
    assert (code, "BlockPublicPolicy" in message) == ("AccessDenied", True)
    limited = {**read, "Condition": {"NumericLessThan": {"s3:TlsVersion": 1.2}, "Bool": {"aws:SecureTransport": True}}}
    s3.put_bucket_policy(Bucket="private", Policy=policy(limited, {**read, "Effect": "Deny"}))
    s3.delete_bucket_policy(Bucket="private")
    s3.delete_bucket(Bucket="private")


@pytest.mark.parametrize(("service", "kind"), [("kms", "role"), ("kms", "user"), ("s3", "role")])
def test_a_policy_names_identities_that_exist(
    client: Clients, refused: Refused, account: str, service: str, kind: str
) -> None:
    """Identities of other accounts are not known, and service-linked roles come with their service."""
    kms, s3 = client("kms"), client("s3")
    s3.create_bucket(Bucket="named", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    own = f"arn:aws:iam::{account}"
    taken = [f"{own}:root", f"{own}:role/aws-service-role/a.amazonaws.com/A", "arn:aws:iam::111122223333:role/any"]

    def put(principals: list[str]) -> Any:
        of_key = {**ALL_OF_KMS, "Principal": {"AWS": principals}}
        of_bucket = {**of_key, "Action": "s3:*", "Resource": "arn:aws:s3:::named"}
        if service == "kms":
            return kms.create_key(Policy=policy(of_key))
        return s3.put_bucket_policy(Bucket="named", Policy=policy(of_bucket))

    answer = refused(put, principals=[*taken, f"{own}:{kind}/path/nobody"])
    put([*taken, client("iam").create_role(RoleName="named", AssumeRolePolicyDocument=policy(ASSUMED))["Role"]["Arn"]])
    client("iam").delete_role(RoleName="named")
    s3.delete_bucket_policy(Bucket="named")
    s3.delete_bucket(Bucket="named")
    assert (
        answer
        == {
            "kms": (
                "MalformedPolicyDocumentException",
                "Policy contains a statement with one or more invalid principals.",
            ),
            "s3": ("MalformedPolicy", "Invalid principal in policy"),
        }[service]
    )


LOGS = "arn:aws:logs:us-west-2:{account}:log-group"
OF_LOGS = {
    "Effect": "Allow",
    "Principal": {"Service": "logs.us-west-2.amazonaws.com"},
    "Action": "kms:*",
    "Resource": "*",
}


def only(pattern: str) -> dict[str, Any]:
    return {**OF_LOGS, "Condition": {"ArnLike": {"kms:EncryptionContext:aws:logs:arn": pattern}}}


@pytest.mark.parametrize(
    ("statement", "is_allowed"),
    [
        (OF_LOGS, True),
        (only(f"{LOGS}:/keyed*"), True),
        (only(f"{LOGS}:/other*"), False),
        ({**OF_LOGS, "Action": "kms:Decrypt"}, False),
        ({**OF_LOGS, "Principal": {"Service": "logs.us-east-1.amazonaws.com"}}, False),
        ({**OF_LOGS, "Effect": "Deny"}, False),
    ],
)
def test_the_key_of_a_log_group_lets_logs_use_it(
    client: Clients, refused: Refused, account: str, statement: dict[str, Any], is_allowed: bool
) -> None:
    kms, logs = client("kms"), client("logs")
    owner = {**ALL_OF_KMS, "Principal": {"AWS": account}}
    text = policy(owner, statement).replace("{account}", account)
    key = kms.create_key(Policy=text)["KeyMetadata"]["Arn"]
    if is_allowed:
        logs.create_log_group(logGroupName="/keyed/own", kmsKeyId=key)
        logs.associate_kms_key(logGroupName="/keyed/own", kmsKeyId=key)
        logs.delete_log_group(logGroupName="/keyed/own")
        return
    message = f"The specified KMS key does not exist or is not allowed to be used with Arn '{LOGS}:/keyed/own'"
    answer = refused(logs.create_log_group, logGroupName="/keyed/own", kmsKeyId=key)
    assert answer == ("AccessDeniedException", message.format(account=account))
    nowhere = f"arn:aws:kms:us-west-2:{account}:key/{NOWHERE}"
    assert refused(logs.create_log_group, logGroupName="/keyed/own", kmsKeyId=nowhere)[0] == "AccessDeniedException"


def test_rotation_is_refused(client: Clients, refused: Refused) -> None:
    kms = client("kms")
    assert refused(kms.enable_key_rotation, KeyId=NOWHERE)[0] == "NotFoundException"
    pair = kms.create_key(KeySpec="RSA_2048", KeyUsage="SIGN_VERIFY")["KeyMetadata"]["KeyId"]
    assert refused(kms.enable_key_rotation, KeyId=pair)[0] == "UnsupportedOperationException"
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    own_material = kms.create_key(Origin="EXTERNAL")["KeyMetadata"]["KeyId"]
    assert refused(kms.enable_key_rotation, KeyId=own_material)[0] == "UnsupportedOperationException"
    answer, message = refused(kms.enable_key_rotation, KeyId=key, RotationPeriodInDays=2561)
    assert (answer, "2561" in message) == ("ValidationException", True)


@pytest.fixture
def function_role(client: Clients) -> Iterator[str]:
    """ARN of a role that Lambda can assume."""
    iam = client("iam")
    trust = policy({"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"})
    yield iam.create_role(RoleName="of-functions", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    iam.delete_role(RoleName="of-functions")


def test_a_function_has_a_role_that_lambda_can_use(
    client: Clients, refused: Refused, ground: Any, function_role: str, code: dict[str, bytes]
) -> None:
    """In a VPC it creates network interfaces."""
    functions, iam = client("lambda"), client("iam")
    given = {"FunctionName": "r", "Runtime": "python3.13", "Handler": "index.handler", "Code": code}
    text = "The role defined for the function cannot be assumed by Lambda."
    answer = ("InvalidParameterValueException", text)
    for role in (ground.node_role, function_role.replace("of-functions", "nobody")):
        assert refused(functions.create_function, **given, Role=role) == answer
    place = {"VpcConfig": {"SubnetIds": ground.subnets, "SecurityGroupIds": [ground.group]}}
    inside = {**given, **place, "Role": function_role}
    assert "call CreateNetworkInterface on EC2" in refused(functions.create_function, **inside)[1]
    interfaces = policy({"Effect": "Allow", "Action": "ec2:*NetworkInterface", "Resource": "*"})
    iam.put_role_policy(RoleName="of-functions", PolicyName="inline", PolicyDocument=interfaces)
    functions.create_function(**inside)
    iam.delete_role_policy(RoleName="of-functions", PolicyName="inline")
    update = functions.update_function_configuration
    assert "call CreateNetworkInterface on EC2" in refused(update, FunctionName="r", Role=function_role, **place)[1]
    managed = "arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole"
    iam.attach_role_policy(RoleName="of-functions", PolicyArn=managed)
    update(FunctionName="r", Role=function_role, **place)
    iam.detach_role_policy(RoleName="of-functions", PolicyArn=managed)
    functions.delete_function(FunctionName="r")


def test_a_permission_names_an_account_an_identity_or_a_service(
    client: Clients, refused: Refused, function_role: str, code: dict[str, bytes]
) -> None:
    functions = client("lambda")
    given = {"FunctionName": "h", "Role": function_role, "Runtime": "python3.13", "Handler": "index.handler"}
    functions.create_function(**given, Code=code)
    permission = {"FunctionName": "h", "Action": "lambda:InvokeFunction"}
    answer, text = refused(functions.add_permission, **permission, StatementId="s", Principal="events")
    assert (answer, "The provided principal was invalid." in text) == ("InvalidParameterValueException", True)
    for number, principal in enumerate(("events.amazonaws.com", "111122223333", "*", function_role)):
        functions.add_permission(**permission, StatementId=f"s{number}", Principal=principal)
    functions.delete_function(FunctionName="h")


@pytest.mark.parametrize("left_out", ["Runtime", "Handler"])
def test_a_packed_function_has_runtime_and_handler(
    client: Clients, refused: Refused, function_role: str, code: dict[str, bytes], left_out: str
) -> None:
    given = {"FunctionName": "p", "Role": function_role, "Runtime": "python3.13", "Handler": "index.handler"}
    del given[left_out]
    answer, text = refused(client("lambda").create_function, **given, Code=code)
    assert (answer, "Runtime and Handler are mandatory" in text) == ("InvalidParameterValueException", True)


@pytest.mark.parametrize("runtime", ["python2.7", "python3.7", "java8", "nodejs14.x", "go1.x", "ruby2.7", "provided"])
def test_a_new_function_has_a_runtime_that_is_still_supported(
    client: Clients, refused: Refused, function_role: str, code: dict[str, bytes], runtime: str
) -> None:
    given = {"FunctionName": "old", "Role": function_role, "Handler": "index.handler", "Code": code}
    answer, text = refused(client("lambda").create_function, **given, Runtime=runtime)
    assert (answer, f"{runtime} is no longer supported" in text) == ("InvalidParameterValueException", True)
    for taken in ("python3.8", "java8.al2", "nodejs16.x", "provided.al2"):
        client("lambda").create_function(**given, Runtime=taken)
        client("lambda").delete_function(FunctionName="old")


def test_a_function_is_refused(
    client: Clients, refused: Refused, ground: Any, function_role: str, code: dict[str, bytes]
) -> None:
    given = {"FunctionName": "f", "Role": function_role, "Runtime": "python3.13", "Handler": "index.handler"}
    create = client("lambda").create_function
    groups = {"SubnetIds": ground.subnets, "SecurityGroupIds": ["sg-00000000000000000"]}
    answer, message = refused(create, **given, Code=code, VpcConfig=groups)
    assert (answer, "sg-00000000000000000" in message) == ("InvalidParameterValueException", True)
    create(**given, Code=code)
    assert refused(create, **given, Code=code)[0] == "ResourceConflictException"
    client("lambda").delete_function(FunctionName="f")


def test_a_request_that_no_function_takes_is_refused(
    client: Clients, refused: Refused, function_role: str, code: dict[str, bytes]
) -> None:
    functions = client("lambda")
    given = {"FunctionName": "g", "Role": function_role, "Runtime": "python3.13", "Handler": "index.handler"}
    functions.create_function(**given, Code=code)
    answer, _ = refused(functions.invoke, FunctionName="g", Payload=b"{")
    assert answer == "InvalidRequestContentException"
    large = json.dumps("x" * 1_048_576).encode()
    answer, message = refused(functions.invoke, FunctionName="g", Payload=large, InvocationType="Event")
    assert (answer, "1048576 bytes" in message) == ("RequestTooLargeException", True)
    functions.update_function_configuration(FunctionName="g", Runtime="java21")
    assert refused(functions.invoke, FunctionName="g", Payload=b"{}")[0] == "InvalidRuntimeException"
    functions.delete_function(FunctionName="g")


def test_names_that_belong_to_aws_are_refused(client: Clients, refused: Refused) -> None:
    code, text = refused(client("logs").create_log_group, logGroupName="aws/own")
    assert (code, "can't start with the string aws/" in text) == ("InvalidParameterException", True)
    client("logs").create_log_group(logGroupName="/aws/own")
    client("logs").delete_log_group(logGroupName="/aws/own")
    provider = {"ClientIDList": ["sts.amazonaws.com"], "ThumbprintList": ["a" * 40]}
    create = client("iam").create_open_id_connect_provider
    assert refused(create, Url="http://oidc.example.com", **provider)[0] == "InvalidInput"
    arn = create(Url="https://oidc.example.com", **provider)["OpenIDConnectProviderArn"]
    client("iam").delete_open_id_connect_provider(OpenIDConnectProviderArn=arn)


def test_a_log_group_is_refused(client: Clients, refused: Refused) -> None:
    logs = client("logs")
    answer, _ = refused(logs.associate_kms_key, logGroupName="/none", kmsKeyId="arn:aws:kms:us-west-2:1:key/x")
    assert answer == "ResourceNotFoundException"
    logs.create_log_group(logGroupName="/kept")
    answer, message = refused(logs.put_retention_policy, logGroupName="/kept", retentionInDays=8)
    assert (answer, "enum value set" in message) == ("InvalidParameterException", True)
    logs.delete_log_group(logGroupName="/kept")


def test_a_lifecycle_is_refused(client: Clients, refused: Refused) -> None:
    s3 = client("s3")
    assert refused(s3.get_bucket_lifecycle_configuration, Bucket="no-such-bucket-here")[0] == "NoSuchBucket"
    s3.create_bucket(Bucket="with-rules", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    assert refused(s3.get_bucket_lifecycle_configuration, Bucket="with-rules")[0] == "NoSuchLifecycleConfiguration"
    rule = {"ID": "a", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 1}}
    twice = {"Rules": [rule, rule]}
    put = s3.put_bucket_lifecycle_configuration
    assert refused(put, Bucket="with-rules", LifecycleConfiguration=twice)[0] == "InvalidArgument"
    s3.delete_bucket(Bucket="with-rules")


RULE = {"Status": "Enabled", "Filter": {"Prefix": "checkpoints/"}}


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        ({"Status": "Enabled", "Expiration": {"Days": 1}}, "MalformedXML"),
        (RULE, "InvalidRequest"),
        (
            {
                **RULE,
                "Filter": {"Tag": {"Key": "a", "Value": "b"}},
                "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7},
            },
            "InvalidRequest",
        ),
        ({**RULE, "Expiration": {"Days": 0}}, "InvalidArgument"),
        ({**RULE, "Transitions": [{"Days": 5, "StorageClass": "STANDARD_IA"}]}, "InvalidArgument"),
        (
            {**RULE, "Transitions": [{"Days": 40, "StorageClass": "GLACIER"}], "Expiration": {"Days": 40}},
            "InvalidArgument",
        ),
    ],
)
def test_a_rule_that_s3_does_not_take_is_refused(client: Clients, refused: Refused, rule: Any, answer: str) -> None:
    s3 = client("s3")
    s3.create_bucket(Bucket="with-rules", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    put = s3.put_bucket_lifecycle_configuration
    assert refused(put, Bucket="with-rules", LifecycleConfiguration={"Rules": [rule]})[0] == answer
    sound = {
        **RULE,
        "Transitions": [{"Days": 60, "StorageClass": "GLACIER"}, {"Days": 30, "StorageClass": "STANDARD_IA"}],
        "Expiration": {"Days": 61},
        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7},
    }
    put(Bucket="with-rules", LifecycleConfiguration={"Rules": [sound]})
    s3.delete_bucket(Bucket="with-rules")


def test_a_quota_that_there_is_not_is_refused(client: Clients, refused: Refused) -> None:
    quotas = client("service-quotas")
    unknown = {"ServiceCode": "ec2", "QuotaCode": "L-00000000"}
    for call in (quotas.get_service_quota, quotas.get_aws_default_service_quota):
        assert refused(call, **unknown)[0] == "NoSuchResourceException"
    assert refused(quotas.request_service_quota_increase, **unknown, DesiredValue=1)[0] == "NoSuchResourceException"


def test_a_page_that_there_is_not_is_refused(client: Clients, refused: Refused) -> None:
    wish = {"ServiceCode": "ec2", "MaxResults": 1, "NextToken": "bm9uZQ=="}
    answer, _ = refused(client("service-quotas").list_service_quotas, **wish)
    assert answer == "InvalidPaginationTokenException"


def test_a_directory_bucket_is_in_the_zone_of_its_name(client: Clients, refused: Refused, account: str) -> None:
    s3, name = client("s3"), "checkpoints--usw2-az1--x-s3"
    zone = {"Location": {"Type": "AvailabilityZone", "Name": "usw2-az1"}}
    directory = {**zone, "Bucket": {"Type": "Directory", "DataRedundancy": "SingleAvailabilityZone"}}
    for bucket, config in ((name.replace("az1", "az2"), directory), (name, {"LocationConstraint": "us-west-2"})):
        assert refused(s3.create_bucket, Bucket=bucket, CreateBucketConfiguration=config)[0] == "InvalidBucketName"
    s3.create_bucket(Bucket=name, CreateBucketConfiguration=directory)
    assert s3.create_session(Bucket=name)["Credentials"]["AccessKeyId"] == account
    s3.put_object(Bucket=name, Key="step-1/model", Body=b"weights")
    assert [each["Key"] for each in s3.list_objects_v2(Bucket=name)["Contents"]] == ["step-1/model"]
    versioning = {"VersioningConfiguration": {"Status": "Enabled"}}
    assert refused(s3.put_bucket_versioning, Bucket=name, **versioning)[0] == "NotImplemented"
    s3.delete_object(Bucket=name, Key="step-1/model")
    s3.delete_bucket(Bucket=name)
    assert refused(s3.list_objects_v2, Bucket=name)[0] == "NoSuchBucket"
    assert refused(s3.create_session, Bucket="general")[0] == "InvalidRequest"


def test_objects_of_a_directory_bucket_are_written_in_a_session(local_aws: LocalAws, account: str) -> None:
    """A client without the addressing style of ours makes the session itself, and signs for ``s3express``."""
    given = local_aws.environment(account, "us-west-2")
    keys = {name.lower(): given[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    s3 = boto3.client("s3", region_name="us-west-2", endpoint_url=local_aws.endpoint, **keys)
    name = "sessions--usw2-az1--x-s3"
    place = {"Location": {"Type": "AvailabilityZone", "Name": "usw2-az1"}}
    directory = {**place, "Bucket": {"Type": "Directory", "DataRedundancy": "SingleAvailabilityZone"}}
    s3.create_bucket(Bucket=name, CreateBucketConfiguration=directory)
    s3.put_object(Bucket=name, Key="model", Body=b"weights")
    assert s3.get_object(Bucket=name, Key="model")["Body"].read() == b"weights"
    s3.delete_object(Bucket=name, Key="model")
    s3.delete_bucket(Bucket=name)
