#!/bin/bash
# Sets a node of HyperPod with Slurm up: files, Neuron devices, users, settings of Slurm. What this environment has of them comes below.
# Run by HyperPod as root, once its own configuration of the node has ended (OnInitComplete): daemons of Slurm run then, and file
# systems are mounted. Run again on a node that is replaced or updated.
# Time-out: none of its own; no source states the one of HyperPod.
# Other status than 0: HyperPod reports that life cycle scripts did not run successfully, and starts the node again.
# Source: https://docs.aws.amazon.com/sagemaker/latest/dg/smcluster-getting-started-slurm-cli.html
