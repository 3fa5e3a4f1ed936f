# Checks of a node, and how it is drained. For prolog.sh and health_check.sh, which read node.conf before.
# shellcheck shell=bash disable=SC2154 # variables of node.conf, and folder

node=${SLURMD_NODENAME:-$(hostname -s)}

# The first fault of the Neuron devices and EFA interfaces, or nothing.
device_problem() {
  local number counter file errors interfaces
  for ((number = 0; number < NEURON_DEVICES; number++)); do
    if [[ ! -c $DEVICE_FOLDER/neuron$number ]]; then
      echo "Neuron device neuron$number is missing"
      return
    fi
    for counter in mem_ecc_uncorrected mem_ecc_repairable_uncorrected sram_ecc_uncorrected; do
      file=$SYSFS/devices/virtual/neuron_device/neuron$number/stats/hardware/$counter
      if [[ -r $file ]] && read -r errors <"$file" && [[ $errors =~ ^[1-9] ]]; then
        echo "Neuron device neuron$number: $counter is $errors"
        return
      fi
    done
  done
  # Keys of the driver in the kernel log: SRAM_, NC_ and HBM_UNCORRECTABLE_ERROR, DMA_ERROR.
  if ((NEURON_DEVICES > 0)) && errors=$(dmesg 2>/dev/null | grep -o 'NEURON_HW_ERR=[A-Z_]*'); then
    echo "kernel log: ${errors##*$'\n'}"
    return
  fi
  interfaces=$(find "$SYSFS/class/infiniband" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
  if ((interfaces < EFA_INTERFACES)); then
    echo "$interfaces of $EFA_INTERFACES EFA interfaces"
  fi
}

# The first fault of the mounts, or nothing.
mount_problem() {
  local mount waits
  mkdir -p "$STATE_FOLDER"
  for mount in $MOUNTS; do
    if ! grep -q " $mount " /proc/self/mounts; then
      echo "$mount is not mounted"
      return
    fi
    waits=$STATE_FOLDER/waits-for${mount//\//-}
    # A file server that is gone blocks stat, also against SIGKILL: it is not waited for, and none is started beside it.
    if is_stat "$(cat "$waits" 2>/dev/null)" || ! read -r -t 10 < <(exec stat --file-system --format=%T "$mount" 2>/dev/null); then
      if ! is_stat "$(cat "$waits" 2>/dev/null)"; then echo $! >"$waits"; fi
      echo "$mount does not respond"
      return
    fi
    rm -f "$waits"
  done
}

# Whether a process is one of the above and runs: one that has ended keeps its name until it is reaped.
is_stat() { [[ -n $1 && $(cat "/proc/$1/comm" 2>/dev/null) == stat ]] && ! grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }

# The fault of the root volume, or nothing.
root_problem() {
  local free
  free=$(df --output=avail --block-size=1M / | tail -n 1)
  if ((free < MINIMUM_FREE_MIB)); then
    echo "the root volume has $((free)) MiB free, less than $MINIMUM_FREE_MIB"
  fi
}

# The first of both.
volume_problem() {
  local problem
  problem=$(mount_problem)
  if [[ -z $problem ]]; then problem=$(root_problem); fi
  echo "$problem"
}

# Why jobs reach the instance metadata, or nothing. Another program may have removed the rules: they are set again.
metadata_problem() {
  local message
  if ((CLOSED_METADATA)) && ! message=$(bash "$folder/metadata_access.sh" 2>&1); then
    echo "jobs reach the instance metadata: ${message##*$'\n'}"
  fi
}

is_drained() {
  scontrol --oneliner show node "$node" | grep -q 'State=[^ ]*DRAIN'
}

# Whether the agent of HyperPod is rebooting or replacing this node, by the reason Action:Reboot or Action:Replace: nothing else
# may change its state until then.
# Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-resiliency-slurm-replace-faulty-instance.html
is_being_repaired() {
  scontrol --oneliner show node "$node" | grep -q ' Reason=Action:'
}

# Drains this node. The reason of a node that is drained already stays.
drain() {
  if is_drained || is_being_repaired; then return; fi
  scontrol update nodename="$node" state=drain reason="neuron-cluster: $1"
}

# Takes the node into service again if it is drained for one of its volumes, or for the rules of the instance metadata that
# the caller has set, by these scripts, and has no fault any more. The reason of an administrator, and of a device, stays.
resume() {
  local reason ours='(/[^ ]+ (is not mounted|does not respond)|the root volume has |jobs reach the instance metadata)'
  reason=$(scontrol --oneliner show node "$node")
  if [[ $reason =~ Reason=neuron-cluster:\ $ours && -z $(device_problem)$(volume_problem) ]]; then
    scontrol update nodename="$node" state=resume
  fi
}
