"""Private ECR registries: authentication, and what a repository has."""

from __future__ import annotations

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.session import Target, client


def registry_authorization(target: Target) -> str:
    """Authorization header for all ECR registries; ECR's token is user and password in base64."""
    with translated():
        answer = client(target, "ecr").get_authorization_token()
    return f"Basic {answer['authorizationData'][0]['authorizationToken']}"


def has_tag(target: Target, repository: str, tag: str) -> bool | None:
    """Whether a repository of the account has an image or chart with the tag; None where there is no repository."""
    try:
        with translated():
            client(target, "ecr").describe_images(repositoryName=repository, imageIds=[{"imageTag": tag}])
    except AwsApiError as error:
        if error.code == "RepositoryNotFoundException":
            return None
        if error.code == "ImageNotFoundException":
            return False
        raise
    return True
