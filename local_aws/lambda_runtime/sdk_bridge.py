"""Calls of the AWS SDK for JavaScript, made with boto3. It is a script of its own.

With an argument, the name of a client package, it prints what the package exports. Without one it makes the calls that
come as lines of JSON, and answers each with a line.
"""

from __future__ import annotations

import base64
import json
import sys
from datetime import datetime
from typing import Any

import botocore.session
from botocore import xform_name
from botocore.exceptions import BotoCoreError, ClientError

NAMES = {
    "cloudwatch-logs": "logs",
    "cloudwatch-events": "events",
    "eventbridge": "events",
    "sfn": "stepfunctions",
    "elastic-load-balancing": "elb",
    "elastic-load-balancing-v2": "elbv2",
    "route-53": "route53",
    "auto-scaling": "autoscaling",
    "cognito-identity-provider": "cognito-idp",
    "secrets-manager": "secretsmanager",
}
"""Packages whose name is not that of the service in botocore; the others are looked for."""


def service_of(session: Any, package: str) -> str:
    services = session.get_available_services()
    for name in (NAMES.get(package, package), package.replace("-", "")):
        if name in services and hyphenated(session.get_service_model(name).service_id) == package:
            return str(name)
    for name in services:
        if hyphenated(session.get_service_model(name).service_id) == package:
            return str(name)
    sys.exit(f"no service has this name: {package}")


def hyphenated(service_id: Any) -> str:
    return str(service_id).lower().replace(" ", "-")


def exports(session: Any, package: str) -> dict[str, Any]:
    service = service_of(session, package)
    model = session.get_service_model(service)
    return {
        "service": service,
        "prefix": str(model.service_id).replace(" ", ""),
        "operations": list(model.operation_names),
        "errors": [shape.name for shape in model.error_shapes],
    }


def decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$blob"}:
        return base64.b64decode(value["$blob"])
    if value.keys() == {"$date"}:
        return datetime.fromisoformat(value["$date"])
    return {key: decoded(each) for key, each in value.items()}


def encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: encoded(each) for key, each in value.items() if key != "ResponseMetadata"}
    if isinstance(value, list):
        return [encoded(each) for each in value]
    if isinstance(value, datetime):
        return {"$date": value.isoformat()}
    if hasattr(value, "read"):
        value = value.read()
    return {"$blob": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def answered(session: Any, request: dict[str, Any]) -> dict[str, Any]:
    try:
        client = session.create_client(request["service"], region_name=request.get("region"))
        result = getattr(client, xform_name(request["operation"]))(**decoded(request["input"]))
        status = result.get("ResponseMetadata", {}).get("HTTPStatusCode")
        return {"result": {**encoded(result), "$metadata": {"httpStatusCode": status}}}
    except ClientError as error:
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        found = error.response["Error"]
        shape = client.meta.service_model.shape_for_error_code(found["Code"])
        name = found["Code"] if shape is None else shape.name
        return {"error": {"name": name, "message": found["Message"], "status": status}}
    except BotoCoreError as error:
        return {"error": {"name": type(error).__name__, "message": str(error), "status": None}}


def main(arguments: list[str]) -> None:
    session = botocore.session.get_session()
    if arguments:
        print(json.dumps(exports(session, arguments[0])))  # noqa: T201 - the answer
        return
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **answered(session, request)}), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main(sys.argv[1:])
