"""AWS::Lambda::Function."""

from __future__ import annotations

import contextlib
import io
import zipfile
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import desired_tags, tag_changes, tag_list, tag_map

NAME_LIMIT = 64
DEFAULTS: dict[str, Any] = {
    "Description": "",
    "Environment": {"Variables": {}},
    "EphemeralStorage": {"Size": 512},
    "Layers": [],
    "MemorySize": 128,
    "Timeout": 3,
    "TracingConfig": {"Mode": "PassThrough"},
    "VpcConfig": {"SubnetIds": [], "SecurityGroupIds": []},
}
"""What a configuration goes back to when its property is taken out of the template (sizes in MiB, time in s)."""


class Function(ServiceResource):
    """Received and kept; its code runs for custom resources and Invoke."""

    service = "lambda"
    type_name = "AWS::Lambda::Function"
    configured = frozenset(
        {
            "DeadLetterConfig",
            "Description",
            "Environment",
            "EphemeralStorage",
            "FileSystemConfigs",
            "Handler",
            "Layers",
            "LoggingConfig",
            "MemorySize",
            "Role",
            "Runtime",
            "SnapStart",
            "Timeout",
            "TracingConfig",
            "VpcConfig",
        }
    )
    supported = configured | {
        "Architectures",
        "Code",
        "FunctionName",
        "KmsKeyArn",
        "PackageType",
        "ReservedConcurrentExecutions",
        "Tags",
    }
    required = frozenset({"Code", "Role"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        name = properties.get("FunctionName") or generated_name(context, NAME_LIMIT)
        tags = desired_tags(context, properties)
        parameters = {
            **present(properties, *self.configured, "Architectures", "PackageType"),
            **_key(properties),
            "FunctionName": name,
            "Code": _code(properties),
            **({"Tags": tags} if tags else {}),
        }
        client = self.client(context)
        call(client, "CreateFunction", parameters)
        undo.callback(client.delete_function, FunctionName=name)
        self._change_concurrency(client, name, {}, properties)
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        named = {"FunctionName": physical_id}
        if new["Code"] != old["Code"] or new.get("Architectures") != old.get("Architectures"):
            call(client, "UpdateFunctionCode", {**named, **_code(new), **present(new, "Architectures")})
        defaults = {**DEFAULTS, "LoggingConfig": {"LogFormat": "Text", "LogGroup": f"/aws/lambda/{physical_id}"}}
        changed = {
            name: new.get(name, defaults.get(name))
            for name in sorted(self.configured)
            if new.get(name) != old.get(name) and (name in new or name in defaults)
        }
        if changed or _key(new) != _key(old):
            call(client, "UpdateFunctionConfiguration", {**named, **changed, **(_key(new) or {"KMSKeyArn": ""})})
        self._change_concurrency(client, physical_id, old, new)
        arn = self.attributes(context, physical_id)["Arn"]
        now = tag_map(tag_list(client.list_tags(Resource=arn)["Tags"]))
        set_, gone = tag_changes(now, desired_tags(context, new))
        if gone:
            client.untag_resource(Resource=arn, TagKeys=gone)
        if set_:
            client.tag_resource(Resource=arn, Tags=set_)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_function(FunctionName=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        answer = client.get_function(FunctionName=physical_id)
        row = answer["Configuration"]
        properties = present(row, *self.configured, "Architectures", "FunctionName", "PackageType")
        if "ResolvedS3Object" in answer.get("Code", {}):
            properties["Code"] = answer["Code"]["ResolvedS3Object"]
        if "Layers" in row:
            properties["Layers"] = [layer["Arn"] for layer in row["Layers"]]
        if row.get("KMSKeyArn"):
            properties["KmsKeyArn"] = row["KMSKeyArn"]
        if "VpcConfig" in properties:
            properties["VpcConfig"] = present(
                row["VpcConfig"], "SubnetIds", "SecurityGroupIds", "Ipv6AllowedForDualStack"
            )
        concurrency = answer.get("Concurrency", {}).get("ReservedConcurrentExecutions")
        if concurrency is not None:
            properties["ReservedConcurrentExecutions"] = concurrency
        return {**properties, "Tags": tag_list(answer.get("Tags", {}))}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).get_function_configuration(FunctionName=physical_id)
        return {"Arn": row["FunctionArn"]}

    def _change_concurrency(self, client: Any, name: str, old: Properties, new: Properties) -> None:
        reserved = new.get("ReservedConcurrentExecutions")
        if reserved is not None:
            parameters = {"FunctionName": name, "ReservedConcurrentExecutions": reserved}
            call(client, "PutFunctionConcurrency", parameters)
        elif old.get("ReservedConcurrentExecutions") is not None:
            client.delete_function_concurrency(FunctionName=name)


def _key(properties: Properties) -> dict[str, Any]:
    """The one property that the API spells otherwise."""
    return {"KMSKeyArn": properties["KmsKeyArn"]} if properties.get("KmsKeyArn") else {}


def _code(properties: Properties) -> dict[str, Any]:
    """Inline source becomes the zip that CloudFormation makes of it: ``index.py`` or ``index.js``."""
    code = dict(properties["Code"])
    if "ZipFile" in code:
        name = "index.py" if str(properties.get("Runtime", "")).startswith("python") else "index.js"
        with io.BytesIO() as buffer:
            with zipfile.ZipFile(buffer, "w") as archive:
                archive.writestr(zipfile.ZipInfo(name), code["ZipFile"])
            code["ZipFile"] = buffer.getvalue()
    return code
