"""Nobody but its user is served: no web page, no other user of the machine, no server elsewhere is asked."""

from __future__ import annotations

import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import boto3
import pytest
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.http.signing import signed_headers
from local_aws.run_secrets import secret_of
from local_aws.server import LocalAws

ACCOUNT, REGION = "420000000000", "us-west-2"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PAGE = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
BUCKET_STACK = {"Resources": {"B": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "of-a-page"}}}}


class Answer(NamedTuple):
    """A response."""

    status: int
    headers: Mapping[str, str]
    text: str


@pytest.fixture
def send(local_aws: LocalAws) -> Callable[..., Answer]:
    """Sends a request as it is; ``service`` signs it with the secret of the run."""
    host = urlsplit(local_aws.endpoint).netloc

    def request(
        line: str, headers: Mapping[str, str] | None = None, body: bytes = b"", *, service: str | None = None
    ) -> Answer:
        method, target = line.split()
        secret = secret_of(local_aws.endpoint)
        signed = (
            signed_headers(secret, ACCOUNT, REGION, service, host=host, target=target, method=method, body=body)
            if service is not None
            else {}
        )
        connection = http.client.HTTPConnection(host, timeout=60)
        connection.request(method, target, body=body, headers={**signed, **(headers or {})})
        response = connection.getresponse()
        answer = Answer(response.status, dict(response.headers), response.read().decode(errors="replace"))
        connection.close()
        return answer

    return request


@pytest.fixture
def client(local_aws: LocalAws) -> Callable[[str], Any]:
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


def create_stack(name: str) -> bytes:
    return urlencode({"Action": "CreateStack", "StackName": name, "TemplateBody": json.dumps(BUCKET_STACK)}).encode()


@pytest.mark.parametrize("headers", [PAGE, {"Origin": "null"}, {"Sec-Fetch-Site": "same-site"}])
@pytest.mark.parametrize("service", [None, "cloudformation"])
def test_a_web_page_makes_no_stack(
    send: Callable[..., Answer], client: Callable[[str], Any], headers: Mapping[str, str], service: str | None
) -> None:
    """A form, for which a browser asks nobody first; even with the secret, which no page has."""
    answer = send("POST /", FORM | headers, create_stack("page"), service=service)
    assert (answer.status, "<Code>AccessDenied</Code>" in answer.text) == (403, True)
    assert client("cloudformation").list_stacks()["StackSummaries"] == []


def test_a_web_page_uploads_no_code(send: Callable[..., Answer], client: Callable[[str], Any]) -> None:
    """As forms do, with the names of CDK's kubectl function."""
    client("s3").create_bucket(Bucket="page-upload", CreateBucketConfiguration={"LocationConstraint": REGION})
    parts = 'Content-Disposition: form-data; name="key"\r\n\r\ncode.zip\r\n--x\r\n'
    file = 'Content-Disposition: form-data; name="file"; filename="index.py"\r\n\r\nPK\r\n--x--\r\n'
    multipart = {"Content-Type": "multipart/form-data; boundary=x"}
    for headers in (multipart | PAGE, multipart):
        assert send("POST /page-upload", headers, f"--x\r\n{parts}{file}".encode()).status == 403
    assert "Contents" not in client("s3").list_objects_v2(Bucket="page-upload")


@pytest.mark.parametrize("line", ["OPTIONS /", "OPTIONS /bucket/key", "OPTIONS /moto-api/reset"])
def test_no_browser_is_told_that_it_may_ask(send: Callable[..., Answer], line: str) -> None:
    asking = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    for answer in (send(line, PAGE | asking), send(line, asking, service="s3")):
        assert answer.status == 403
        assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


