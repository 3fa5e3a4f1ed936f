{{/* The variables of a pod. TRAINING_* are read by files/job.py; the README names the source of the others. */}}
{{- define "neuron-training.environment" -}}
{{- $v := .Values -}}
- name: PYTHONUNBUFFERED
  value: "1"
{{- if $v.checkpoints.claim }}
- name: CHECKPOINT_DIRECTORY
  value: {{ printf "%s/%s" (include "neuron-training.checkpointFolder" .) (include "neuron-training.fullname" .) }}
{{- end }}
{{- with include "neuron-training.cachePlace" . }}
- name: NEURON_COMPILE_CACHE_URL
  value: {{ . }}
{{- end }}
{{- if $v.machine.logicalNcConfig }}
- name: NEURON_LOGICAL_NC_CONFIG
  value: {{ int $v.machine.logicalNcConfig | quote }}
{{- end }}
{{- if $v.machine.efaInterfaces }}
- name: FI_PROVIDER
  value: efa
- name: FI_EFA_USE_DEVICE_RDMA
  value: "1"
{{- if $v.efa.forkSafe }}
- name: FI_EFA_FORK_SAFE
  value: "1"
{{- end }}
{{- end }}
{{- with $v.network.socketInterface }}
- name: CCOM_SOCKET_IFNAME
  value: {{ . }}
{{- end }}
{{- include "neuron-training.trainingVariables" . }}
{{- range $v.trainer.env }}
- name: {{ .name }}
  value: {{ .value | quote }}
{{- end }}
{{- end -}}

{{/* Where compiled graphs are: a folder of the pod, an S3 address, or nothing. */}}
{{- define "neuron-training.cachePlace" -}}
{{- $cache := .Values.compileCache -}}
{{- if $cache.configMap -}}
/tmp/neuron-compile-cache
{{- else -}}
{{- $cache.url | default (ternary $cache.mountPath "" (ne "" $cache.claim)) -}}
{{- end -}}
{{- end -}}

{{- define "neuron-training.trainingVariables" -}}
{{- $v := .Values -}}
{{- range $name, $value := dict
  "TRAINING_FRONT_END" $v.frontEnd
  "TRAINING_NODES" (int $v.nodes)
  "TRAINING_NODES_PER_JOB" (include "neuron-training.nodesPerJob" .)
  "TRAINING_CORES" (int $v.machine.neuronCores)
  "TRAINING_MASTER_HOST" (include "neuron-training.masterHost" .)
  "TRAINING_MASTER_PORT" (int $v.network.masterPort)
  "TRAINING_ROOT_COMMUNICATION_PORT" (int $v.network.rootCommunicationPort)
  "TRAINING_TOPOLOGY_PORT" (int $v.network.topologyPort)
  "TRAINING_ULTRASERVER_SIZE" (int $v.ultraServer.size)
  "TRAINING_START_TIMEOUT_SECONDS" (int $v.timeouts.startSeconds)
  "TRAINING_GRACE_SECONDS" (int $v.stop.graceSeconds)
  "TRAINING_SILENT_SECONDS" (int $v.timeouts.silentSeconds)
  "TRAINING_STOP_SIGNAL" $v.stop.signal
  "TRAINING_CACHE_FOLDER" (ternary $v.compileCache.mountPath "" (ne "" $v.compileCache.claim))
  "TRAINING_RETRY_FAILED_GRAPHS" $v.compileCache.retryFailed
  "TRAINING_STALE_LOCK_MINUTES" (int $v.compileCache.staleLockMinutes)
  "TRAINING_MAX_LOSSES" (int $v.restarts.maxLosses)
  "TRAINING_MAX_WITHOUT_CHECKPOINT" (int $v.restarts.maxWithoutCheckpoint)
  "TRAINING_WITHOUT_MANIFEST" $v.checkpoints.withoutManifest
  "TRAINING_CHECKSUMS" $v.checkpoints.checksums
  "TRAINING_IMAGE" (include "neuron-training.image" .)
  "TRAINING_STOP_FOLDER" (ternary (include "neuron-training.stopFolder" .) "" (eq "true" (include "neuron-training.leavesNotes" .)))
  "TRAINING_SSH_PORT" (int $v.mpi.sshPort)
  "TRAINING_SSH_KEYS" (include "neuron-training.sshKeys" .)
}}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* Variables that are labels of the pod: a dict of name and label. */}}
{{- define "neuron-training.labelVariables" -}}
{{- range $name, $label := . }}
- name: {{ $name }}
  valueFrom:
    fieldRef:
      fieldPath: metadata.labels['{{ $label }}']
{{- end }}
{{- end -}}

{{/* Where checkpoints of all releases are: the claim, or its folder that is mirrored to the bucket. */}}
{{- define "neuron-training.checkpointFolder" -}}
{{- list (.Values.checkpoints.mountPath | trimSuffix "/") .Values.checkpoints.folder | compact | join "/" -}}
{{- end -}}

{{/*
Where the pods of the release leave notes for each other: not in the folder that is mirrored to the bucket, and not in
one of another namespace, whose pods may have another user.
*/}}
{{- define "neuron-training.stopFolder" -}}
{{- $claim := .Values.checkpoints.mountPath | trimSuffix "/" -}}
{{- printf "%s/.stop-%s/%s" $claim .Release.Namespace (include "neuron-training.fullname" .) -}}
{{- end -}}

{{/*
Whether pods leave notes for each other. Containers of a PyTorchJob start again one by one: notes of those that still end
would stop those that have started.
*/}}
{{- define "neuron-training.leavesNotes" -}}
{{- and (ne "" .Values.checkpoints.claim) (ne "pytorchjob" .Values.controller) -}}
{{- end -}}

{{/* Pods of one Job: an UltraServer's worth, for JobSet places a whole Job in one topology; or all. */}}
{{- define "neuron-training.nodesPerJob" -}}
{{- int (ternary 1 (.Values.ultraServer.size | default .Values.nodes) (eq .Values.controller "pytorchjob")) -}}
{{- end -}}

{{/* Where the MPI Operator mounts the keys that it makes. */}}
{{- define "neuron-training.sshKeys" -}}
/var/run/neuron-training/ssh
{{- end -}}
