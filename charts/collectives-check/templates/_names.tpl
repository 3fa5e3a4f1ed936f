{{/* The release's name as a DNS label that leaves room for the suffixes of Job, pod and host names. */}}
{{- define "collectives-check.fullname" -}}
{{- $name := .Release.Name | replace "." "-" -}}
{{- if regexMatch "^[0-9]" $name -}}{{- $name = printf "n%s" $name -}}{{- end -}}
{{- if gt (len $name) 44 -}}
{{- printf "%s-%s" ($name | trunc 37 | trimSuffix "-") (.Release.Name | sha256sum | trunc 6) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{/* A Job cannot be changed: each revision of the release is a new one. */}}
{{- define "collectives-check.jobName" -}}
{{- printf "%s-r%d" (include "collectives-check.fullname" .) (.Release.Revision | int) -}}
{{- end -}}

{{- define "collectives-check.resultName" -}}
{{- printf "%s-result" (include "collectives-check.fullname" .) -}}
{{- end -}}

{{- define "collectives-check.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "collectives-check.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "collectives-check.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ include "collectives-check.fullname" . }}
{{- end -}}

{{- define "collectives-check.labels" -}}
{{ include "collectives-check.selectorLabels" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | trimAll "-_." | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: neuron-cluster
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "collectives-check.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository .Values.image.tag -}}
{{- end -}}
{{- end -}}

{{/* Task governance of HyperPod rejects pods without the label of a queue, also those of a Job that has it. */}}
{{- define "collectives-check.podQueue" -}}
{{- if hasPrefix "hyperpod-ns-" .Values.queue.name -}}
kueue.x-k8s.io/queue-name: {{ .Values.queue.name }}
{{- end -}}
{{- end -}}
