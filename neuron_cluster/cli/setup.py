"""``neuron-cluster setup``: installs the CDK command for the user."""

from __future__ import annotations

import argparse
import functools
import shlex
import sys

from neuron_cluster.cli.arguments import Verbs, add_verb

EXAMPLES = """  neuron-cluster setup
  NPM_CONFIG_REGISTRY=https://npm.example.com neuron-cluster setup
  neuron-cluster setup --format json | jq -r .programs"""

TEXT = """Install the CDK command that this release of the toolkit runs, once for each
user: `npm ci` from the lockfile of the toolkit, with the Node.js of its Python
packages. The folder is ~/.local/share/neuron-cluster-toolkit, or the one in
XDG_DATA_HOME; its name has the version, so that another release installs beside
it. Nothing is installed twice, and an interrupted setup leaves nothing behind.

`deploy`, `destroy` and `import` need it; every other verb runs without it. A
checkout of the toolkit has its own in node_modules (`make setup`)."""


def add_to(verbs: Verbs) -> None:
    add_verb(
        verbs, "setup", run, summary="install the CDK command", text=TEXT, examples=EXAMPLES, has_project=False
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.terminal import print_json, print_line
    from neuron_cluster.deploy.cdk_install import install_cdk

    installed = install_cdk(functools.partial(print, file=sys.stderr, flush=True))
    if options.format == "json":
        print_json(
            {
                "version": installed.version,
                "folder": str(installed.folder),
                "programs": str(installed.programs),
                "is_new": installed.is_new,
                "findings": [],
            }
        )
        return 0
    print_line(
        f"CDK command {installed.version}: {'installed' if installed.is_new else 'unchanged'}, {installed.folder}"
    )
    print_line(f"To run `cdk` itself: export PATH={shlex.quote(str(installed.programs))}:$PATH")
    return 0
