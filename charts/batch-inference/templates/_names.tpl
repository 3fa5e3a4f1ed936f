{{/* Names, labels and the image reference. */}}

{{/* 40: the Job adds a hash of 8, and its pods an index and a suffix. */}}
{{- define "batch-inference.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* A Job cannot be changed, so other values make another one; the results that are there stay. */}}
{{- define "batch-inference.jobName" -}}
{{- $content := toJson .Values -}}
{{- range $path, $_ := .Files.Glob "files/*.py" }}{{ $content = printf "%s%s" $content ($.Files.Get $path) }}{{ end -}}
{{- if eq .Values.engine "vllm_nxd" -}}
{{/* What the chart adds for this engine changed without a change of values. */}}
{{- $content = printf "%s%s%s" $content (include "batch-inference.command" .) (include "batch-inference.artifactsFolder" .) -}}
{{- end -}}
{{ include "batch-inference.name" . }}-{{ sha256sum $content | trunc 8 }}
{{- end -}}

{{- define "batch-inference.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "batch-inference.name" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "batch-inference.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "batch-inference.labels" -}}
{{ include "batch-inference.selector" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | trimAll "-_." | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: neuron-cluster
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "batch-inference.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ required "image.tag: give a version, or image.digest" .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The folder of this compiler, chip family and LNC in the shared cache: the same rule as compile-cache-warmer. */}}
{{- define "batch-inference.cacheFolder" -}}
{{- $lnc := int .Values.machine.logicalNcConfig -}}
neuronx-cc-{{ .Values.compiler.version }}/{{ regexFind "^[a-z]+[0-9]+" (trimPrefix "ml." .Values.machine.instanceType) }}/lnc-{{ ternary "default" $lnc (eq $lnc 0) }}
{{- end -}}

{{- define "batch-inference.modelPath" -}}
{{- if and (eq .Values.weights.source "claim") .Values.weights.path -}}
/models/{{ .Values.weights.path }}
{{- else -}}
/models
{{- end -}}
{{- end -}}

{{- define "batch-inference.startupSeconds" -}}
{{- mul 60 (add (int .Values.startup.compileMinutes) (int .Values.startup.loadMinutes)) -}}
{{- end -}}

{{/* The address of the environment's compile cache, for arguments and variables after it. */}}
{{- define "batch-inference.cacheAddress" -}}
{{- with .Values.compileCache.configMap }}
- name: COMPILE_CACHE_URL
  valueFrom: {configMapKeyRef: {name: {{ . }}, key: url}}
{{- end }}
{{- end -}}

{{/*
Where NxD Inference writes the model that it compiled, and finds it later; without a folder it writes next to the weights,
which are read-only. It loads what is there whatever its arguments are, so the name of a folder that pods share says all
that the model is compiled from.
*/}}
{{- define "batch-inference.artifactsFolder" -}}
{{- $v := .Values -}}
{{- if $v.compileCache.claim -}}
{{- $model := pick $v.weights "source" "claim" "url" "path" -}}
{{- $machine := pick $v.machine "instanceType" "neuronDevices" "logicalNcConfig" -}}
{{- $content := toJson (list (include "batch-inference.image" .) $model $machine (include "batch-inference.command" .) $v.env) -}}
{{ $v.compileCache.mountPath }}/artifacts/{{ sha256sum $content | trunc 16 }}
{{- else -}}
/scratch/neuron-compiled-artifacts
{{- end -}}
{{- end -}}

{{/* Task governance of HyperPod rejects pods without the label of a queue, also those of a Job that has it. */}}
{{- define "batch-inference.podQueue" -}}
{{- if hasPrefix "hyperpod-ns-" .Values.queue.name -}}
kueue.x-k8s.io/queue-name: {{ .Values.queue.name }}
{{- end -}}
{{- end -}}
