"""The local AWS as a process sees it."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import boto3
import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.run_secrets import secret_of
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow
REGION = "eu-west-1"


def test_every_account_and_region_is_its_own(local_aws):
    """The access key id is the account; what one has, another does not see."""
    first = local_client("ssm", local_aws.endpoint, "111122223333", REGION)
    first.put_parameter(Name="/x", Value="1", Type="String")
    for account, region in (("444455556666", REGION), ("111122223333", "us-west-2")):
        assert local_client("ssm", local_aws.endpoint, account, region).describe_parameters()["Parameters"] == []
    sts = local_client("sts", local_aws.endpoint, "444455556666", REGION)
    assert sts.get_caller_identity()["Account"] == "444455556666"


def test_a_plain_client_signs_with_the_secret_of_the_run(local_aws):
    """As local_aws/README.md has it."""

    def plain(secret):
        keys = {"aws_access_key_id": "444455556666", "aws_secret_access_key": secret}
        return boto3.client("sts", endpoint_url=local_aws.endpoint, region_name="us-west-2", **keys)

    assert plain(secret_of(local_aws.endpoint)).get_caller_identity()["Account"] == "444455556666"
    with pytest.raises(ClientError, match="SignatureDoesNotMatch"):
        plain("test").get_caller_identity()


def test_assumed_role_acts_in_its_own_account(local_aws):
    """The CDK command assumes the roles of its bootstrap stack, perhaps in another account."""
    sts = local_client("sts", local_aws.endpoint, "111122223333", REGION)
    keys = sts.assume_role(RoleArn="arn:aws:iam::444455556666:role/deploy", RoleSessionName="session")["Credentials"]
    session = boto3.session.Session(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"], REGION)
    client = session.client("sts", endpoint_url=local_aws.endpoint)
    assert client.get_caller_identity()["Account"] == "444455556666"
    client.close()


def test_listens_on_the_loopback_interface_only(local_aws):
    url = urlsplit(local_aws.endpoint)
    assert url.hostname == "127.0.0.1"
    with pytest.raises(OSError), socket.create_connection((socket.gethostbyname("127.0.0.2"), url.port), timeout=1):
        pass


@pytest.mark.parametrize("host", ["evil.example.com", "169.254.169.254", "127.0.0.1.example.com"])
def test_request_for_another_host_is_refused(local_aws, host):
    """A web page whose name resolves to this machine gets nothing."""
    request = urllib.request.Request(local_aws.endpoint, headers={"Host": host})  # noqa: S310 - loopback
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=5)  # noqa: S310 - loopback
    assert refused.value.code == 403
    refused.value.close()


def test_aws_managed_policies_exist(local_aws):
    iam = local_client("iam", local_aws.endpoint, "111122223333", REGION)
    arn = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"
    assert iam.get_policy(PolicyArn=arn)["Policy"]["PolicyName"] == "AmazonEKSWorkerNodePolicy"


def test_second_one_in_a_process_is_refused(local_aws):
    with pytest.raises(RuntimeError, match="runs a local AWS already"):
        LocalAws()


def test_cloudtrail_answers_at_once(local_aws):
    """The CDK command asks it after a failed deploy."""
    assert local_client("cloudtrail", local_aws.endpoint, "111122223333", REGION).lookup_events()["Events"] == []


def test_environment_names_this_server(local_aws):
    variables = local_aws.environment("111122223333", REGION)
    assert variables["AWS_ENDPOINT_URL"] == local_aws.endpoint
    assert (variables["AWS_ACCESS_KEY_ID"], variables["AWS_REGION"]) == ("111122223333", REGION)


def test_objects_keep_their_bytes_and_the_case_of_their_metadata(local_aws):
    s3 = local_client("s3", local_aws.endpoint, "111122223333", REGION)
    s3.create_bucket(Bucket="bytes", CreateBucketConfiguration={"LocationConstraint": REGION})
    body = bytes(range(256)) * 4096
    s3.put_object(Bucket="bytes", Key="a b/ü", Body=body, Metadata={"my_key": "v"})
    found = s3.get_object(Bucket="bytes", Key="a b/ü")
    assert found["Body"].read() == body
    assert found["Metadata"] == {"my_key": "v"}


def test_closing_frees_everything_and_the_next_one_starts_empty(request):
    """No thread stays, the port can be taken again, no state survives."""
    if LocalAws._running is not None:
        request.getfixturevalue("local_aws").close()
    with LocalAws() as first:
        port = urlsplit(first.endpoint).port
        local_client("ssm", first.endpoint, "111122223333", REGION).put_parameter(Name="/x", Value="1", Type="String")
        before = {thread.name for thread in threading.enumerate()}
        assert "local-aws" in before
    assert "local-aws" not in {thread.name for thread in threading.enumerate()}
    with LocalAws(port) as second:
        assert second.endpoint == first.endpoint
        ssm = local_client("ssm", second.endpoint, "111122223333", REGION)
        assert ssm.describe_parameters()["Parameters"] == []
