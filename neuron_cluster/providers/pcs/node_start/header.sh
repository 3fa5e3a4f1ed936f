#!/bin/bash
# Sets a node of PCS up: files, Neuron devices, file systems, users. What this environment has of them comes below.
# Run by the PCS agent as root, at each boot, before slurmd starts (lifecycle action NodeBootstrapped).
# Time-out: none of its own; PCS ends an instance that has not registered half an hour after its launch.
# Other status than 0: PCS terminates the node, and starts another for the jobs that wait.
