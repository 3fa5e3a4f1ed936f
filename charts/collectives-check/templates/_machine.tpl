{{/* What a pod takes: devices and memory with requests = limits; CPU is requested only. */}}
{{- define "collectives-check.resources" -}}
{{- $machine := .Values.machine -}}
requests:
  cpu: {{ $machine.cpu | quote }}
  {{- include "collectives-check.fixedResources" $machine | nindent 2 }}
limits:
  {{- include "collectives-check.fixedResources" $machine | nindent 2 }}
{{- with include "collectives-check.containerClaims" . }}
{{ . }}
{{- end }}
{{- end -}}

{{- define "collectives-check.fixedResources" -}}
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

{{- define "collectives-check.nodeSelector" -}}
node.kubernetes.io/instance-type: {{ .Values.machine.instanceType }}
{{- with .Values.machine.nodeGroup }}
neuron-cluster/node-group: {{ . }}
{{- end }}
{{- end -}}

{{/* The level `restricted` of the Pod Security Standards, for a pod and for its container. */}}
{{- define "collectives-check.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ int .Values.runAsUser }}
runAsGroup: {{ int .Values.runAsUser }}
fsGroup: {{ int .Values.runAsUser }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* For programs that may write beside their image's own files: trainers, compilers, nccom-test. */}}
{{- define "collectives-check.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* For programs of this chart, which write to mounted folders alone. */}}
{{- define "collectives-check.ownProgramSecurity" -}}
{{ include "collectives-check.containerSecurity" . }}
readOnlyRootFilesystem: true
{{- end -}}
