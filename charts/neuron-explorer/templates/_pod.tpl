{{/* What viewer and capture share. */}}

{{- define "neuron-explorer.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ int .Values.podSecurity.runAsUser }}
runAsGroup: {{ int .Values.podSecurity.runAsUser }}
fsGroup: {{ int .Values.podSecurity.fsGroup }}
# A shared volume holds many files: change their group once, not at every start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* For Neuron Explorer and the profiled program: no document says which folders of the image they write to. */}}
{{- define "neuron-explorer.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "neuron-explorer.profilesVolume" -}}
- name: profiles
  {{- if .Values.profiles.claim }}
  persistentVolumeClaim: {claimName: {{ .Values.profiles.claim }}}
  {{- else }}
  emptyDir: {sizeLimit: {{ int .Values.profiles.sizeGib }}Gi}
  {{- end }}
{{- end -}}

{{/* Disk that the copy of the profiles takes from the node. */}}
{{- define "neuron-explorer.copyGib" -}}
{{- ternary 0 (int .Values.profiles.sizeGib) (not (empty .Values.profiles.claim)) -}}
{{- end -}}

{{- define "neuron-explorer.awsEnv" -}}
{{- with .Values.awsRegion }}
- {name: AWS_REGION, value: {{ . }}}
{{- end }}
{{- end -}}
