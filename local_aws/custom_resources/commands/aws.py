"""``aws``: charts from the local S3, a kubeconfig for the local cluster, a password for no registry."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from local_aws.custom_resources.command_log import Arguments, CommandFailed, CommandUnknown, answer, facts
from local_aws.http.signing import signed_headers


def main(arguments: list[str]) -> int:
    return answer("aws", arguments, _aws)


def _aws(arguments: list[str]) -> Mapping[str, Any]:
    command, rest = arguments[:2], arguments[2:]
    match command:
        case ["s3", "cp"]:
            return _copy(rest)
        case ["eks", "update-kubeconfig"]:
            return _update_kubeconfig(rest)
        case ["ecr" | "ecr-public", "get-login-password"]:
            return _login_password(rest)
    raise CommandUnknown(f"the local AWS does not answer the command: aws {' '.join(command)}")


def _copy(arguments: list[str]) -> Mapping[str, Any]:
    """One GET over plain HTTP: boto3 and its model of S3 would take half a second of every chart of ours."""
    from http.client import HTTPConnection

    parser = Arguments("aws s3 cp")
    parser.add_argument("source")
    parser.add_argument("target", type=Path)
    asked = parser.parse_args(arguments)
    where = urlsplit(os.environ["AWS_ENDPOINT_URL"])
    connection = HTTPConnection(where.hostname or "", where.port)
    target = "/" + quote(asked.source.removeprefix("s3://"))
    secret, account, region = (
        os.environ[name] for name in ("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "AWS_REGION")
    )
    headers = signed_headers(secret, account, region, "s3", host=where.netloc, target=target)
    try:
        connection.request("GET", target, headers=headers)
        reported = connection.getresponse()
        if reported.status != HTTPStatus.OK:
            refusal = f"({reported.status}) when calling the HeadObject operation: {reported.reason.title()}"
            raise CommandFailed(f"fatal error: An error occurred {refusal} ({asked.source})")
        asked.target.write_bytes(reported.read())
    finally:
        connection.close()
    return {"source": asked.source}


def _update_kubeconfig(arguments: list[str]) -> Mapping[str, Any]:
    parser = Arguments("aws eks update-kubeconfig")
    parser.add_argument("--name", required=True)
    parser.add_argument("--kubeconfig", type=Path, required=True)
    asked = parser.parse_args(arguments)
    cluster = facts()["cluster"]
    if cluster is None:
        raise CommandFailed(
            "An error occurred (ResourceNotFoundException) when calling the DescribeCluster operation: "
            f"No cluster found for name: {asked.name}."
        )
    server = {"server": cluster["endpoint"], "certificate-authority-data": cluster["certificateAuthority"]["data"]}
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": cluster["arn"], "cluster": server}],
        "contexts": [{"name": cluster["arn"], "context": {"cluster": cluster["arn"], "user": cluster["arn"]}}],
        "current-context": cluster["arn"],
        "users": [],
    }
    asked.kubeconfig.write_text(json.dumps(kubeconfig), encoding="utf-8")
    return {"cluster": asked.name}


def _login_password(arguments: list[str]) -> Mapping[str, Any]:
    parser = Arguments("aws ecr get-login-password")
    parser.add_argument("--region", required=True)
    asked = parser.parse_args(arguments)
    sys.stdout.write("local\n")
    return {"region": asked.region}
