# What train_torchrun.sbatch and train_jax.sbatch have in common: charts/neuron-training on the nodes of a Slurm job.
# They read job_functions.sh and set TRAINING_FRONT_END before. Variables of the user that are set already stay as they are.
# shellcheck shell=bash

# Starts the program of the chart on each node, and waits for it. Status: verdict.py of the chart.
run_nodes() {
  local interrupted=true step status
  # The launcher of a node takes its place from variables of a JobSet.
  # shellcheck disable=SC2016 # expanded by the shell of the task
  srun --propagate=NONE --kill-on-bad-exit=0 --ntasks="$SLURM_NNODES" --ntasks-per-node=1 bash -c \
    'export JOB_COMPLETION_INDEX=$SLURM_NODEID HOSTNAME=$(hostname --short); exec "$@"' \
    bash "$python" "$NEURON_CLUSTER/training/launch.py" "$@" &
  step=$!
  # Before the time limit (--signal) and at a preemption: all nodes save the same step and end with 75.
  # A job that is cancelled has signalled them itself.
  trap 'interrupted=true signalled=true; scancel --signal=TERM "$SLURM_JOB_ID" || true' TERM
  while $interrupted; do
    interrupted=false
    status=0
    wait "$step" || status=$?
  done
  trap '' TERM
  return "$status"
}

# Trains, and requeues the job where it can go on from a checkpoint.
train() {
  local signalled=false status=0
  # A signal before the nodes start stops the job as one that reaches them does.
  trap 'signalled=true' TERM
  prepare
  if $signalled; then status=75; else run_nodes "$@" || status=$?; fi
  # A task that was signalled before its launcher could listen has ended by the signal.
  if $signalled && ((status == 128 + 15)); then status=75; fi
  case $status in
    75) echo "the training has stopped, with a checkpoint where it could save" ;;
    76) echo "a node or a Neuron device was lost" ;;
    *)
      rm -rf "$TRAINING_STOP_FOLDER" # notes of nodes to each other: the job has ended
      exit "$status"
      ;;
  esac
  # Incomplete: a job that was cancelled stays cancelled.
  scontrol requeue Incomplete "$SLURM_JOB_ID" || exit "$status"
}

# The variables that charts/neuron-training/files/job.py reads. Defaults are those of the chart.
prepare() {
  local cores
  : "${CHECKPOINT_DIRECTORY:?set it to a folder of a file system that all nodes mount}"
  activate_environment
  python=$(python_program)
  cores=$("$NEURON_CLUSTER/jobs/job_cores.sh")
  use_all_devices
  set -a
  : "${PYTHONUNBUFFERED:=1}" "${TRAINING_CORES:=$cores}"
  : "${TRAINING_MASTER_PORT:=29500}" "${TRAINING_TOPOLOGY_PORT:=29501}" "${TRAINING_ROOT_COMMUNICATION_PORT:=63182}"
  : "${TRAINING_START_TIMEOUT_SECONDS:=1200}" "${TRAINING_GRACE_SECONDS:=600}" "${TRAINING_SILENT_SECONDS:=300}"
  : "${TRAINING_MAX_LOSSES:=50}" "${TRAINING_MAX_WITHOUT_CHECKPOINT:=10}" "${TRAINING_STOP_SIGNAL:=SIGTERM}"
  : "${TRAINING_WITHOUT_MANIFEST:=untilFirst}" "${TRAINING_CHECKSUMS:=none}" "${TRAINING_IMAGE:=}"
  : "${TRAINING_RETRY_FAILED_GRAPHS:=true}" "${TRAINING_STALE_LOCK_MINUTES:=180}" "${TRAINING_CACHE_FOLDER:=}"
  if [[ ${NEURON_COMPILE_CACHE_URL:-} == /* ]]; then TRAINING_CACHE_FOLDER=$NEURON_COMPILE_CACHE_URL; fi
  set +a
  export TRAINING_NODES=$SLURM_NNODES TRAINING_NODES_PER_JOB=$SLURM_NNODES TRAINING_JOB_INDEX=0
  export TRAINING_ULTRASERVER_SIZE=0 TRAINING_RUN=$SLURM_JOB_ID TRAINING_RESTARTS=${SLURM_RESTART_COUNT:-0}
  TRAINING_MASTER_HOST=$(hostname --short) # a batch script runs on the first node
  # Each user has a folder: in that of another one it could not write.
  TRAINING_STOP_FOLDER=$(dirname "$CHECKPOINT_DIRECTORY")/.stop-$SLURM_JOB_USER/$SLURM_JOB_ID
  export TRAINING_MASTER_HOST TRAINING_STOP_FOLDER
}
