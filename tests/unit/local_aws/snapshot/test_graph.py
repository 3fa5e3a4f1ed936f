"""Objects that are written and read are what they were; what cannot be written is named."""

from __future__ import annotations

import io
import json
import threading
from collections import OrderedDict, defaultdict, deque
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from moto import backends
from moto.kms.utils import KeySpec, RSAPrivateKey
from moto.s3.models import FakeKey
from moto.sqs.models import SQSBackend

from local_aws.cloudformation.template import Template
from local_aws.engine.stack import Stack
from local_aws.snapshot.archive import SnapshotError
from local_aws.snapshot.graph import GraphReader, GraphWriter
from local_aws.snapshot.values import attributes


class Bodies:
    """Large values in memory."""

    def __init__(self) -> None:
        self.by_digest: dict[str, bytes] = {}

    def put(self, digest: str, file: Any) -> None:
        self.by_digest[digest] = file.read()

    def body(self, digest: str) -> bytes:
        return self.by_digest[digest]


def read_back(value: Any) -> Any:
    bodies = Bodies()
    graph = GraphWriter(bodies)
    root = graph.write(value, "state")
    return GraphReader(bodies).read(*json.loads(json.dumps([graph.mutable, graph.immutable, root])))


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, -1, 1.5, "", "\ud800 ", b"", b"\0" * 5000),
        *((), (1, (2,)), {1, "a"}, frozenset({("a", 1)}), [[], {}], {1: {"a": None}, ("b",): [1]}),
        *(OrderedDict(b=1, a=2), defaultdict(list, a=[1]), deque([1, 2], 2)),
        *(datetime(2026, 1, 2, 3, tzinfo=UTC), datetime(2026, 1, 2), date(2026, 1, 2), timedelta(-1, 2)),  # noqa: DTZ001 - moto has such
        *(Decimal("1.10"), float("inf"), KeySpec.RSA_2048, dict, Template),
    ],
)
def test_value_is_as_it_was(value):
    found = read_back(value)
    assert found == value
    assert type(found) is type(value)


def test_shared_and_cyclic_objects_stay_the_same_object():
    stack = Stack("111122223333", "us-west-2", "a", "arn", "CREATE_COMPLETE")
    shared = {"stack": stack}
    stack.resources = {"loop": shared}  # type: ignore[dict-item]  # any object will do
    one, other = read_back([shared, (stack, shared)])
    assert one is other[1]
    assert one["stack"] is other[0]
    assert other[0].resources["loop"] is one


def test_factory_of_a_default_is_called():
    """moto writes them as functions without a name."""
    found = read_back(SQSBackend("us-west-2", "111122223333"))
    assert attributes(found).keys() == attributes(SQSBackend("us-west-2", "111122223333")).keys()
    assert read_back(defaultdict(list))["new"] == []


def test_body_of_an_object_of_s3_is_as_it_was():
    key = FakeKey("a", b"x" * 70_000, account_id="111122223333", region_name="us-west-2")
    found = read_back(key)
    assert found.value == key.value
    assert found.etag == key.etag
    assert found.lock.acquire(blocking=False)
    for each in (key, found):
        each.dispose()


def test_file_is_as_it_was():
    assert read_back(io.BytesIO(b"abc")).read() == b"abc"


def test_private_key_signs_as_before():
    key = RSAPrivateKey(2048)
    signature = key.sign(b"a", "RSASSA_PKCS1_V1_5_SHA_256")
    assert read_back(key).sign(b"a", "RSASSA_PKCS1_V1_5_SHA_256") == signature


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (threading.Thread(), "threading.Thread"),
        ((each for each in ()), "builtins.generator"),
        (io.StringIO(), "_io.StringIO"),
        (lambda: 1, "test_graph.<lambda>"),
        (ValueError(), "builtins.ValueError"),
        (threading, "builtins.module"),
        ([].append, "builtins.builtin_function_or_method"),
    ],
)
def test_unsupported_object_is_refused_by_name_and_place(value, kind):
    with pytest.raises(SnapshotError, match=r"state\['vpcs'\]\[\]") as refused:
        read_back({"vpcs": [value]})
    assert kind in refused.value.message


