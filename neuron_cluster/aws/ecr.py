"""Signing in to the private registries of ECR."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def registry_authorization(target: Target) -> str:
    """Header value for every ECR registry that the caller may read; ECR's token is a user and password in base 64."""
    with translated():
        answer = client(target, "ecr").get_authorization_token()
    return f"Basic {answer['authorizationData'][0]['authorizationToken']}"
