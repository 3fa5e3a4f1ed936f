{{/* Names, labels, the image reference and the folder in the cache. */}}

{{- define "compile-cache-warmer.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* A Job cannot be changed, so other values make another one. */}}
{{- define "compile-cache-warmer.jobName" -}}
{{- $machine := .Values.machine -}}
{{- if eq $machine.deviceManagement "devicePlugin" -}}
{{/* Keys that came later, and change nothing here, make no other Job. */}}
{{- $machine = omit $machine "deviceManagement" "ultraServerMode" -}}
{{- end -}}
{{- $content := printf "%s%s" (toJson (set (deepCopy .Values) "machine" $machine)) (.Files.Get "files/warm_cache.py") -}}
{{- if not (has "vllm" (include "compile-cache-warmer.kinds" . | fromJsonArray)) -}}
{{/* A variable that came later. */}}
{{- $content = printf "%s%s" $content (include "compile-cache-warmer.artifactsFolder" .) -}}
{{- end -}}
{{ include "compile-cache-warmer.name" . }}-{{ sha256sum $content | trunc 8 }}
{{- end -}}

{{- define "compile-cache-warmer.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "compile-cache-warmer.name" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "compile-cache-warmer.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "compile-cache-warmer.labels" -}}
{{ include "compile-cache-warmer.selector" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | trimAll "-_." | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: neuron-cluster
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "compile-cache-warmer.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ required "image.tag: give a version, or image.digest" .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The same rule as neuron-serving: there the chip family comes from the instance type. */}}
{{- define "compile-cache-warmer.cacheFolder" -}}
{{- $lnc := int .Values.compiler.logicalNcConfig -}}
neuronx-cc-{{ .Values.compiler.version }}/{{ .Values.compiler.target }}/lnc-{{ ternary "default" $lnc (eq $lnc 0) }}
{{- end -}}

{{/* The address of the environment's compile cache, for arguments and variables after it. */}}
{{- define "compile-cache-warmer.cacheAddress" -}}
{{- with .Values.compileCache.configMap }}
- name: COMPILE_CACHE_URL
  valueFrom: {configMapKeyRef: {name: {{ . }}, key: url}}
{{- end }}
{{- end -}}

{{/* Task governance of HyperPod rejects pods without the label of a queue, also those of a Job that has it. */}}
{{- define "compile-cache-warmer.podQueue" -}}
{{- if hasPrefix "hyperpod-ns-" .Values.queue.name -}}
kueue.x-k8s.io/queue-name: {{ .Values.queue.name }}
{{- end -}}
{{- end -}}
