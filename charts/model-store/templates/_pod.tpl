{{/* The pod of the Job, and what the pod of `helm test` shares with it. */}}

{{- define "model-store.podSpec" -}}
{{- $v := .Values -}}
restartPolicy: Never
serviceAccountName: {{ include "model-store.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
activeDeadlineSeconds: {{ mul 60 (int $v.timeoutMinutes) }}
terminationGracePeriodSeconds: 30
securityContext:
  {{- include "model-store.podSecurity" . | nindent 2 }}
{{- include "model-store.placement" . }}
containers:
  - name: {{ include "model-store.container" . }}
    image: {{ include "model-store.image" . }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    command: [python3, /opt/model-store/{{ include "model-store.programFile" . }}.py]
    args: [/opt/model-store/task.json]
    env:
      {{- include "model-store.env" . | nindent 6 }}
    workingDir: /scratch
    resources:
      requests:
        cpu: {{ $v.machine.cpu | quote }}
        memory: {{ int $v.machine.memoryGib }}Gi
        ephemeral-storage: {{ add 1 (int $v.machine.scratchGib) }}Gi
      limits:
        memory: {{ int $v.machine.memoryGib }}Gi
        ephemeral-storage: {{ add 1 (int $v.machine.scratchGib) }}Gi
    securityContext:
      {{- if ne (include "model-store.programFile" .) "work" }}
      {{- include "model-store.ownProgramSecurity" . | nindent 6 }}
      {{- else }}
      {{- include "model-store.containerSecurity" . | nindent 6 }}
      {{- end }}
    volumeMounts:
      {{- include "model-store.mounts" . | nindent 6 }}
volumes:
  {{- include "model-store.volumes" . | nindent 2 }}
{{- end -}}

{{- define "model-store.container" -}}
{{ ternary .Values.job "tool" (has .Values.job (list "download" "drill")) }}
{{- end -}}

{{- define "model-store.programFile" -}}
{{ ternary .Values.job "work" (has .Values.job (list "download" "drill")) }}
{{- end -}}

{{- define "model-store.placement" -}}
{{- $m := .Values.machine }}
{{- if or $m.instanceType $m.nodeGroup }}
nodeSelector:
  {{- with $m.instanceType }}
  node.kubernetes.io/instance-type: {{ . }}
  {{- end }}
  {{- with $m.nodeGroup }}
  neuron-cluster/node-group: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "model-store.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ int .Values.podSecurity.runAsUser }}
runAsGroup: {{ int .Values.podSecurity.runAsUser }}
fsGroup: {{ int .Values.podSecurity.fsGroup }}
# A shared volume holds many files: change their group once, not at every start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* For tools of others, which may write beside the own files of their image. */}}
{{- define "model-store.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "model-store.ownProgramSecurity" -}}
{{ include "model-store.containerSecurity" . }}
readOnlyRootFilesystem: true
{{- end -}}
