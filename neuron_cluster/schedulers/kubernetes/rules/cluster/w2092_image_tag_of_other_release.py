from __future__ import annotations

from local_kubernetes.model.image_reference import MOVING_TAG, image_reference
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ImageTagOfOtherRelease(Rule):
    """A tag in the images of a team has the Neuron SDK of the environment, and does not move (`teams[].images`).

    An entry without a tag allows every release. Images that AWS did not build for the release are not reported. Only a
    warning: the release before that of the environment still runs.

    Without this check AWS reports no error. After an upgrade of `neuron.sdk` the team may run images of the release
    before alone; and each push of `latest` changes what the entry allows.
    """

    id = "W2092"
    source = (
        "https://kubernetes.io/docs/concepts/containers/images/; aws-neuron/deep-learning-containers: README.md; "
        "aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )

    def check(self, context: RuleContext) -> Violations:
        release = context.environment.config.neuron.sdk
        for number, team in enumerate(context.environment.config.teams):
            for position, entry in enumerate(team.images or ()):
                message = _problem(entry, release, context.catalog)
                if message:
                    repository = image_reference(entry).repository
                    yield Violation(
                        ("teams", number, "images", position),
                        message,
                        f"write {repository}, which allows each tag and digest, or the reference of a release",
                    )


def _problem(entry: str, release: str, catalog: Catalog) -> str:
    """Empty for an entry without a tag, or with a digest, which always names the same image."""
    reference = image_reference(entry)
    if reference.tag is None or reference.digest is not None:
        return ""
    if reference.tag == MOVING_TAG:
        return f"{entry} is what was pushed last: the tag names another image after each push"
    row = catalog.containers.get(entry)
    if row is None or row.neuron_sdk == release or not _is_built_for(release, row, catalog):
        return ""
    return f"{entry} has Neuron SDK {row.neuron_sdk}, but neuron.sdk is {release}"


def _is_built_for(release: str, row: Container, catalog: Catalog) -> bool:
    kind = (row.repository, row.framework, release)
    return any((each.repository, each.framework, each.neuron_sdk) == kind for each in catalog.containers)
