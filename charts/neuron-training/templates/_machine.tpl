{{/* What a pod takes: devices and memory with requests = limits; CPU is requested only. */}}
{{- define "neuron-training.resources" -}}
{{- $machine := .Values.machine -}}
requests:
  cpu: {{ $machine.cpu | quote }}
  {{- include "neuron-training.fixedResources" $machine | nindent 2 }}
limits:
  {{- include "neuron-training.fixedResources" $machine | nindent 2 }}
{{- with include "neuron-training.containerClaims" . }}
{{ . }}
{{- end }}
{{- end -}}

{{- define "neuron-training.fixedResources" -}}
memory: {{ int .memoryGib }}Gi
ephemeral-storage: {{ int .scratchGib }}Gi
{{- if eq .deviceManagement "devicePlugin" }}
aws.amazon.com/neuron: {{ int .neuronDevices | quote }}
{{- end }}
{{- if .efaInterfaces }}
vpc.amazonaws.com/efa: {{ int .efaInterfaces | quote }}
{{- end }}
{{- if .hugepages2MiGib }}
hugepages-2Mi: {{ int .hugepages2MiGib }}Gi
{{- end }}
{{- end -}}

{{- define "neuron-training.nodeSelector" -}}
node.kubernetes.io/instance-type: {{ .Values.machine.instanceType }}
{{- with .Values.machine.nodeGroup }}
neuron-cluster/node-group: {{ . }}
{{- end }}
{{- end -}}

{{/* The level `restricted` of the Pod Security Standards, for a pod and for its container. */}}
{{- define "neuron-training.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ int .Values.runAsUser }}
runAsGroup: {{ int .Values.runAsUser }}
fsGroup: {{ int .Values.runAsUser }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* For programs that may write beside their image's own files: trainers, compilers, nccom-test. */}}
{{- define "neuron-training.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* For programs of this chart, which write to mounted folders alone. */}}
{{- define "neuron-training.ownProgramSecurity" -}}
{{ include "neuron-training.containerSecurity" . }}
readOnlyRootFilesystem: true
{{- end -}}
