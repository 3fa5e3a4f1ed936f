{{/* The pod: the program, which starts the server. */}}

{{- define "batch-inference.podSpec" -}}
{{- $v := .Values -}}
restartPolicy: Never
serviceAccountName: {{ include "batch-inference.serviceAccount" . }}
automountServiceAccountToken: false
# Variables such as VLLM_PORT, made from a Service's name, are read by vLLM as its own settings.
enableServiceLinks: false
# For running requests, then 30 s for the server, and the copy of a part.
terminationGracePeriodSeconds: {{ add (int $v.batch.stopSeconds) 90 }}
securityContext:
  {{- include "batch-inference.podSecurity" . | nindent 2 }}
{{- include "batch-inference.placement" . }}
{{- $copies := include "batch-inference.copies" . }}
{{- if $copies }}
initContainers:
  {{- $copies | nindent 2 }}
{{- end }}
containers:
  - name: batch
    image: {{ include "batch-inference.image" . }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    command: [python3, /opt/batch/run_batch.py, /opt/batch/plan.json]
    args:
      {{- include "batch-inference.command" . | nindent 6 }}
    env:
      {{- include "batch-inference.env" . | nindent 6 }}
    workingDir: /scratch
    resources:
      {{- include "batch-inference.resources" . | nindent 6 }}
    securityContext:
      {{- include "batch-inference.containerSecurity" . | nindent 6 }}
    volumeMounts:
      {{- include "batch-inference.mounts" . | nindent 6 }}
{{- with include "batch-inference.podClaims" . }}
{{ . }}
{{- end }}
volumes:
  {{- include "batch-inference.volumes" . | nindent 2 }}
{{- end -}}

{{- define "batch-inference.placement" -}}
{{- $m := .Values.machine }}
nodeSelector:
  node.kubernetes.io/instance-type: {{ $m.instanceType }}
  {{- with $m.nodeGroup }}
  neuron-cluster/node-group: {{ . }}
  {{- end }}
{{- with .Values.schedulerName }}
schedulerName: {{ . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "batch-inference.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ int .Values.podSecurity.runAsUser }}
runAsGroup: {{ int .Values.podSecurity.runAsUser }}
fsGroup: {{ int .Values.podSecurity.fsGroup }}
# A shared volume holds many files: change their group once, not at every start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* For vLLM: its image writes beside its own files, caches of the compiler among them. */}}
{{- define "batch-inference.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* For programs that write to mounted folders alone: copies from S3 and the helm test. */}}
{{- define "batch-inference.ownProgramSecurity" -}}
{{ include "batch-inference.containerSecurity" . }}
readOnlyRootFilesystem: true
{{- end -}}

{{- define "batch-inference.resources" -}}
{{- $m := .Values.machine -}}
requests:
  cpu: {{ $m.cpu | quote }}
  memory: {{ int $m.memoryGib }}Gi
  ephemeral-storage: {{ include "batch-inference.diskGib" . }}Gi
  {{- include "batch-inference.devices" . | nindent 2 }}
limits:
  memory: {{ int $m.memoryGib }}Gi
  ephemeral-storage: {{ include "batch-inference.diskGib" . }}Gi
  {{- include "batch-inference.devices" . | nindent 2 }}
{{- with include "batch-inference.containerClaims" . }}
{{ . }}
{{- end }}
{{- end -}}

{{- define "batch-inference.devices" -}}
{{- $m := .Values.machine -}}
{{- if eq $m.deviceManagement "devicePlugin" }}
aws.amazon.com/neuron: {{ int $m.neuronDevices }}
{{- end }}
{{- if $m.efaInterfaces }}
vpc.amazonaws.com/efa: {{ int $m.efaInterfaces }}
{{- end }}
{{- if $m.hugepages2MiGib }}
hugepages-2Mi: {{ int $m.hugepages2MiGib }}Gi
{{- end }}
{{- end -}}

{{/* Disk of the node: scratch, the copied weights, and one for logs. */}}
{{- define "batch-inference.diskGib" -}}
{{- $weights := ternary (int .Values.weights.sizeGib) 0 (eq .Values.weights.source "s3") -}}
{{- add 1 (int .Values.machine.scratchGib) $weights -}}
{{- end -}}