def test_no_answer_lets_a_page_read_it(send: Callable[..., Answer]) -> None:
    for service, line, headers, body in (
        ("s3", "GET /", {}, b""),
        ("sts", "POST /", FORM, b"Action=GetCallerIdentity&Version=2011-06-15"),
        ("sqs", "POST /", FORM, b"Action=ListQueues&Version=2012-11-05"),
    ):
        answer = send(line, headers, body, service=service)
        assert answer.status == 200, answer
        assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize(
    "line", ["POST /moto-api/reset", "GET /moto-api/data.json", "POST /moto-api/config", "GET /moto-api/",
             "POST /moto-api/recorder/upload-recording", "GET /latest/meta-data/iam/security-credentials/"]
)  # fmt: skip
def test_the_control_pages_of_moto_are_not_served(
    send: Callable[..., Answer], client: Callable[[str], Any], line: str
) -> None:
    client("ssm").put_parameter(Name="/kept", Value="1", Type="String", Overwrite=True)
    assert send(line, body=b"{}").status == 403
    assert send(line, body=b"{}", service="s3").status == 501
    assert client("ssm").get_parameter(Name="/kept")["Parameter"]["Value"] == "1"
    assert not Path("moto_recording").exists()


@pytest.mark.parametrize("operation", ["create_stack_set", "create_stack_instances"])
def test_no_template_reaches_the_cloudformation_of_moto(
    client: Callable[[str], Any], tmp_path: Path, operation: str
) -> None:
    """It runs what a tag of a template names."""
    proof = tmp_path / "ran"
    given: dict[str, Any] = {"StackSetName": "set"}
    if operation == "create_stack_set":
        given["TemplateBody"] = f"Description: !!python/object/apply:os.system ['touch {proof}']\nResources: {{}}\n"
    else:
        given |= {"Accounts": [ACCOUNT], "Regions": [REGION]}
    with pytest.raises(ClientError) as refused:
        getattr(client("cloudformation"), operation)(**given)
    assert refused.value.response["Error"]["Code"] == "NotImplemented"
    assert not proof.exists()


def test_no_path_leads_around_to_it(local_aws: LocalAws, tmp_path: Path) -> None:
    """moto takes a service from the path of a request that is signed in its query."""
    ran = tmp_path / "ran"
    template = f"Description: !!python/object/apply:os.system ['touch {ran}']\nResources: {{}}\n"
    asked = {"Action": "CreateStackSet", "StackSetName": "s", "TemplateBody": template}
    secret = secret_of(local_aws.endpoint)
    request = AWSRequest("POST", f"{local_aws.endpoint}/cloudformation_us-west-2/")
    S3SigV4QueryAuth(Credentials(ACCOUNT, secret), "s3", REGION, expires=60).add_auth(request)
    assert status_of(request.url, method="POST", data=urlencode(asked).encode()) == 501
    assert not ran.exists()


class Elsewhere(BaseHTTPRequestHandler):
    """A server that the local AWS might send something to."""

    def do_POST(self) -> None:
        self.server.asked = True  # type: ignore[attr-defined]  # read by the test
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def elsewhere() -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        server.asked = False  # type: ignore[attr-defined]  # as above
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_nothing_is_sent_to_another_server(client: Callable[[str], Any], elsewhere: HTTPServer) -> None:
    url = f"http://127.0.0.1:{elsewhere.server_port}/"
    topic = client("sns").create_topic(Name="topic")["TopicArn"]
    with pytest.raises(ClientError, match="sends nothing to another server"):
        client("sns").subscribe(TopicArn=topic, Protocol="http", Endpoint=url)
    client("sns").publish(TopicArn=topic, Message="x")
    destination = {"EndpointConfiguration": {"Url": url}, "S3Configuration": {
        "RoleARN": f"arn:aws:iam::{ACCOUNT}:role/r", "BucketARN": "arn:aws:s3:::b"}}  # fmt: skip
    client("firehose").create_delivery_stream(
        DeliveryStreamName="stream", HttpEndpointDestinationConfiguration=destination
    )
    with pytest.raises(ClientError):
        client("firehose").put_record(DeliveryStreamName="stream", Record={"Data": b"x"})
    assert elsewhere.asked is False  # type: ignore[attr-defined]  # as above


NOT_PROVEN = [
    ("sts", "get_caller_identity", "SignatureDoesNotMatch", "InvalidClientTokenId"),
    ("ec2", "describe_vpcs", "SignatureDoesNotMatch", "AuthFailure"),
    ("ssm", "describe_parameters", "InvalidSignatureException", "UnrecognizedClientException"),
    ("eks", "list_clusters", "InvalidSignatureException", "UnrecognizedClientException"),
    ("s3", "list_buckets", "SignatureDoesNotMatch", "InvalidAccessKeyId"),
]


