{{/* The release's name as a DNS label that leaves room for the suffixes of Job, pod and host names. */}}
{{- define "neuron-training.fullname" -}}
{{- $name := .Release.Name | replace "." "-" -}}
{{- if regexMatch "^[0-9]" $name -}}{{- $name = printf "n%s" $name -}}{{- end -}}
{{- if gt (len $name) 38 -}}
{{- printf "%s-%s" ($name | trunc 31 | trimSuffix "-") (.Release.Name | sha256sum | trunc 6) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{- define "neuron-training.programName" -}}
{{- printf "%s-program" (include "neuron-training.fullname" .) -}}
{{- end -}}

{{/* The first pod, as the controllers name it. */}}
{{- define "neuron-training.masterHost" -}}
{{- $name := include "neuron-training.fullname" . -}}
{{- if eq .Values.controller "jobset" -}}
{{- printf "%s-node-0-0.%s" $name $name -}}
{{- else if eq .Values.controller "pytorchjob" -}}
{{- /* A Service for each pod, with the name of the pod. */ -}}
{{- printf "%s-worker-0" $name -}}
{{- else -}}
{{- printf "%s-worker-0.%s" $name $name -}}
{{- end -}}
{{- end -}}

{{- define "neuron-training.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "neuron-training.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "neuron-training.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ include "neuron-training.fullname" . }}
{{- end -}}

{{- define "neuron-training.labels" -}}
{{ include "neuron-training.selectorLabels" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | trimAll "-_." | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: neuron-cluster
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "neuron-training.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository .Values.image.tag -}}
{{- end -}}
{{- end -}}

{{/* Task governance of HyperPod rejects pods without the label of a queue, also those of a Job that has it. */}}
{{- define "neuron-training.podQueue" -}}
{{- if hasPrefix "hyperpod-ns-" .Values.queue.name -}}
kueue.x-k8s.io/queue-name: {{ .Values.queue.name }}
{{- end -}}
{{- end -}}
