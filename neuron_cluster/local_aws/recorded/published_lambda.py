"""CDK's kubectl function as it was published to the local AWS: its code, and helm from its layers."""

from __future__ import annotations

import io
import threading
import zipfile
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.local_aws.engine.provider import ResourceContext
from neuron_cluster.local_aws.recorded.failure import CustomResourceFailed
from neuron_cluster.unpacked_zip import unpack_once

USER_FUNCTION_VARIABLE = "USER_ON_EVENT_FUNCTION_ARN"
"""Where CDK's provider framework keeps the function it calls (aws-cdk-lib, custom-resources/lib/provider-framework)."""
KUBECTL_MODULES = frozenset({"index.py", "apply/__init__.py", "helm/__init__.py", "patch/__init__.py"})
"""What makes a function CDK's kubectl function (aws-cdk-lib, custom-resource-handlers/dist/aws-eks-v2)."""
HELM_IN_LAYER = "helm/helm"
"""The path that becomes ``/opt/helm/helm`` in the Lambda (lambda-layer-kubectl packages)."""


class KubectlFunction(Struct, frozen=True):
    """The function that does a custom resource's work."""

    name: str
    code_folder: Path
    layers: tuple[str, ...]
    """ARNs of its layer versions."""


class PublishedLambdas:
    """Finds functions behind service tokens and unpacks what they need, once per content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def kubectl_function(self, context: ResourceContext, service_token: str) -> KubectlFunction:
        """The function behind a service token.

        Raises ``CustomResourceFailed`` when it is not CDK's kubectl function, ``ClientError`` when there is none.
        """
        client = context.client("lambda")
        framework = client.get_function_configuration(FunctionName=service_token)
        user_function = framework.get("Environment", {}).get("Variables", {}).get(USER_FUNCTION_VARIABLE)
        if user_function is None:
            raise CustomResourceFailed(_refusal(context, framework["FunctionName"]))
        configuration = client.get_function_configuration(FunctionName=user_function)
        name: str = configuration["FunctionName"]
        published = _backend(context).get_function(user_function)
        with zipfile.ZipFile(io.BytesIO(published.code_bytes)) as archive:
            if not KUBECTL_MODULES.issubset(archive.namelist()):
                raise CustomResourceFailed(_refusal(context, name))
            code_folder = self._unpacked(archive, published.code_digest, archive.namelist())
        layers = tuple(layer["Arn"] for layer in configuration.get("Layers", ()))
        return KubectlFunction(name, code_folder, layers)

    def helm(self, context: ResourceContext, function: KubectlFunction) -> Path:
        """The helm binary of the function's layers; ``CustomResourceFailed`` when no layer holds one."""
        for arn in function.layers:
            layer = _backend(context).layers_versions_by_arn(arn)
            with zipfile.ZipFile(io.BytesIO(layer.code_bytes)) as archive:
                if HELM_IN_LAYER in archive.namelist():
                    return self._unpacked(archive, layer.code_digest, [HELM_IN_LAYER]) / HELM_IN_LAYER
        raise CustomResourceFailed(f"no layer of the function {function.name} holds {HELM_IN_LAYER}")

    def _unpacked(self, archive: zipfile.ZipFile, digest: str, members: list[str]) -> Path:
        with self._lock:
            return unpack_once(archive, self._folder / digest, members)


def _backend(context: ResourceContext) -> Any:
    # The Lambda API gives code as a URL of another host, which nothing here serves: moto has read the bytes from
    # the bucket when the function was made. moto keeps them apart by whether functions may run in Docker.
    from moto.awslambda.utils import get_backend

    return get_backend(context.account, context.region)


def _refusal(context: ResourceContext, function: str) -> str:
    return (
        f"{context.resource_type} is served by the function {function}, which is not CDK's kubectl function: "
        "the local AWS runs no other code"
    )
