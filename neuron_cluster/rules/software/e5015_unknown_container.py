from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownContainer(Rule):
    """Every Neuron Deep Learning Container is in the catalog (`neuron.containers`).

    Applies to images of the public Neuron gallery and to names without a registry. For images of another registry see
    rule W5016.

    Without this check the runtime, framework and Neuron chips of the image are unknown. On the cluster the pods remain
    in ImagePullBackOff.
    """

    id = "E5015"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )
    proposes = ("containers",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        config = context.environment.config
        for position, name in enumerate(config.neuron.containers):
            if catalog.containers.get(name) is None and catalog.containers.is_of_gallery(name):
                yield Violation(
                    ("neuron", "containers", position),
                    f"{name} is not a Neuron Deep Learning Container of the catalog",
                    f"{did_you_mean(catalog.containers.similar(name))}`neuron-cluster catalog containers` lists all "
                    "containers",
                )
