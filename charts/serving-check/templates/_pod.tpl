{{/* The pod of the Job, and of `helm test` with one request. Call: dict "root" $ "arguments" list. */}}
{{- define "serving-check.podSpec" -}}
{{- $v := .root.Values -}}
restartPolicy: Never
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: 5
securityContext:
  runAsNonRoot: true
  runAsUser: {{ int $v.runAsUser }}
  runAsGroup: {{ int $v.runAsUser }}
  seccompProfile:
    type: RuntimeDefault
{{- include "serving-check.placement" .root }}
containers:
  - name: check
    image: {{ include "serving-check.image" .root }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    # Not the image's entry point, which may start a server.
    command: [python3, /opt/serving-check/check_server.py, /opt/serving-check/plan.json]
    args: {{ .arguments | toJson }}
    env:
      - {name: PYTHONUNBUFFERED, value: "1"}
      - {name: PYTHONDONTWRITEBYTECODE, value: "1"}
      {{- if $v.apiKeySecret.name }}
      - name: SERVER_API_KEY
        valueFrom:
          secretKeyRef: {name: {{ $v.apiKeySecret.name }}, key: {{ $v.apiKeySecret.key }}}
      {{- end }}
    resources:
      requests:
        cpu: {{ $v.machine.cpu | quote }}
        memory: {{ int $v.machine.memoryMib }}Mi
        ephemeral-storage: 128Mi
      limits:
        memory: {{ int $v.machine.memoryMib }}Mi
        ephemeral-storage: 128Mi
    securityContext:
      allowPrivilegeEscalation: false
      capabilities:
        drop: [ALL]
      readOnlyRootFilesystem: true
    volumeMounts:
      - {name: program, mountPath: /opt/serving-check, readOnly: true}
volumes:
  - name: program
    configMap: {name: {{ include "serving-check.name" .root }}-program}
{{- end -}}

{{- define "serving-check.placement" -}}
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
{{- with .Values.schedulerName }}
schedulerName: {{ . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