@pytest.mark.parametrize(("service", "operation", "wrong_secret", "unknown_key"), NOT_PROVEN)
def test_another_user_of_the_machine_is_refused_by_each_protocol(
    local_aws: LocalAws, service: str, operation: str, wrong_secret: str, unknown_key: str
) -> None:
    for key, code in ((ACCOUNT, wrong_secret), ("AKIAIOSFODNN7EXAMPLE", unknown_key)):
        session = boto3.session.Session(key, "a guess", region_name=REGION)
        config = Config(retries={"total_max_attempts": 1})
        stranger = session.client(service, endpoint_url=local_aws.endpoint, config=config)
        with pytest.raises(ClientError) as refused:
            getattr(stranger, operation)()
        stranger.close()
        assert refused.value.response["Error"]["Code"] == code
        assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403


@pytest.mark.parametrize("line", ["GET /", "GET /bucket/key", "GET /_neuron/recorded?account=1&region=r", "POST /"])
def test_what_is_not_signed_is_refused(send: Callable[..., Answer], line: str) -> None:
    assert send(line).status == 403


def test_a_key_that_sts_gave_out_needs_its_own_secret(client: Callable[[str], Any], local_aws: LocalAws) -> None:
    role = f"arn:aws:iam::{ACCOUNT}:role/deploy"
    keys = client("sts").assume_role(RoleArn=role, RoleSessionName="session")["Credentials"]
    for secret, is_right in ((keys["SecretAccessKey"], True), (secret_of(local_aws.endpoint), False)):
        session = boto3.session.Session(keys["AccessKeyId"], secret, keys["SessionToken"], REGION)
        sts = session.client("sts", endpoint_url=local_aws.endpoint)
        if is_right:
            assert sts.get_caller_identity()["Account"] == ACCOUNT
        else:
            with pytest.raises(ClientError, match="SignatureDoesNotMatch"):
                sts.get_caller_identity()
        sts.close()


@pytest.fixture(scope="module")
def object_url(local_aws: LocalAws) -> Iterator[Callable[..., str]]:
    """Presigned URLs of an object, by the version of the signature."""
    local_client("s3", local_aws.endpoint, ACCOUNT, REGION).create_bucket(
        Bucket="presigned", CreateBucketConfiguration={"LocationConstraint": REGION}
    )
    session = boto3.session.Session(ACCOUNT, secret_of(local_aws.endpoint), region_name=REGION)
    made = []

    def url(version: str, operation: str, seconds: int = 60) -> str:
        config = Config(signature_version=version, s3={"addressing_style": "path"})
        made.append(session.client("s3", endpoint_url=local_aws.endpoint, config=config))
        asked = {"Bucket": "presigned", "Key": "a b/ü"}
        return str(made[-1].generate_presigned_url(operation, Params=asked, ExpiresIn=seconds))

    yield url
    for each in made:
        each.close()


def opened(url: str, method: str = "GET", data: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
    request = urllib.request.Request(url, data=data, method=method, headers=dict(headers or {}))  # noqa: S310 - loopback
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - loopback
        return bytes(answer.read())


def status_of(url: str, **request: Any) -> int:
    with pytest.raises(urllib.error.HTTPError) as refused:
        opened(url, **request)
    refused.value.close()
    return int(refused.value.code)


@pytest.mark.parametrize("version", ["s3", "s3v4"])
def test_a_presigned_url_is_good_for_what_it_was_made_for(object_url: Callable[..., str], version: str) -> None:
    # urllib gives a body a type of its own, which is part of what version 2 signs
    put = object_url("s3v4", "put_object")
    opened(put, "PUT", b"content", {"Content-Type": "application/octet-stream"})
    get = object_url(version, "get_object")
    assert opened(get) == b"content"
    assert status_of(get.replace("presigned/a", "presigned/b")) == 403
    assert status_of(get, method="DELETE") == 403
    assert status_of(get, headers=PAGE) == 403
    assert status_of(get + "&versionId=null") == 403 or version == "s3"
    assert status_of(object_url(version, "get_object", seconds=-1)) in (400, 403)
