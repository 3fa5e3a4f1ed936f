"""The ``app.py`` of a project with a provider of its own: registered, and then the app of the toolkit."""

import sys

import checkout_app  # the toolkit's app.py

from neuron_cluster.protocol.registry import register
from tests.orchestrators.auto_scaling.provider import AUTO_SCALING

if __name__ == "__main__":
    register(AUTO_SCALING)
    sys.exit(checkout_app.main(checkout_app.cdk.App(analytics_reporting=False)))
