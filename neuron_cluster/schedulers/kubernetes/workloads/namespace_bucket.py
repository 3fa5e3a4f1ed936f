"""The checkpoint bucket of the environment in the values of a chart: the prefix and the role of a namespace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET, PodRolePlan
from neuron_cluster.plan.bucket_access_plan import CHECKPOINTS, BucketAccessPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compile_cache_plan import CACHE_URL_VARIABLE, COMPILE_CACHE_PREFIX
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import default_namespace
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe

ACCOUNT = "serviceAccount"
KEPT_OF_NAME = 24
"""Characters of a long stack name that CloudFormation keeps in the name that it generates; not documented."""
S3 = "s3://"
VARIABLES, CHECKPOINT_URL = "trainer.env", "CHECKPOINT_URL"
"""The value with the variables of the training program, and the one with the address of its checkpoints in S3."""
REGION = "AWS_REGION"
"""NxD does not find the Region on nodes that require a token for instance metadata (W9270)."""
READ, WRITE = "s3:GetObject", "s3:PutObject"
CACHE_ADDRESS = f"$({CACHE_URL_VARIABLE})"
"""The compile cache of the environment, whose address pods have from a ConfigMap."""


def is_environment_bucket(name: str | None, plan: ClusterPlan) -> bool:
    """Whether it can be the checkpoint bucket, whose generated name begins with that of its stack."""
    if not name or plan.storage is None or plan.storage.bucket is None:
        return False
    return name.startswith(f"{plan.stack_name(STORAGE.stack_key)}-"[:KEPT_OF_NAME].lower())


def namespace_access(
    recipe: Recipe, options: WorkloadOptions, front_end: str, plan: ClusterPlan
) -> BucketAccessPlan | None:
    """Returns the access of the account that the user names, else of the first account with the whole prefix of the
    namespace: one that reads for a chart that only reads, else one that writes.

    None for a bucket that is not of the environment.
    """
    if not is_environment_bucket(options.bucket, plan) or plan.kubernetes is None:
        return None
    name = options.namespace or default_namespace(plan.kubernetes)
    account = options.text(f"{ACCOUNT}.name")
    entries = [each for space in plan.kubernetes.namespaces if space.name == name for each in space.bucket_access]
    if account is not None:
        return next((each for each in entries if each.service_account == account), None)
    whole = sorted((each for each in entries if not each.is_of_job), key=lambda each: each.writes)
    writes = any(each.is_written for each in recipe.locations if each.is_for(front_end))
    return next((each for each in whole if each.writes or not writes), None)


def access_values(
    recipe: Recipe, options: WorkloadOptions, front_end: str, plan: ClusterPlan, defaults: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The service account with the role, and the address below which a training program may save, with the Region; each
    only where the user sets none."""
    access = namespace_access(recipe, options, front_end, plan)
    values: dict[str, Any] = {}
    if access is not None and not options.sets(ACCOUNT) and ACCOUNT in defaults:
        values[ACCOUNT] = {"create": False, "name": access.service_account}
    if access is not None and recipe.has_checkpoints and not options.sets(VARIABLES):
        address = f"{S3}{options.bucket}/{_checkpoints_of(access, options.release or recipe.chart)}"
        variables = {CHECKPOINT_URL: address.rstrip("/"), REGION: plan.region}
        values |= {"trainer": {"env": [{"name": name, "value": value} for name, value in variables.items()]}}
    return values


def _checkpoints_of(access: BucketAccessPlan, release: str) -> str:
    """The prefix of the job that a role is limited to, else one by the name of the release."""
    return access.prefix if access.is_of_job else f"{access.prefix}{CHECKPOINTS}{release}/"


def access_findings(
    recipe: Recipe, options: WorkloadOptions, front_end: str, plan: ClusterPlan, values: Mapping[str, Any]
) -> Iterator[Finding]:
    """W9279 for an address in the bucket of the environment that the role of the service account does not allow.

    ``values`` are complete. An account without a role of the environment may have one of the user's own.
    """
    namespace = _namespace_of(options, plan)
    account = str(value_at(values, f"{ACCOUNT}.name") or "")
    role = _role(plan, namespace, account)
    for location in recipe.locations if role is not None else ():
        url = str(value_at(values, f"{location.key}.url") or "")
        action = WRITE if location.is_written else READ
        if role is None or not location.is_for(front_end) or allows_address(plan, namespace, account, url, action):
            continue
        allowed = _prefixes(role, action)
        if key_in_bucket(url, plan) is not None:
            verb = "write to" if location.is_written else "read"
            message = f"{url}: the role of {role.namespace}/{role.service_account} does not allow its pods to {verb} it"
            limit = f"below {listed(allowed, 'or')}, " if allowed else "in another bucket, "
            hint = f"set {location.key}.url {limit}or {ACCOUNT}.name to an account with access to it"
            yield finding("W9279", recipe.chart, f"{location.key}.url", message, hint)


def allows_address(plan: ClusterPlan, namespace: str, account: str, url: str, action: str = READ) -> bool:
    """Whether the role of a service account allows the action on an address in the bucket of the environment."""
    role, key = _role(plan, namespace, account), key_in_bucket(url, plan)
    if role is None or key is None:
        return False
    return any(f"{key.rstrip('/')}/".startswith(prefix) for prefix in _prefixes(role, action))


def key_in_bucket(url: str, plan: ClusterPlan) -> str | None:
    """The key of an address in the checkpoint bucket of the environment; None of any other address."""
    if url.startswith(CACHE_ADDRESS):
        return COMPILE_CACHE_PREFIX + url.removeprefix(CACHE_ADDRESS).lstrip("/")
    bucket, _, key = url.removeprefix(S3).partition("/")
    return key if is_environment_bucket(bucket, plan) else None


def _namespace_of(options: WorkloadOptions, plan: ClusterPlan) -> str:
    return options.namespace or (default_namespace(plan.kubernetes) if plan.kubernetes is not None else "")


def _role(plan: ClusterPlan, namespace: str, account: str) -> PodRolePlan | None:
    roles = plan.kubernetes.workload_roles if plan.kubernetes is not None else ()
    return next((each for each in roles if (each.namespace, each.service_account) == (namespace, account)), None)


def _prefixes(role: PodRolePlan, action: str) -> list[str]:
    """Returns the prefixes of the checkpoint bucket on whose objects the role has the action."""
    objects = f"{CHECKPOINT_BUCKET}/"
    return [
        resource.removeprefix(objects).removesuffix("*")
        for statement in role.statements
        if action in statement.actions
        for resource in statement.resources
        if resource.startswith(objects)
    ]
