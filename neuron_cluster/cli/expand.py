"""``neuron-cluster expand``: an environment file merged with its bases, and where each value is written."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

EXAMPLES = """  neuron-cluster expand train-us                     as YAML, to read or to keep
  neuron-cluster expand train-us | grep bases/       what is from a base
  neuron-cluster expand train-us --format json"""

TEXT = """Print an environment file merged with the bases that it extends, as one YAML
file without a base. The comment of each value has the file and line that it is
written on. Runs offline and checks no value: `validate` does."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "expand", run, summary="merge a file with its bases, and show origins", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.config.bases import read_with_bases
    from neuron_cluster.config.expansion import expanded_text, expanded_values, removed_keys
    from neuron_cluster.config.loader import load_environment
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.project import environment_file
    from neuron_cluster.report.plain_data import plain

    file = environment_file(options.environment, options.project)
    read = read_with_bases(file.path, file.display_name)
    if read.document.findings:
        raise InvalidEnvironment(read.document.findings)
    if not isinstance(read.document.tree, dict):
        raise InvalidEnvironment(load_environment(file.path, display_name=file.display_name).findings)
    if options.format == "text":
        print(expanded_text(read), end="")
        return 0
    print_json(
        {
            "files": [each.display_name for each in read.files],
            "values": plain(expanded_values(read)),
            "removed": plain(removed_keys(read)),
            "findings": [],
        }
    )
    return 0
