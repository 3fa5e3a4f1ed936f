"""The account, Region and endpoint of a deploy, and the environment variables of its child processes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from msgspec import Struct

from local_aws.environment import local_environment, scrubbed
from neuron_cluster.aws.session import AwsTarget, LocalTarget, Target
from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.deploy.aws_endpoints import aws_endpoints
from neuron_cluster.deploy.node import node_binary

CREDENTIALS_OF_CI = frozenset(
    {
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
        "ACTIONS_RUNTIME_TOKEN",
        "CI_JOB_TOKEN",
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "GITLAB_TOKEN",
        "NODE_AUTH_TOKEN",
        "NPM_TOKEN",
    }
)
"""Credentials of other services that CI jobs hold; the CDK command has no use for them."""


class Destination(Struct, frozen=True):
    """One account and Region of AWS or of the local AWS."""

    target: Target
    account: str
    endpoints: tuple[str, ...] = ()
    """URLs that the user's variables put in the place of AWS's own; normally none."""
    ends_with_command: bool = False
    """A local AWS of the command's own."""
    is_fresh_account: bool = False
    """A local AWS that plays an account that was never used."""

    @property
    def region(self) -> str:
        return self.target.region

    @property
    def is_local(self) -> bool:
        return isinstance(self.target, LocalTarget)

    @property
    def prepares_account(self) -> bool:
        """Whether a deploy makes there by itself what it needs: CDK's bootstrap, and the principals of the file."""
        return self.is_local and not self.is_fresh_account

    @property
    def local_endpoint(self) -> str:
        """URL of the local AWS. Raises ``TypeError`` for AWS."""
        if not isinstance(self.target, LocalTarget):
            raise TypeError(f"{self.description} is not the local AWS")
        return self.target.endpoint

    @property
    def description(self) -> str:
        if isinstance(self.target, LocalTarget):
            return f"the local AWS at {self.target.endpoint}, as account {self.account} in {self.region}"
        through = f" (through {', '.join(self.endpoints)})" if self.endpoints else ""
        return f"AWS account {self.account}, {self.region}{through}"

    @property
    def catalog(self) -> Catalog:
        """The catalog that answers of services are compared with."""
        return load_catalog()

    def aws_command(self, operation: str, **options: str) -> str:
        """A command of the AWS CLI in shell syntax: ``aws kms enable-key --region us-west-2 --key-id x``.

        For the local AWS it names the endpoint: without the variables of that one it reaches nothing of AWS.
        """
        endpoint = {"endpoint-url": self.local_endpoint} if self.is_local else {}
        given = {"region": self.region, **endpoint, **{key.replace("_", "-"): value for key, value in options.items()}}
        return " ".join([f"aws {operation}", *(f"--{key} {shlex.quote(value)}" for key, value in given.items())])

    def child_environment(self, environ: Mapping[str, str] | None = None) -> dict[str, str]:
        """Variables for the CDK command, without the tokens of a CI system.

        For the local AWS no credential, profile or endpoint of the user is left.
        """
        environ = os.environ if environ is None else environ
        given = {name: value for name, value in environ.items() if name not in CREDENTIALS_OF_CI}
        path = os.pathsep.join([str(node_binary().parent), given.get("PATH", os.defpath)])
        ours = {
            "PATH": path,
            "CDK_DISABLE_CLI_TELEMETRY": "true",
            "CDK_DISABLE_VERSION_CHECK": "true",
            "AWS_REGION": self.region,
        }
        if isinstance(self.target, LocalTarget):
            endpoint = self.target.endpoint
            return {**scrubbed(given, local_environment(endpoint, self.account, self.region)), **ours}
        return {**given, **ours}


def aws_destination(account: str, region: str) -> Destination:
    """Raises ``InvalidEnvironment`` when the user's variables lead to a local AWS."""
    return Destination(AwsTarget(region), account, aws_endpoints())


def local_destination(
    endpoint: str, account: str, region: str, *, ends_with_command: bool = False, is_fresh_account: bool = False
) -> Destination:
    target = LocalTarget(region, account, endpoint)
    return Destination(target, account, ends_with_command=ends_with_command, is_fresh_account=is_fresh_account)
