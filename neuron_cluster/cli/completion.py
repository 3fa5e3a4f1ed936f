"""``neuron-cluster completion``: what a shell completes on Tab."""

from __future__ import annotations

import argparse
import sys

from neuron_cluster.cli.arguments import Verbs
from neuron_cluster.cli.columns import HelpFormatter

SHELLS = ("bash", "zsh", "fish")

TEXT = """Print a script with which a shell completes `neuron-cluster` on Tab: verbs,
options, values of options, files, and the environments of the project (of
--project DIR, where the line has it). Tab reads the names of the files in
environments/ and starts no Python.

Install the script, and do it again after an upgrade of the toolkit:

  bash  neuron-cluster completion bash > ~/.neuron-cluster.bash
        echo '. ~/.neuron-cluster.bash' >> ~/.bashrc
  zsh   mkdir -p ~/.zfunc
        neuron-cluster completion zsh > ~/.zfunc/_neuron-cluster
        add to ~/.zshrc: fpath+=(~/.zfunc); autoload -U compinit; compinit
  fish  mkdir -p ~/.config/fish/completions
        cd ~/.config/fish/completions
        neuron-cluster completion fish > neuron-cluster.fish"""

EXAMPLES = """  neuron-cluster completion bash
  source <(neuron-cluster completion bash)      bash, for this session
  eval "$(neuron-cluster completion zsh)"       zsh, for this session
  neuron-cluster completion fish | source       fish, for this session"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "completion",
        help="print a script for completion on Tab",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"{', '.join(SHELLS[:-1])} or {SHELLS[-1]}")
    parser.set_defaults(run=run, format="text")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.completion_script import completion_script
    from neuron_cluster.cli.main import build_parser

    sys.stdout.write(completion_script(build_parser(), options.shell))
    return 0
