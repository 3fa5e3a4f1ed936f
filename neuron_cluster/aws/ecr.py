"""Authentication for private ECR registries."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def registry_authorization(target: Target) -> str:
    """Authorization header for all ECR registries; ECR's token is user and password in base64."""
    with translated():
        answer = client(target, "ecr").get_authorization_token()
    return f"Basic {answer['authorizationData'][0]['authorizationToken']}"
