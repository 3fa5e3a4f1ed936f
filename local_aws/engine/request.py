"""The requested stack: the part that CreateStack, UpdateStack and CreateChangeSet share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.checks import check_document
from local_aws.clients import local_client
from local_aws.cloudformation.dependencies import check_references, creation_order, dependencies
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.resolver import Resolver
from local_aws.cloudformation.template import Template, parse_template
from local_aws.cloudformation.template_functions import check_functions
from local_aws.contract import ServiceError
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.outputs import resolved_outputs
from local_aws.engine.parameters import Clients, bind_parameters
from local_aws.engine.resource_policies import creation_policy, update_policy
from local_aws.engine.stack import Revision, Stack
from local_aws.engine.stack_values import DYNAMIC_SERVICES, PreviewValues, RequestValues

UNSUPPORTED = (
    "DeploymentMode",
    "ForceRollback",
    "StackPolicyURL",
    "StackPolicyDuringUpdateBody",
    "StackPolicyDuringUpdateURL",
)


def reject_unsupported_members(given: Mapping[str, Any]) -> None:
    """Raises ServiceError for a member that would have no effect; an empty or false one has none on AWS either."""
    for member in UNSUPPORTED:
        if given.get(member):
            raise api_error("cloudformation.member_unsupported", member=member)
    for member in ("RollbackTriggers", "MonitoringTimeInMinutes"):
        if given.get("RollbackConfiguration", {}).get(member):
            raise api_error("cloudformation.member_unsupported", member=f"RollbackConfiguration.{member}")


def check_resource_types(template: Template, given: Mapping[str, Any]) -> None:
    """Raises TemplateError for a type that ``ResourceTypes`` does not admit: a type, or the beginning of types.

    Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html
    """
    admitted = given.get("ResourceTypes", ())
    if not admitted:
        return
    patterns = [re.escape(entry).replace(r"\*", ".*") for entry in admitted]
    for definition in template.resources.values():
        if not any(re.fullmatch(pattern, definition.type) for pattern in patterns):
            raise TemplateError("resource_type_not_allowed", type=definition.type, types=", ".join(admitted))


def disables_rollback(given: Mapping[str, Any]) -> bool:
    """Whether a failed operation stops where it is."""
    return bool(given.get("DisableRollback") or given.get("DeploymentConfig", {}).get("DisableRollback"))


VIRTUAL_HOST = re.compile(r"(?P<bucket>.+)\.s3[.-].*amazonaws\.com.*")
UPDATABLE = frozenset(
    {
        "CREATE_COMPLETE",
        "CREATE_FAILED",
        "IMPORT_COMPLETE",
        "IMPORT_ROLLBACK_COMPLETE",
        "UPDATE_COMPLETE",
        "UPDATE_FAILED",
        "UPDATE_ROLLBACK_COMPLETE",
    }
)
IAM_NAMES = frozenset({"RoleName", "UserName", "GroupName", "ManagedPolicyName", "InstanceProfileName"})


def requested_revision(engine_context: EngineContext, stack: Stack, given: Mapping[str, Any]) -> Revision:
    """Reads and checks a request for this stack; what it does not give is as it was.

    Raises ServiceError or TemplateError in CloudFormation's words for a request that cannot become a deployment.
    """
    previous = stack.revision

    def client(service: str) -> Any:
        return local_client(service, engine_context.endpoint, stack.account, stack.region)

    reject_unsupported_members(given)
    template = _template(given, previous, client)
    check_template(engine_context, template)
    check_resource_types(template, given)
    before = previous.parameters if previous else {}
    revision = Revision(
        template=template,
        parameters=bind_parameters(template, given.get("Parameters", ()), before, client),
        tags=_tags(given, previous),
        capabilities=tuple(given.get("Capabilities", ())),
        notification_arns=tuple(given.get("NotificationARNs", previous.notification_arns if previous else ())),
        role_arn=given.get("RoleARN") or (previous.role_arn if previous else None),
        rollback_configuration=given.get("RollbackConfiguration") or {},
    )
    resolver = Resolver(template, PreviewValues(stack, revision, engine_context.table, engine_context.endpoint))
    creation_order(dependencies(template, resolver.active()))
    _check_rules(template, resolver)
    _check_values(template, Resolver(template, RequestValues(stack, revision)))
    _check_capabilities(template, revision.capabilities)
    return revision


def require_updatable(stack: Stack) -> None:
    """Raises ServiceError for a stack whose status admits no update."""
    if stack.status not in UPDATABLE:
        raise wrong_state(stack, "be updated")


def wrong_state(stack: Stack, action: str) -> ServiceError:
    """The error for an action that the stack's status does not admit."""
    return api_error("cloudformation.stack_state", stack=stack.stack_id, status=stack.status, action=action)


