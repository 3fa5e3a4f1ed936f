"""Checks before an AMI is built, and which AMI that will be."""

from __future__ import annotations

from neuron_cluster.deploy.busy_stacks import require_idle, require_updatable
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.environment_identity import identity_findings
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.deploy.pinned_checks import pinned_by
from neuron_cluster.deploy.pinned_images import parent_image_findings
from neuron_cluster.deploy.preflight import cdk_bootstrap
from neuron_cluster.deploy.preflight.account import preflight_context
from neuron_cluster.deploy.preflight.checks import account_preflight
from neuron_cluster.deploy.preparation import Operator
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import has_error
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.protocol.operations import ImageBuilder, ImageRecipe
from neuron_cluster.protocol.registry import registered_operations


class NotBuildableError(ToolkitError):
    """Raised when the inputs of the AMI are not known."""

    finding_id = "E9561"


def image_builder() -> ImageBuilder:
    """The one of the providers. Raises ``StopIteration`` where none has one."""
    return next(found for each in registered_operations() if (found := each.image_builder) is not None)


def buildable_recipe(opened: OpenedEnvironment, builder: ImageBuilder, lock_again: str) -> ImageRecipe:
    """Returns the recipe of the AMI. Raises ``NotBuildableError`` with what is missing."""
    name, network = opened.file.display_name, opened.plan.network
    try:
        recipe = builder.recipe(opened.plan, opened.catalog)
    except LookupError as error:
        hint = "write a version that has one (`neuron-cluster catalog software`), or the id of your own AMI as ami_id"
        raise NotBuildableError(f"{name}: {error.args[0]}", hint=hint) from error
    if recipe is None:
        raise NotBuildableError(
            f"{name} has no section {builder.section_key}: no other nodes need an AMI that is built",
            hint="AMIs of other nodes are published by AWS; `neuron-cluster lock` pins them",
        )
    if recipe.own_image is not None:
        message = f"{name}: the nodes start from ami_id: {recipe.own_image}, not from an AMI that is built"
        raise NotBuildableError(message, hint="remove ami_id, then run this command again")
    if recipe.parent is None:
        message = f"{name}: no lock pins the Deep Learning AMI {recipe.parent_kind}, from which the AMI is built"
        raise NotBuildableError(message, hint=f"run `{lock_again}`, then this command again")
    if not network.has_internet:
        message = f"{name}: {network.lack_of_internet}, so that a build downloads no software"
        hint = f"{network.internet_edit}; or build it from another file, and write its id as ami_id"
        raise NotBuildableError(message, hint=hint)
    return recipe


def prepare_image_build(
    opened: OpenedEnvironment, recipe: ImageRecipe, destination: Destination, operator: Operator
) -> None:
    """Every check of the account. Raises ``InvalidEnvironment`` or ``ToolkitError`` for what must not be deployed.

    Quotas and reservations of the cluster are not checked: an AMI can be built before they are there.
    """
    plan = opened.plan
    found = account_preflight(plan, destination, opened.catalog.placeholder_accounts.names, opened.locate)
    if not has_error(found) and not destination.prepares_account:
        found += cdk_bootstrap.check(preflight_context(opened, destination))
    if not has_error(found):
        found += parent_image_findings(recipe, destination, pinned_by(opened))
        found += identity_findings(opened, destination, None)
    if has_error(found):
        raise InvalidEnvironment(found)
    operator.report(found)
    operator.announce(opened)
    if destination.prepares_account:
        bootstrap_if_needed(opened.project.root, destination, operator.progress)
        make_named_resources(destination.local_endpoint, plan)
    require_idle(plan, destination)
    require_updatable(plan, destination, as_argument(opened.file.display_name))
