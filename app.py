"""CDK entry point of a checkout: `cdk deploy --all -c environment=train-trn1` (``neuron_cluster.cdk_app``)."""

from __future__ import annotations

import sys
from pathlib import Path

from neuron_cluster import cdk_app
from neuron_cluster.cdk_app import cdk

ROOT = Path(__file__).parent


def main(app: cdk.App) -> str | None:
    """Synthesizes what the context of the app names; returns the findings."""
    return cdk_app.main(app, ROOT)


if __name__ == "__main__":
    sys.exit(main(cdk_app.new_app()))
