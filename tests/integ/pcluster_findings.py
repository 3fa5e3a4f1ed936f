"""Run by the Python of ParallelCluster: what its schema and validators find in the configuration of a cluster, as JSON.

Without ``--aws`` the schema alone reads the file. AWS is where the variables of the environment point to.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import yaml
from marshmallow import ValidationError  # type: ignore[import-not-found]
from pcluster.schemas.cluster_schema import ClusterSchema  # type: ignore[import-not-found]
from pcluster.schemas.imagebuilder_schema import ImageBuilderSchema  # type: ignore[import-not-found]


def findings(text: str, *, with_aws: bool) -> list[tuple[str, str, str]]:
    """Level, validator and message of each."""
    body = yaml.safe_load(text)
    schema = ImageBuilderSchema() if "Build" in body else ClusterSchema(cluster_name="checked")
    try:
        loaded = schema.load(body)
    except ValidationError as error:
        return [("ERROR", "schema", json.dumps(error.normalized_messages()))]
    if not with_aws:
        return []
    return [(str(each.level), each.validator_type, each.message) for each in loaded.validate(set())]


if __name__ == "__main__":
    found = findings(Path(sys.argv[1]).read_text(encoding="utf-8"), with_aws="--aws" in sys.argv)
    sys.stdout.write(json.dumps(found))
