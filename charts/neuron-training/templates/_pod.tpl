{{/* What every pod that trains has in common, whoever makes it. */}}
{{- define "neuron-training.podBasics" -}}
terminationGracePeriodSeconds: {{ add (int .Values.stop.graceSeconds) 60 }}
enableServiceLinks: false
serviceAccountName: {{ include "neuron-training.serviceAccountName" . }}
automountServiceAccountToken: false
{{- with .Values.schedulerName }}
schedulerName: {{ . }}
{{- end }}
securityContext:
  {{- include "neuron-training.podSecurity" . | nindent 2 }}
tolerations:
  {{- with .Values.tolerations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  # Without these, Kubernetes waits 300 s before it takes the pod of a node that is gone for disrupted.
  {{- range list "not-ready" "unreachable" }}
  - key: node.kubernetes.io/{{ . }}
    operator: Exists
    effect: NoExecute
    tolerationSeconds: {{ int $.Values.timeouts.lostNodeSeconds }}
  {{- end }}
{{- end -}}

{{/* Kueue binds each pod to a node in the order of their indexes (kubernetes-sigs/kueue@ff69552 topology_ungater.go). */}}
{{- define "neuron-training.placement" -}}
{{- if and .Values.queue.name .Values.queue.topology -}}
annotations:
  kueue.x-k8s.io/podset-preferred-topology: {{ .Values.queue.topology }}
{{- end -}}
{{- end -}}

{{/* One pod a node. */}}
{{- define "neuron-training.onePodANode" -}}
topologyKey: kubernetes.io/hostname
labelSelector:
  matchLabels:
    {{- include "neuron-training.selectorLabels" . | nindent 4 }}
    app.kubernetes.io/component: node
{{- end -}}

{{- define "neuron-training.trainerContainer" -}}
image: {{ include "neuron-training.image" . }}
{{- with .Values.trainer.workingDir }}
workingDir: {{ . }}
{{- end }}
{{- with .Values.trainer.envFromSecret }}
envFrom:
  - secretRef:
      name: {{ . }}
{{- end }}
resources:
  {{- include "neuron-training.resources" . | nindent 2 }}
securityContext:
  {{- include "neuron-training.containerSecurity" . | nindent 2 }}
volumeMounts:
  {{- include "neuron-training.mounts" . | nindent 2 }}
{{- end -}}
