{{/* Names, labels, the image reference and places. */}}

{{- define "model-store.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* A Job cannot be changed, so other values or programs make another one. */}}
{{- define "model-store.jobName" -}}
{{- $programs := "" -}}
{{- range $path, $content := .Files.Glob "files/*.py" -}}
{{- $programs = printf "%s%s%s" $programs $path (toString $content) -}}
{{- end -}}
{{ include "model-store.name" . }}-{{ printf "%s%s" (toJson .Values) $programs | sha256sum | trunc 8 }}
{{- end -}}

{{- define "model-store.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "model-store.name" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "model-store.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "model-store.labels" -}}
{{ include "model-store.selector" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | trimAll "-_." | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: neuron-cluster
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "model-store.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ required "image.tag: give a version, or image.digest" .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The folder of the claim, as pods of this chart see it. */}}
{{- define "model-store.root" -}}
{{ .Values.store.mountPath }}{{ with .Values.store.folder }}/{{ . }}{{ end }}
{{- end -}}

{{/* The output below the folder or prefix. */}}
{{- define "model-store.made" -}}
{{- .Values.output | default (printf "%ss/%s" .Values.download.repositoryType .Values.download.repository) -}}
{{- end -}}

{{- define "model-store.output" -}}
{{- if .Values.store.url -}}
{{ trimSuffix "/" .Values.store.url }}/{{ include "model-store.made" . }}
{{- else -}}
{{ include "model-store.root" . }}/{{ include "model-store.made" . }}
{{- end -}}
{{- end -}}

{{/* The output from the root of the claim: what other charts mount. */}}
{{- define "model-store.path" -}}
{{ with .Values.store.folder }}{{ . }}/{{ end }}{{ include "model-store.made" . }}
{{- end -}}

{{/* Task governance of HyperPod rejects pods without the label of a queue, also those of a Job that has it. */}}
{{- define "model-store.podQueue" -}}
{{- if hasPrefix "hyperpod-ns-" .Values.queue.name -}}
kueue.x-k8s.io/queue-name: {{ .Values.queue.name }}
{{- end -}}
{{- end -}}
