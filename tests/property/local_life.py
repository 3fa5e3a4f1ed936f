"""An environment on the local AWS: deployed, changed and destroyed as the commands do it, and what is there to see.

The decisions are the toolkit's own (`Deployment.changes`, `plan_destruction`, `delete_data`); only the CDK command, a
second of Node.js for each call, is left out: stacks are created, updated and deleted by its own API calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from account_snapshot import snapshot
from prepared_account import RESERVATIONS, buy_reservations, prepare
from synthesis import ROOT, synthesized
from yaml_text import Tree, yaml_of

from local_aws.clients import local_client
from local_aws.http.trail import EVENTS
from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import template
from neuron_cluster.aws.session import LocalTarget, close_clients
from neuron_cluster.deploy.data_deletion import delete_data
from neuron_cluster.deploy.deployment import Changes, Deployment
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.destruction import plan_destruction
from neuron_cluster.deploy.protection import turn_off
from neuron_cluster.deploy.retained_logs import delete_retained_logs
from neuron_cluster.plan.core_stacks import STORAGE

CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]

NO_RESOURCES = ("cloudformation.detections", "fsx.tokens", EVENTS, RESERVATIONS)
"""Tables of what was asked, and of what was there before."""

Kept = dict[str, Any]


class Life:
    """One environment file on its way to its place on the local AWS."""

    def __init__(self, aws: LocalAws, tree: Tree, folder: Path) -> None:
        self.plan, self.templates = synthesized(yaml_of(tree), folder)
        self._folder = folder
        self._aws = aws
        self.destination = local_destination(aws.endpoint, self.plan.account, self.plan.region)
        self.target = LocalTarget(self.plan.region, self.plan.account, aws.endpoint)

    @property
    def place(self) -> tuple[str, str, str]:
        """An edit of one of these makes another environment next to the first."""
        return self.plan.account, self.plan.region, self.plan.name

    def prepare(self) -> None:
        prepare(self._aws, self.plan, self._folder)

    def changes(self) -> Changes:
        return Deployment(self.plan, ROOT, self._folder, self.destination).changes()

    def deploy(self) -> None:
        buy_reservations(self._aws, self.plan)  # again: an edit may want another type in the same one
        cloudformation = self._client("cloudformation")
        for name, wanted in self.templates.items():
            asked = {"StackName": name, "TemplateBody": json.dumps(wanted), "Capabilities": CAPABILITIES}
            if self.status(name) is None:
                protected = self.plan.is_durable and name.endswith(("-network", "-storage", "-cluster"))
                cloudformation.create_stack(**asked, EnableTerminationProtection=protected, OnFailure="ROLLBACK")
            elif template(self.target, name) != wanted:
                cloudformation.update_stack(**asked)
            assert self.ended(name) in ("CREATE_COMPLETE", "UPDATE_COMPLETE"), self.reasons(name)

    def destroy(self) -> None:
        """Everything that the toolkit finds of the environment, the data too."""
        destruction = plan_destruction(self.plan, self.destination, with_data=True)
        assert destruction.keeps == ()
        state = self.plan.stack_name(STORAGE.stack_key)
        turn_off(self.target, destruction.protections)
        for stack in destruction.deletes:
            if stack.name == state and destruction.data is not None:
                delete_data(self.target, destruction.data)
            self._client("cloudformation").delete_stack(StackName=stack.name)
            assert self.ended(stack.name) in (None, "DELETE_COMPLETE"), self.reasons(stack.name)
        if destruction.with_logs:
            delete_retained_logs(self.plan, self.target)

    def status(self, name: str) -> str | None:
        stacks = self._client("cloudformation").describe_stacks()["Stacks"]
        return next((stack["StackStatus"] for stack in stacks if stack["StackName"] == name), None)

    def ended(self, name: str) -> str | None:
        self._aws.engine.wait()
        return self.status(name)

    def reasons(self, name: str) -> list[str]:
        events = self._client("cloudformation").describe_stack_events(StackName=name)["StackEvents"]
        return [f"{e['LogicalResourceId']}: {e['ResourceStatusReason']}" for e in events if "ResourceStatusReason" in e]

    def drifted(self) -> dict[str, Any]:
        """Returns the values of services that differ from the deployed templates, by stack and logical id."""
        cloudformation = self._client("cloudformation")
        found: dict[str, Any] = {}
        for name in self.templates:
            cloudformation.detect_stack_drift(StackName=name)
            asked = {"StackName": name, "StackResourceDriftStatusFilters": ["MODIFIED", "DELETED"]}
            odd = cloudformation.describe_stack_resource_drifts(**asked)["StackResourceDrifts"]
            found |= {f"{name}/{row['LogicalResourceId']}": row.get("PropertyDifferences") for row in odd}
        return found

    def retained(self) -> Kept:
        """Everything that the services of this account and Region list, and the local AWS's own tables."""
        stacks = self._client("cloudformation").describe_stacks()["Stacks"]
        listed = snapshot(self._client)
        tables = {
            f"table {name}": sorted(map(str, rows))
            for (account, region, name), rows in self._aws.store.tables.items()
            if (account, region) == (self.plan.account, self.plan.region) and rows and name not in NO_RESOURCES
        }
        listed["ec2 Reservations"] = [row for row in listed["ec2 Reservations"] if _runs(row)]
        own = {row.get("TargetKeyId") for row in listed["kms aliases"] if _is_of_aws(row)}
        listed["kms aliases"] = [row for row in listed["kms aliases"] if not _is_of_aws(row)]
        listed["kms keys"] = [row for row in listed["kms keys"] if row["KeyId"] not in own]
        return {**listed, **tables, "stacks": sorted((row["StackName"], row["StackStatus"]) for row in stacks)}

    def _client(self, service: str) -> Any:
        return local_client(service, self._aws.endpoint, self.plan.account, self.plan.region)

    def close(self) -> None:
        close_clients(self.target)


def _is_of_aws(alias: Mapping[str, Any]) -> bool:
    """Whether it is of a key that a service makes for an account with the first thing it encrypts, and keeps."""
    return str(alias["AliasName"]).startswith("alias/aws/")


def _runs(reservation: Mapping[str, Any]) -> bool:
    """Whether there is more of it than terminated instances, which EC2 goes on listing for an hour."""
    return any(instance["State"]["Name"] != "terminated" for instance in reservation["Instances"])


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Returns new and removed rows; empty when nothing has changed."""
    kinds = {*before, *after}
    changed = {kind: (before.get(kind, []), after.get(kind, [])) for kind in kinds}
    rows = {
        kind: {"gone": [r for r in old if r not in new], "new": [r for r in new if r not in old]}
        for kind, (old, new) in sorted(changed.items())
    }
    return {kind: found for kind, found in rows.items() if found["gone"] or found["new"]}
