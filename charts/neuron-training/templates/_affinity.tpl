{{/*
Workers of an MPIJob: one a node; with UltraServers, none beside workers of another job, and those of this job in the
same UltraServer (if one is enough) or near each other. The labels are set by the MPI Operator.
*/}}
{{- define "neuron-training.workerAffinity" -}}
podAntiAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
    - {{- include "neuron-training.onePodANode" . | nindent 6 }}
    {{- if .Values.ultraServer.size }}
    - topologyKey: {{ include "neuron-training.topologyKey" . }}
      namespaceSelector: {}
      labelSelector:
        matchLabels:
          training.kubeflow.org/job-role: worker
        matchExpressions:
          - key: training.kubeflow.org/job-name
            operator: NotIn
            values: [{{ include "neuron-training.fullname" . }}]
    {{- end }}
{{- if .Values.ultraServer.size }}
podAffinity:
  {{- if eq (int .Values.nodes) (int .Values.ultraServer.size) }}
  requiredDuringSchedulingIgnoredDuringExecution:
    - {{- include "neuron-training.ownWorkers" . | nindent 6 }}
  {{- else }}
  preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        {{- include "neuron-training.ownWorkers" . | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "neuron-training.topologyKey" -}}
{{- printf "neuron.amazonaws.com/ultraserver-server-id-%d" (int .Values.ultraServer.size) -}}
{{- end -}}

{{- define "neuron-training.ownWorkers" -}}
topologyKey: {{ include "neuron-training.topologyKey" . }}
labelSelector:
  matchLabels:
    training.kubeflow.org/job-role: worker
    training.kubeflow.org/job-name: {{ include "neuron-training.fullname" . }}
{{- end -}}
