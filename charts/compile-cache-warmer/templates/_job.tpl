{{/* The Job, also as the CronJob's template: one pod a graph. */}}

{{- define "compile-cache-warmer.jobSpec" -}}
{{- $v := .Values -}}
completionMode: Indexed
completions: {{ len $v.graphs }}
parallelism: {{ min (int $v.parallelism) (len $v.graphs) }}
# Counted for each graph: one that cannot be compiled does not stop the others.
backoffLimitPerIndex: {{ int $v.retries }}
ttlSecondsAfterFinished: {{ mul 3600 (int $v.keepFinishedHours) }}
podFailurePolicy:
  rules:
    # A node that went away is not the graph's fault.
    - action: Ignore
      onPodConditions:
        - {type: DisruptionTarget, status: "True"}
template:
  metadata:
    labels:
      {{- include "compile-cache-warmer.labels" . | nindent 6 }}
      app.kubernetes.io/component: warmer
      {{- with include "compile-cache-warmer.podQueue" . }}
      {{- . | nindent 6 }}
      {{- end }}
  spec:
    {{- include "compile-cache-warmer.podSpec" . | nindent 4 }}
{{- end -}}

{{- define "compile-cache-warmer.podSpec" -}}
{{- $v := .Values -}}
restartPolicy: Never
serviceAccountName: {{ include "compile-cache-warmer.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
activeDeadlineSeconds: {{ mul 60 (int $v.timeoutMinutes) }}
# The server gets 120 s to stop.
terminationGracePeriodSeconds: 150
securityContext:
  {{- include "compile-cache-warmer.podSecurity" . | nindent 2 }}
{{- include "compile-cache-warmer.placement" . }}
{{- $copies := include "compile-cache-warmer.copies" . }}
{{- if $copies }}
initContainers:
  {{- $copies | nindent 2 }}
{{- end }}
containers:
  - name: compiler
    image: {{ include "compile-cache-warmer.image" . }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    command: [python3, /opt/warmer/warm_cache.py]
    args: [/opt/warmer/graphs.json]
    env:
      {{- include "compile-cache-warmer.env" . | nindent 6 }}
    workingDir: /scratch
    resources:
      {{- include "compile-cache-warmer.resources" . | nindent 6 }}
    securityContext:
      {{- include "compile-cache-warmer.containerSecurity" . | nindent 6 }}
    volumeMounts:
      {{- include "compile-cache-warmer.mounts" . | nindent 6 }}
{{- with include "compile-cache-warmer.podClaims" . }}
{{ . }}
{{- end }}
volumes:
  {{- include "compile-cache-warmer.volumes" . | nindent 2 }}
{{- end -}}

{{- define "compile-cache-warmer.placement" -}}
{{- $m := .Values.machine }}
{{- if or $m.instanceType $m.nodeGroup }}
nodeSelector:
  {{- with $m.instanceType }}
  node.kubernetes.io/instance-type: {{ . }}
  {{- end }}
  {{- with $m.nodeGroup }}
  neuron-cluster/node-group: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.schedulerName }}
schedulerName: {{ . }}
{{- end }}
{{- $tolerations := .Values.tolerations }}
{{- if gt (int $m.neuronDevices) 0 }}
{{- $tolerations = append $tolerations (dict "key" "aws.amazon.com/neuron" "operator" "Exists" "effect" "NoSchedule") | uniq }}
{{- end }}
{{- with $tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "compile-cache-warmer.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ int .Values.podSecurity.runAsUser }}
runAsGroup: {{ int .Values.podSecurity.runAsUser }}
fsGroup: {{ int .Values.podSecurity.fsGroup }}
# A shared volume holds many files: change their group once, not at every start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* For compilers and vLLM, which write beside the own files of their image. */}}
{{- define "compile-cache-warmer.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* For programs that write to mounted folders alone: copies from S3 and the clean-up. */}}
{{- define "compile-cache-warmer.ownProgramSecurity" -}}
{{ include "compile-cache-warmer.containerSecurity" . }}
readOnlyRootFilesystem: true
{{- end -}}

{{- define "compile-cache-warmer.resources" -}}
{{- $m := .Values.machine -}}
{{- $disk := add 1 (int $m.scratchGib) (ternary (int .Values.weights.sizeGib) 0 (eq .Values.weights.source "s3")) -}}
requests:
  cpu: {{ $m.cpu | quote }}
  memory: {{ int $m.memoryGib }}Gi
  ephemeral-storage: {{ $disk }}Gi
  {{- include "compile-cache-warmer.devices" . | nindent 2 }}
limits:
  memory: {{ int $m.memoryGib }}Gi
  ephemeral-storage: {{ $disk }}Gi
  {{- include "compile-cache-warmer.devices" . | nindent 2 }}
{{- with include "compile-cache-warmer.containerClaims" . }}
{{ . }}
{{- end }}
{{- end -}}

{{- define "compile-cache-warmer.devices" -}}
{{- $m := .Values.machine -}}
{{- if and $m.neuronDevices (eq $m.deviceManagement "devicePlugin") }}
aws.amazon.com/neuron: {{ int $m.neuronDevices }}
{{- end }}
{{- if $m.efaInterfaces }}
vpc.amazonaws.com/efa: {{ int $m.efaInterfaces }}
{{- end }}
{{- if $m.hugepages2MiGib }}
hugepages-2Mi: {{ int $m.hugepages2MiGib }}Gi
{{- end }}
{{- end -}}