def template_body(given: Mapping[str, Any], client: Clients) -> str | None:
    """The text of the template, given as such or by the URL of an object in the local S3; None without either."""
    if "TemplateBody" in given:
        return str(given["TemplateBody"])
    if "TemplateURL" not in given:
        return None
    url = urlsplit(given["TemplateURL"])
    virtual = VIRTUAL_HOST.fullmatch(url.netloc)
    path = unquote(url.path.lstrip("/"))
    if url.scheme not in ("https", "http"):  # the local S3 has no TLS
        raise TemplateError("url_scheme")
    bucket, _, key = (virtual["bucket"], "", path) if virtual else path.partition("/")
    if not bucket or not key:
        raise TemplateError("url_of_object")
    try:
        return str(client("s3").get_object(Bucket=bucket, Key=key)["Body"].read().decode())
    except ClientError as error:
        raise TemplateError("s3", reason=error.response["Error"]["Message"]) from error


def check_template(engine_context: EngineContext, template: Template) -> None:
    """Raises TemplateError for resource types and references that do not exist."""
    types = {definition.type for definition in template.resources.values()}
    unknown = sorted(name for name in types if engine_context.provider(name) is None)
    if unknown:
        raise TemplateError("resource_types", types=", ".join(unknown))
    check_references(template)
    check_functions(template, DYNAMIC_SERVICES)


def needed_capabilities(template: Template) -> tuple[list[str], list[str]]:
    """Capabilities that the caller has to acknowledge, and the resource types because of which."""
    iam = [d for d in template.resources.values() if d.type.startswith("AWS::IAM::")]
    named = any(IAM_NAMES & set(definition.properties) for definition in iam)
    types = sorted({definition.type for definition in iam})
    return (["CAPABILITY_NAMED_IAM" if named else "CAPABILITY_IAM"] if iam else []), types


def _template(given: Mapping[str, Any], previous: Revision | None, client: Clients) -> Template:
    texts = _texts(given, previous)
    if given.get("UsePreviousTemplate") and previous is not None:
        template = previous.template
        return template if template.processed is None else read_template(template.body, texts)
    body = template_body(given, client)
    if body is None:
        raise TemplateError("no_template")
    return read_template(body, texts)


def _texts(given: Mapping[str, Any], previous: Revision | None) -> dict[str, str]:
    """The parameters of a request as far as they are given, before it is known which ones there are."""
    before = {} if previous is None else {key: each.text for key, each in previous.parameters.items()}
    return {
        each["ParameterKey"]: before.get(each["ParameterKey"], "")
        if each.get("UsePreviousValue")
        else each.get("ParameterValue", "")
        for each in given.get("Parameters", ())
    }


def read_template(body: str, parameters: Mapping[str, str] | None = None) -> Template:
    """A template that CloudFormation takes. Raises TemplateError or ServiceError for any other."""
    return parse_template(body, check_document, parameters)


def _tags(given: Mapping[str, Any], previous: Revision | None) -> Mapping[str, str]:
    if "Tags" not in given:
        return previous.tags if previous else {}
    return {tag["Key"]: tag["Value"] for tag in given["Tags"]}


def _check_rules(template: Template, resolver: Resolver) -> None:
    for name, rule in template.rules.items():
        if "RuleCondition" in rule and resolver.truth(rule["RuleCondition"]) is False:
            continue
        for assertion in rule.get("Assertions", ()):
            if resolver.truth(assertion["Assert"]) is False:
                description = assertion.get("AssertDescription", "the assertion does not hold")
                raise TemplateError("rule", name=name, description=description)


def _check_values(template: Template, resolver: Resolver) -> None:
    """Raises TemplateError for what has no value, whatever the resources will be."""
    for logical_id in resolver.active():
        resolver.properties(logical_id)
        creation_policy(template.resources[logical_id], resolver)
        update_policy(template.resources[logical_id], resolver)
    resolved_outputs(template, resolver)


def _check_capabilities(template: Template, acknowledged: tuple[str, ...]) -> None:
    needed, _ = needed_capabilities(template)
    enough = {"CAPABILITY_IAM": {"CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"}}
    missing = [name for name in needed if not enough.get(name, {name}) & set(acknowledged)]
    if missing:
        raise api_error("cloudformation.capabilities", missing=", ".join(missing))
