{{/* Names, labels and the image reference. */}}

{{/* 48: a LeaderWorkerSet adds -<group>, and a label of its pods -<10 digits> more, of 63 (kubernetes/kubernetes#64023). */}}
{{- define "neuron-serving.name" -}}
{{- .Release.Name | trunc 48 | trimSuffix "-" -}}
{{- end -}}

{{- define "neuron-serving.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "neuron-serving.name" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "neuron-serving.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "neuron-serving.labels" -}}
{{ include "neuron-serving.selector" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | trimAll "-_." | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: neuron-cluster
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "neuron-serving.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ required "image.tag: give a version, or image.digest" .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The folder of this compiler, chip family and LNC in the shared cache: the same rule as compile-cache-warmer. */}}
{{- define "neuron-serving.cacheFolder" -}}
{{- $lnc := int .Values.machine.logicalNcConfig -}}
neuronx-cc-{{ .Values.compiler.version }}/{{ regexFind "^[a-z]+[0-9]+" (trimPrefix "ml." .Values.machine.instanceType) }}/lnc-{{ ternary "default" $lnc (eq $lnc 0) }}
{{- end -}}

{{/* A PersistentVolume cannot be changed, so its name and that of its claim say what is in it. */}}
{{- define "neuron-serving.weightsClaim" -}}
{{- $content := toJson (list (omit .Values.weights "waitMinutes") .Values.podSecurity .Values.awsRegion) -}}
{{ include "neuron-serving.name" . }}-weights-{{ sha256sum $content | trunc 8 }}
{{- end -}}

{{- define "neuron-serving.modelPath" -}}
{{- if and (eq .Values.weights.source "claim") .Values.weights.path -}}
/models/{{ .Values.weights.path }}
{{- else -}}
/models
{{- end -}}
{{- end -}}

{{/* 300 is vLLM's default, 1200 what AWS's tutorials set. */}}
{{- define "neuron-serving.stepSeconds" -}}
{{- int (default (ternary 300 1200 .Values.precompiled.required) .Values.probes.stepSeconds) -}}
{{- end -}}

{{/* Models for TorchServe are compiled before. */}}
{{- define "neuron-serving.startupSeconds" -}}
{{- $compile := ternary 0 (int .Values.startup.compileMinutes) (eq .Values.engine "torchserve") -}}
{{- mul 60 (add $compile (int .Values.startup.loadMinutes)) -}}
{{- end -}}

{{- define "neuron-serving.healthPath" -}}
{{- if eq .Values.engine "torchserve" -}}
{{- .Values.server.healthPath | default "/ping" -}}
{{- else -}}
/health
{{- end -}}
{{- end -}}

{{/* The address of the environment's compile cache, for arguments and variables after it. */}}
{{- define "neuron-serving.cacheAddress" -}}
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
{{- define "neuron-serving.artifactsFolder" -}}
{{- $v := .Values -}}
{{- if $v.precompiled.artifactsPath -}}
{{ $v.compileCache.mountPath }}/{{ $v.precompiled.artifactsPath }}
{{- else if and (eq $v.engine "vllm_nxd") $v.compileCache.claim -}}
{{- $model := pick $v.weights "source" "claim" "url" "path" -}}
{{- $machine := pick $v.machine "instanceType" "neuronDevices" "logicalNcConfig" -}}
{{- $content := toJson (list (include "neuron-serving.image" .) $model $machine (include "neuron-serving.args" (dict "root" . "role" "server")) $v.env) -}}
{{ $v.compileCache.mountPath }}/artifacts/{{ sha256sum $content | trunc 16 }}
{{- else if eq $v.engine "vllm_nxd" -}}
/scratch/neuron-compiled-artifacts
{{- end -}}
{{- end -}}

{{/* Task governance of HyperPod rejects pods without the label of a queue, also those of a Job that has it. */}}
{{- define "neuron-serving.podQueue" -}}
{{- if hasPrefix "hyperpod-ns-" .Values.queue.name -}}
kueue.x-k8s.io/queue-name: {{ .Values.queue.name }}
{{- end -}}
{{- end -}}
