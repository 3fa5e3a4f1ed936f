#!/bin/bash
# Prints how many NeuronCores this node has, at the logical NeuronCore configuration of node.conf.
set -euo pipefail
folder=$(dirname "$0")/../slurm
. "$folder/node.conf"
echo $((NEURON_DEVICES * CORES_PER_DEVICE))
