"""The function that writes the life cycle script: what it keeps in its bucket, and that it answers whatever happens."""

from __future__ import annotations

import base64
import hashlib
import http.server
import importlib.util
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.local_checks.product_local_aws import product_local_aws

CODE = Path(__file__).parents[3] / "functions" / "life_cycle_script" / "index.py"
ACCOUNT, REGION = "111122223333", "us-east-2"
BUCKET = f"sagemaker-hyperpod-trn2-{ACCOUNT}-{REGION}"
TEXT = "#!/bin/bash\necho hello\n"

Answers = tuple[str, list[dict[str, Any]]]


@pytest.fixture
def function() -> Any:
    spec = importlib.util.spec_from_file_location("life_cycle_script", CODE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def cloudformation() -> Iterator[Answers]:
    """Where a function puts its answer, and the answers."""
    answers: list[dict[str, Any]] = []

    class Taker(http.server.BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            assert self.headers["Content-Type"] == "", "the URL is signed without a content type"
            answers.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    with http.server.HTTPServer(("127.0.0.1", 0), Taker) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/answer", answers
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture
def s3(aws: LocalAws) -> Iterator[Any]:
    """S3 with the bucket, which has versions, and which goes with what is left in it."""
    target = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    found = client(target, "s3")
    found.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    found.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    yield found
    for key, version in versions(found):
        found.delete_object(Bucket=BUCKET, Key=key, VersionId=version)
    found.delete_bucket(Bucket=BUCKET)
    close_clients(target)


def versions(s3: Any) -> list[tuple[str, str]]:
    """All versions and delete markers in the bucket."""
    answer = s3.list_object_versions(Bucket=BUCKET)
    return [
        (each["Key"], each["VersionId"]) for each in (*answer.get("Versions", ()), *answer.get("DeleteMarkers", ()))
    ]


def key_of(text: str) -> str:
    return f"life-cycle/{hashlib.sha256(text.encode()).hexdigest()[:12]}/on_create.sh"


def event(url: str, kind: str, text: str = TEXT, **more: Any) -> dict[str, Any]:
    properties = {
        "Bucket": BUCKET,
        "Account": ACCOUNT,
        "Key": key_of(text),
        "Text": text,
        "Checksum": base64.b64encode(hashlib.sha256(text.encode()).digest()).decode(),
    }
    ids = {name: name for name in ("StackId", "RequestId", "LogicalResourceId")}
    return {"RequestType": kind, "ResponseURL": url, "ResourceProperties": properties, **ids, **more}


class Refusing:
    """S3 that refuses an object some times, with these codes, and then takes it."""

    def __init__(self, *codes: str) -> None:
        self.codes = list(codes)
        self.put: list[dict[str, Any]] = []

    def put_object(self, **given: Any) -> None:
        if self.codes:
            code = self.codes.pop(0)
            raise ClientError({"Error": {"Code": code, "Message": "no"}}, "PutObject")
        self.put.append(given)


Use = Callable[[Any], list[float]]


@pytest.fixture
def use(function: Any, monkeypatch: pytest.MonkeyPatch) -> Use:
    """``use(s3)``: the function's S3; and its waits, none of which takes time."""

    def used(s3: Any) -> list[float]:
        waits: list[float] = []
        monkeypatch.setattr(function.boto3, "client", lambda _: s3)
        monkeypatch.setattr(function.time, "sleep", waits.append)
        return waits

    return used


def test_a_script_is_written_and_its_key_is_the_id(function: Any, cloudformation: Answers, s3: Any, use: Use) -> None:
    url, answers = cloudformation
    use(s3)
    function.handler(event(url, "Create"), None)
    (answer,) = answers
    assert (answer["Status"], answer["PhysicalResourceId"]) == ("SUCCESS", key_of(TEXT))
    assert {name: answer[name] for name in ("StackId", "RequestId")} == {"StackId": "StackId", "RequestId": "RequestId"}
    assert s3.get_object(Bucket=BUCKET, Key=key_of(TEXT))["Body"].read().decode() == TEXT


def test_another_script_is_under_another_key_and_the_old_one_stays_for_a_while(
    function: Any, cloudformation: Answers, s3: Any, use: Use
) -> None:
    """CloudFormation deletes a resource with another id once the rest of the stack no longer refers to the old one."""
    url, answers = cloudformation
    use(s3)
    function.handler(event(url, "Create"), None)
    other = f"{TEXT}echo more\n"
    function.handler(event(url, "Update", other, PhysicalResourceId=key_of(TEXT)), None)
    assert [each["PhysicalResourceId"] for each in answers] == [key_of(TEXT), key_of(other)]
    assert {key for key, _ in versions(s3)} == {key_of(TEXT), key_of(other)}
    function.handler(event(url, "Delete", PhysicalResourceId=key_of(TEXT)), None)
    assert {key for key, _ in versions(s3)} == {key_of(other)}
    assert [each["Status"] for each in answers] == ["SUCCESS"] * 3


def test_a_deletion_leaves_no_version_behind(function: Any, cloudformation: Answers, s3: Any, use: Use) -> None:
    """S3 deletes no bucket with versions in it."""
    url, answers = cloudformation
    use(s3)
    for _ in range(3):
        function.handler(event(url, "Create"), None)
    s3.delete_object(Bucket=BUCKET, Key=key_of(TEXT))
    s3.put_object(Bucket=BUCKET, Key="life-cycle/other/on_create.sh", Body=b"")
    assert len(versions(s3)) == 5, "three versions, a delete marker, and another script"
    function.handler(event(url, "Delete", PhysicalResourceId=key_of(TEXT)), None)
    assert [key for key, _ in versions(s3)] == ["life-cycle/other/on_create.sh"]
    assert answers[-1]["Status"] == "SUCCESS"


def test_a_bucket_that_is_gone_has_nothing_to_delete(function: Any, cloudformation: Answers, s3: Any, use: Use) -> None:
    url, answers = cloudformation
    use(s3)
    gone = event(url, "Delete", PhysicalResourceId=key_of(TEXT))
    gone["ResourceProperties"]["Bucket"] = f"{BUCKET}-gone"
    function.handler(gone, None)
    assert [(each["Status"], each["PhysicalResourceId"]) for each in answers] == [("SUCCESS", key_of(TEXT))]


def test_a_script_in_a_bucket_that_is_gone_is_an_error_with_the_reason(
    function: Any, cloudformation: Answers, s3: Any, use: Use
) -> None:
    url, answers = cloudformation
    use(s3)
    gone = event(url, "Create")
    gone["ResourceProperties"]["Bucket"] = f"{BUCKET}-gone"
    function.handler(gone, None)
    assert (answers[0]["Status"], answers[0]["PhysicalResourceId"]) == ("FAILED", key_of(TEXT))
    assert "NoSuchBucket" in answers[0]["Reason"]


def test_s3_is_to_compare_the_text_with_the_checksum_and_the_bucket_with_the_account(
    function: Any, cloudformation: Answers, use: Use
) -> None:
    """The text of the template, and no bucket of that name in another account."""
    url, _ = cloudformation
    s3 = Refusing()
    use(s3)
    function.handler(event(url, "Create"), None)
    (given,) = s3.put
    assert (given["Key"], given["Body"], given["ExpectedBucketOwner"]) == (key_of(TEXT), TEXT.encode(), ACCOUNT)
    assert base64.b64decode(given["ChecksumSHA256"]) == hashlib.sha256(given["Body"]).digest()


def test_values_take_the_places_of_their_names_and_s3_compares_what_is_written(
    function: Any, cloudformation: Answers, s3: Any, use: Use
) -> None:
    """The bucket of an environment is known to CloudFormation only; other braces are those of the shell."""
    url, answers = cloudformation
    use(s3)
    text = 'bash "$script" {BUCKET} "${other}" {OTHER}\n'
    given = event(url, "Create", text)
    given["ResourceProperties"]["Values"] = {"BUCKET": "checkpoints", "UNUSED": "x"}
    function.handler(given, None)
    assert answers[0]["Status"] == "SUCCESS", answers
    written = s3.get_object(Bucket=BUCKET, Key=key_of(text), ChecksumMode="ENABLED")
    expected = b'bash "$script" checkpoints "${other}" {OTHER}\n'
    assert written["Body"].read() == expected
    refusing = Refusing()
    use(refusing)
    function.handler(given, None)
    (put,) = refusing.put
    assert (put["Key"], put["Body"]) == (key_of(text), expected)
    assert base64.b64decode(put["ChecksumSHA256"]) == hashlib.sha256(expected).digest()


def test_a_text_that_is_not_that_of_its_checksum_is_not_written(
    function: Any, cloudformation: Answers, use: Use
) -> None:
    url, answers = cloudformation
    s3 = Refusing()
    use(s3)
    given = event(url, "Create")
    given["ResourceProperties"] |= {"Text": f"{TEXT}echo more\n", "Values": {"BUCKET": "checkpoints"}}
    function.handler(given, None)
    assert (answers[0]["Status"], s3.put) == ("FAILED", [])
    assert "another checksum than the template" in answers[0]["Reason"]


@pytest.mark.parametrize(
    ("codes", "status", "waited"),
    [
        ((), "SUCCESS", 0),
        (("AccessDenied",) * 2, "SUCCESS", 2),
        (("AccessDenied",) * 3, "SUCCESS", 3),
        (("AccessDenied",) * 4, "FAILED", 3),
        (("AccessDenied", "SlowDown"), "FAILED", 1),
        (("NoSuchBucket",), "FAILED", 0),
    ],
)
def test_only_a_policy_that_has_not_spread_yet_is_waited_for(
    function: Any, cloudformation: Answers, use: Use, codes: Sequence[str], status: str, waited: int
) -> None:
    url, answers = cloudformation
    s3 = Refusing(*codes)
    waits = use(s3)
    function.handler(event(url, "Create"), None)
    (answer,) = answers
    assert (answer["Status"], s3.codes) == (status, [])
    assert waits == list(function.PAUSES[:waited])
    assert ("Reason" in answer) is (status == "FAILED")
    assert [each["Key"] for each in s3.put] == ([key_of(TEXT)] if status == "SUCCESS" else [])


@pytest.mark.parametrize("kind", ["Create", "Update", "Delete"])
def test_whatever_goes_wrong_is_answered(
    function: Any, cloudformation: Answers, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CloudFormation would wait an hour for an answer that does not come. The id stays that of the resource."""
    url, answers = cloudformation

    def broken(_: str) -> Any:
        raise RuntimeError("x" * 5000)

    monkeypatch.setattr(function.boto3, "client", broken)
    given = {} if kind == "Create" else {"PhysicalResourceId": "life-cycle/old/on_create.sh"}
    function.handler(event(url, kind, **given), None)
    (answer,) = answers
    assert answer["Status"] == "FAILED"
    assert answer["PhysicalResourceId"] == given.get("PhysicalResourceId", key_of(TEXT))
    assert answer["Reason"].startswith("RuntimeError: x")
    assert len(json.dumps(answer)) < 4096, "CloudFormation takes no longer answer"


def test_all_pauses_end_before_the_functions_time_out(function: Any) -> None:
    from stacks.hyperpod.script_bucket import SERVICE_TIMEOUT_SECONDS, TIMEOUT_SECONDS

    assert sum(function.PAUSES) < TIMEOUT_SECONDS < SERVICE_TIMEOUT_SECONDS
    assert len(CODE.read_text("utf-8")) < 4096, "CloudFormation takes no longer inline code in older partitions"
