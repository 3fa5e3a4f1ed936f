#!/bin/bash
# Drains the node when a Neuron device or EFA interface is missing or a device has uncorrectable errors, and when two checks
# in a row find that a mount does not respond or the root volume is full. Jobs that run on a node with a device fault are
# requeued, whatever it was drained for: they cannot go on. A node that was drained for a volume, or since jobs reached the
# instance metadata, is resumed when it has no fault any more.
# Setting: HealthCheckProgram. Run by slurmd each HealthCheckInterval, and before it registers; as root.
# Time-out: 60 s, then it is killed. Its status changes nothing: it drains the node itself.
set -u
folder=$(dirname "$0")
. "$folder/node.conf" || exit 0 # the prolog drains the node
. "$folder/node_checks.sh"

problem=$(metadata_problem) # before all else: it sets the rules again
fault=$(device_problem)
if [[ -n $fault ]]; then
  drain "$fault"
  for job in $(squeue --noheader --nodelist="$node" --states=running --format=%A); do
    scontrol requeue Incomplete "$job" || true # one that may not be requeued stays
  done
  exit 0
fi
if [[ -n $problem ]]; then drain "$problem"; fi
seen=$STATE_FOLDER/volume-problem # the last check has found one
if is_drained; then
  rm -f "$seen"
  if [[ -z $problem ]]; then resume; fi
  exit 0
fi
problem=$(volume_problem)
if [[ -z $problem ]]; then
  rm -f "$seen"
elif [[ -e $seen ]]; then
  drain "$problem"
else
  touch "$seen" # a file server in maintenance, or under load, responds again
fi
