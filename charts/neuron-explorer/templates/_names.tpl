{{/* Names, labels, the image reference, and what the values must agree on. */}}

{{- define "neuron-explorer.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* A Job cannot be changed, so other values of the capture make another one. */}}
{{- define "neuron-explorer.jobName" -}}
{{- $machine := .Values.machine -}}
{{- if eq $machine.deviceManagement "devicePlugin" -}}
{{/* Keys that came later, and change nothing here, make no other Job. */}}
{{- $machine = omit $machine "deviceManagement" "ultraServerMode" -}}
{{- end -}}
{{- $capture := ternary .Values.capture (omit .Values.capture "frameworkNames") .Values.capture.frameworkNames -}}
{{- $values := set (set (omit .Values "viewer") "machine" $machine) "capture" $capture -}}
{{- $content := printf "%s%s" (toJson $values) (.Files.Get "files/capture_profile.py") -}}
{{ include "neuron-explorer.name" . }}-{{ sha256sum $content | trunc 8 }}
{{- end -}}

{{- define "neuron-explorer.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "neuron-explorer.name" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "neuron-explorer.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "neuron-explorer.labels" -}}
{{ include "neuron-explorer.selector" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | trimAll "-_." | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: neuron-cluster
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "neuron-explorer.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ required "image.tag: give a version, or image.digest" .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "neuron-explorer.checks" -}}
{{- $v := .Values -}}
{{- $c := $v.capture -}}
{{- if eq (empty $v.profiles.url) (empty $v.profiles.claim) -}}
{{- fail "profiles: give url or claim, one of them" -}}
{{- end -}}
{{- if not (or $v.viewer.enabled $c.enabled) -}}
{{- fail "viewer.enabled and capture.enabled are both false: nothing to install" -}}
{{- end -}}
{{- if $c.enabled -}}
{{- include "neuron-explorer.checkDevices" . -}}
{{- if and (ne $c.mode "neff") (not $c.command) -}}
{{- fail (printf "capture.command is empty: capture.mode %s runs a program" $c.mode) -}}
{{- end -}}
{{- if and (eq $c.mode "neff") (not (and $c.neff $v.capture.workloadClaim)) -}}
{{- fail "capture.mode neff wants capture.neff and the volume that holds it, capture.workloadClaim" -}}
{{- end -}}
{{- if and (eq $c.mode "workload") (not $c.systemProfile) (eq $c.deviceProfile "off") -}}
{{- fail "capture.systemProfile is false and capture.deviceProfile is off: nothing would be captured" -}}
{{- end -}}
{{- if ne 0 (mod (int $v.machine.neuronCores) (int $v.machine.neuronDevices)) -}}
{{- fail (printf "machine.neuronCores %d is not a multiple of machine.neuronDevices %d" (int $v.machine.neuronCores) (int $v.machine.neuronDevices)) -}}
{{- end -}}
{{- if gt (int $v.machine.sharedMemoryGib) (int $v.machine.memoryGib) -}}
{{- fail (printf "machine.sharedMemoryGib %d is above machine.memoryGib %d: /dev/shm counts as the pod's memory" (int $v.machine.sharedMemoryGib) (int $v.machine.memoryGib)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Task governance of HyperPod rejects pods without the label of a queue, also those of a Job that has it. */}}
{{- define "neuron-explorer.podQueue" -}}
{{- if hasPrefix "hyperpod-ns-" .Values.queue.name -}}
kueue.x-k8s.io/queue-name: {{ .Values.queue.name }}
{{- end -}}
{{- end -}}
