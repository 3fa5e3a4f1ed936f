"""Decisions for each role, action and prefix: what a role can do with the buckets of its environment and the key."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.access.decision import Decision, Policies, decide
from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.linked_policies import LinkedPolicies
from neuron_cluster.access.request import Request, request_context
from neuron_cluster.access.roles import Pods, Role, roles_of
from neuron_cluster.access.statement import Grant, Statement
from neuron_cluster.catalog.catalog import Catalog

BUCKETS = ("AWS::S3::Bucket", EXPRESS_BUCKET := "AWS::S3Express::DirectoryBucket")
BUCKET_POLICIES = ("AWS::S3::BucketPolicy", "AWS::S3Express::BucketPolicy")
KEY = "AWS::KMS::Key"
SOME_OBJECT = "object"
"""The rest of a key below a prefix."""
KEYS_OF_NO_REQUEST = frozenset(
    (
        *("aws:sourceaccount", "aws:sourcearn", "aws:principalservicename", "kms:grantisforawsresource"),
        *("s3:prefix", "kms:viaservice", "kms:calleraccount", "aws:principaltag", "kms:encryptioncontextkeys"),
    )
)
"""Condition keys that are known to be absent where a request does not set them; of tags all."""
TAGS_OF_ONE_POD = frozenset(f"aws:principaltag/kubernetes-pod-{name}" for name in ("name", "uid"))
"""Session tags that differ from pod to pod."""
OTHER_CONTEXTS = "kms:encryptioncontext:"
"""Keys of encryption contexts: S3 sets its own alone."""


class On(enum.Enum):
    """The resource on which an action needs a permission."""

    OBJECTS = "objects"
    LISTING = "listing"
    BUCKET = "bucket"
    KEY = "key"


ACTIONS: Mapping[str, On] = {
    "s3:ListBucket": On.LISTING,
    "s3:GetObject": On.OBJECTS,
    "s3:GetObjectVersion": On.OBJECTS,
    "s3:PutObject": On.OBJECTS,
    "s3:AbortMultipartUpload": On.OBJECTS,
    "s3:DeleteObject": On.OBJECTS,
    "s3:DeleteObjectVersion": On.OBJECTS,
    "s3:BypassGovernanceRetention": On.OBJECTS,
    "s3:PutLifecycleConfiguration": On.BUCKET,
    "s3:PutBucketVersioning": On.BUCKET,
    "s3:PutBucketPolicy": On.BUCKET,
    "s3:PutBucketNotification": On.BUCKET,
    "s3:PutReplicationConfiguration": On.BUCKET,
    "s3:DeleteBucket": On.BUCKET,
    "kms:Decrypt": On.KEY,
    "kms:GenerateDataKey": On.KEY,
    "kms:CreateGrant": On.KEY,
    "kms:PutKeyPolicy": On.KEY,
    "kms:ScheduleKeyDeletion": On.KEY,
}
"""In the order of the report. Decrypt and GenerateDataKey are calls that S3 makes for the role."""
BY_S3 = ("kms:Decrypt", "kms:GenerateDataKey")
EXPRESS_ACTIONS: Mapping[str, On] = {
    "s3express:CreateSession": On.BUCKET,
    "s3express:PutLifecycleConfiguration": On.BUCKET,
    "s3express:PutBucketPolicy": On.BUCKET,
    "s3express:DeleteBucket": On.BUCKET,
    **dict.fromkeys(BY_S3, On.KEY),
}
"""Actions on directory buckets. A session is for all objects of the bucket: IAM has no prefixes there.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-security-iam.html
"""


class Bucket(Struct, frozen=True):
    """A bucket of the templates, its policy, and the policy of its key."""

    name: str
    arn: str
    statements: tuple[Statement, ...]
    key_arn: str
    key_statements: tuple[Statement, ...]
    is_express: bool = False
    """A directory bucket of S3 Express One Zone."""

    @property
    def actions(self) -> Mapping[str, On]:
        """The actions that are decided for the bucket."""
        return EXPRESS_ACTIONS if self.is_express else ACTIONS


class Cell(Struct, frozen=True):
    """One decision. ``prefix`` is None for an action on the bucket or the key; ``pods`` for a role without pods."""

    role: Role
    pods: Pods | None
    bucket: str
    action: str
    prefix: str | None
    decision: Decision


class AccessMatrix(Struct, frozen=True):
    """All cells, by role, pods, bucket and action."""

    roles: tuple[Role, ...]
    buckets: tuple[Bucket, ...]
    cells: tuple[Cell, ...]


def access_matrix(policies: LinkedPolicies, prefixes: tuple[str, ...], catalog: Catalog) -> AccessMatrix:
    """Decides every cell. Raises ``PolicyError`` for a policy that cannot be decided."""
    roles, buckets = roles_of(policies, catalog), tuple(_buckets(policies))
    cells = (
        cell
        for role in roles
        for pods in role.pods or (None,)
        for bucket in buckets
        for cell in _cells(policies, role, pods, bucket, prefixes)
    )
    return AccessMatrix(roles, buckets, tuple(cells))


def _buckets(policies: LinkedPolicies) -> Iterator[Bucket]:
    of_buckets = list(policies.resources(*BUCKET_POLICIES))
    keys = {policies.arn(address): (address, properties) for address, _, properties in policies.resources(KEY)}
    for address, type_name, properties in policies.resources(*BUCKETS):
        name, key_arn = policies.name(address), _key_arn(properties)
        statements = tuple(
            found
            for policy, _, each in of_buckets
            if each.get("Bucket") == name
            for found in policies.statements(each.get("PolicyDocument"), policy.logical_id)
        )
        is_express = type_name == EXPRESS_BUCKET
        if _is_encrypted_by_s3(properties):  # rule E8402: it holds no data of a user
            continue
        if key_arn not in keys:
            raise PolicyError(f"the policy of {key_arn or 'no key'}, with which {name} is encrypted, is not known")
        key, its = keys[key_arn]
        key_statements = policies.statements(its.get("KeyPolicy"), key.logical_id)
        yield Bucket(name, policies.arn(address), statements, key_arn, key_statements, is_express)


def _key_arn(properties: Mapping[str, Any]) -> str:
    keys = [each.get("KMSMasterKeyID") for each in _encryption(properties)]
    return next((str(key) for key in keys if key), "")


def _is_encrypted_by_s3(properties: Mapping[str, Any]) -> bool:
    return [each.get("SSEAlgorithm") for each in _encryption(properties)] == ["AES256"]


def _encryption(properties: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rules = properties.get("BucketEncryption", {}).get("ServerSideEncryptionConfiguration", [])
    return [rule.get("ServerSideEncryptionByDefault", {}) for rule in rules]


def _cells(
    policies: LinkedPolicies, role: Role, pods: Pods | None, bucket: Bucket, prefixes: tuple[str, ...]
) -> Iterator[Cell]:
    for action, on in bucket.actions.items():
        for prefix in prefixes if on in (On.OBJECTS, On.LISTING) else (None,):
            request = _request(policies, role, pods, bucket, action, prefix)
            deciding = Policies(
                identity=role.statements,
                resource=bucket.key_statements if on is On.KEY else bucket.statements,
                boundary=role.boundary,
                is_key=on is On.KEY,
            )
            _require_known_keys(deciding, request)
            yield Cell(role, pods, bucket.name, action, prefix, decide(request, deciding))


def _request(
    policies: LinkedPolicies, role: Role, pods: Pods | None, bucket: Bucket, action: str, prefix: str | None
) -> Request:
    resources = {
        On.OBJECTS: f"{bucket.arn}/{prefix}{SOME_OBJECT}",
        On.LISTING: bucket.arn,
        On.BUCKET: bucket.arn,
        On.KEY: bucket.key_arn,
    }
    on = bucket.actions[action]
    account = policies.account
    keys = {
        "aws:PrincipalArn": role.arn,
        "aws:PrincipalAccount": account,
        "aws:PrincipalType": "AssumedRole",
        "aws:PrincipalIsAWSService": "false",
        "aws:ResourceAccount": account,
        "s3:ResourceAccount": account,
        "aws:RequestedRegion": policies.region,
        "aws:SecureTransport": "true",
        "aws:ViaAWSService": "true" if action in BY_S3 else "false",
        "s3:TlsVersion": "1.3",
        **({"s3express:SessionMode": "ReadWrite"} if bucket.is_express else {}),
        **({"s3:prefix": prefix or ""} if on is On.LISTING else {}),
        **({"kms:CallerAccount": account} if on is On.KEY else {}),
        **(_keys_of_s3(policies, bucket) if action in BY_S3 else {}),
        **_principal_tags(policies, role, pods),
    }
    return Request(role.arn, action, resources[on], request_context(keys))


def _keys_of_s3(policies: LinkedPolicies, bucket: Bucket) -> dict[str, str | tuple[str, ...]]:
    """With a bucket key the encryption context is the bucket, not the object."""
    service = "s3express" if bucket.is_express else "s3"
    return {
        "kms:ViaService": f"{service}.{policies.region}.amazonaws.com",
        "kms:EncryptionContext:aws:s3:arn": bucket.arn,
        "kms:EncryptionContextKeys": ("aws:s3:arn",),
    }


def _principal_tags(policies: LinkedPolicies, role: Role, pods: Pods | None) -> dict[str, str]:
    """Tags of the role, and those of the session, which replace them.

    https://docs.aws.amazon.com/eks/latest/userguide/pod-id-abac.html
    """
    tags = dict(role.tags)
    if pods is not None and pods.has_tags:
        tags["eks-cluster-arn"] = (
            f"arn:{policies.partition}:eks:{policies.region}:{policies.account}:cluster/{pods.cluster}"
        )
        tags["eks-cluster-name"] = pods.cluster
        tags["kubernetes-namespace"] = pods.namespace
        tags["kubernetes-service-account"] = pods.service_account
    return {f"aws:PrincipalTag/{name}": value for name, value in tags.items()}


def _require_known_keys(policies: Policies, request: Request) -> None:
    """Raises ``PolicyError`` for a condition key or variable whose value in such a request is not known."""
    of_resource = [each for each in policies.resource if each.grant(request) is not Grant.NONE]
    for statement in (*policies.identity, *of_resource, *(policies.boundary or ())):
        if not statement.names_action(request.action):
            continue
        keys = set(statement.variables)
        if statement.names_resource(request):
            keys |= {condition.key.lower() for condition in statement.conditions}
        for key in sorted(keys - request.context.keys()):
            if key in TAGS_OF_ONE_POD or not (
                key.partition("/")[0] in KEYS_OF_NO_REQUEST or key.startswith(OTHER_CONTEXTS)
            ):
                message = f"{statement.name}: the value of {key} in a request for {request.action} is not known"
                raise PolicyError(message)