@pytest.mark.parametrize(
    "node",
    [
        ["object", "subprocess:Popen", {}],
        ["object", "moto.core.responses:BaseResponse", {}],
        ["object", "moto.s3.exceptions:MissingBucket", {}],
        ["object", "moto.s3.models:os", {}],
        ["class", "builtins:eval"],
        ["function", "os:system:1"],
        ["function", "moto.s3.models:get_moto_s3_account_id.__globals__:1"],
        ["function", "moto.s3.models:FakeKey.<locals>.x:1"],
        ["struct", "msgspec.json:Decoder", {}],
        ["method", "x", "upper"],
        ["struct", "moto.s3.models:FakeBucket", {}],
        ["enum", "moto.s3.models:FakeBucket", "name"],
        ["named tuple", "moto.s3.models:FakeBucket", []],
        ["text", "moto.s3.models:FakeBucket", ""],
        ["class", "moto.s3.models:FakeBucket"],
        ["class", "builtins:type"],
        ["function", "moto.s3.models:get_moto_s3_account_id:1"],
        ["function", "moto.core.utils:utcnow:1"],
        ["object", "moto.cloudformation.models:FakeStack", {}],
        ["object", "moto.cloudformation.parsing:ResourceMap", {}],
        ["object", "moto.utilities.docker_utilities:DockerModel", {}],
        ["object", "local_aws.custom_resources.event_process:EventProcess", {}],
        ["pickle", "gASVAA=="],
        ["object"],
        [],
        17,
    ],
)
@pytest.mark.parametrize("table", [0, 1])
def test_node_of_anything_else_is_refused(node, table):
    tables: list[list[Any]] = [[], []]
    tables[table] = [node]
    with pytest.raises(SnapshotError):
        GraphReader(Bodies()).read(*tables, [0] if table == 0 else [-1])


@pytest.mark.parametrize("name", ["_create_bucket_arn", "filter_description", "__reduce__", "__init__"])
@pytest.mark.parametrize("kind", ["moto.s3.models:FakeBucket", "moto.ec2.models.security_groups:SecurityGroup"])
def test_a_method_is_one_that_state_has_and_no_default(kind, name):
    factory = ["object", "collections:defaultdict", {"default_factory": [-1]}, {}]
    with pytest.raises(SnapshotError):
        GraphReader(Bodies()).read([["object", kind, {}], factory], [["method", [0], name]], [1])


def test_a_default_is_a_class_or_function_that_state_has():
    """An object may have a method ``__call__``."""
    factory = ["object", "collections:defaultdict", {"default_factory": [0]}, {}]
    with pytest.raises(SnapshotError, match="defaultdict with another default"):
        GraphReader(Bodies()).read([["object", "moto.s3.models:FakeBucket", {}], factory], [], [1])


SERVED = ("autoscaling", "cloudwatch", "ec2", "ecr", "efs", "eks", "events", "kms", "lambda", "logs", "s3")
REFUSED = {
    "cloudformation": "moto.cloudformation.models.CloudFormationBackend",
    "config": "moto.core.model.ServiceModel",
    "xray": "_new_trace_item",
}
"""Services that no stack of the toolkit uses, and the one that the engine replaces."""


def backend_of(service: str) -> Any:
    of_account: Any = backends.get_backend(service)["111122223333"]  # type: ignore[call-overload]  # literal names
    return of_account["us-east-1" if "us-east-1" in of_account else "aws"]


@pytest.mark.parametrize("service", [*SERVED, "secretsmanager", "sns", "sqs", "ssm", "stepfunctions", "sts"])
def test_backend_of_a_service_is_as_it_was(service):
    backend = backend_of(service)
    found = read_back(backend)
    assert type(found) is type(backend)
    assert attributes(found).keys() == attributes(backend).keys()


@pytest.mark.exhaustive
def test_each_backend_of_moto_is_read_or_refused_by_name():
    not_read = {}
    for service in sorted({*backends.list_of_moto_modules()}):
        try:
            backend = backend_of(service)
        except (AttributeError, KeyError):  # a module without a service
            continue
        try:
            assert attributes(read_back(backend)).keys() == attributes(backend).keys()
        except SnapshotError as refused:
            not_read[service] = refused.message
    assert not_read.keys() == REFUSED.keys()
    for service, kind in REFUSED.items():
        assert kind in not_read[service]
