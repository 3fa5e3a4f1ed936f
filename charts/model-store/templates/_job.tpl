{{/* The Job, which runs once or, for a drill, on a schedule. */}}

{{- define "model-store.jobSpec" -}}
backoffLimit: {{ int .Values.retries }}
ttlSecondsAfterFinished: {{ mul 3600 (int .Values.keepFinishedHours) }}
podFailurePolicy:
  rules:
    # A node that went away, or a drain: the next pod goes on.
    - action: Ignore
      onPodConditions:
        - {type: DisruptionTarget, status: "True"}
    # files/problem.py: what no other pod can do better.
    - action: FailJob
      onExitCodes:
        containerName: {{ include "model-store.container" . }}
        operator: In
        values: [64, 65, 66, 74, 77]
template:
  metadata:
    labels:
      {{- include "model-store.labels" . | nindent 6 }}
      app.kubernetes.io/component: {{ .Values.job }}
      {{- with include "model-store.podQueue" . }}
      {{- . | nindent 6 }}
      {{- end }}
  spec:
    {{- include "model-store.podSpec" . | nindent 4 }}
{{- end -}}
