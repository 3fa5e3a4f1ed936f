{{/* The volumes of a pod that trains, and where they are mounted. */}}
{{- define "neuron-training.volumes" -}}
- name: program
  configMap:
    name: {{ include "neuron-training.programName" . }}
- name: temporary
  emptyDir:
    sizeLimit: {{ int .Values.machine.scratchGib }}Gi
- name: shared-memory
  emptyDir:
    medium: Memory
    sizeLimit: {{ int .Values.machine.sharedMemoryGib }}Gi
{{- include "neuron-training.claimVolumes" . }}
{{- end -}}

{{- define "neuron-training.mounts" -}}
- name: program
  mountPath: /opt/neuron-training
  readOnly: true
- name: temporary
  mountPath: /tmp
- name: shared-memory
  mountPath: /dev/shm
{{- include "neuron-training.claimMounts" . }}
{{- end -}}

{{- define "neuron-training.claimVolumes" -}}
{{- range $name, $storage := dict "checkpoints" .Values.checkpoints "compile-cache" .Values.compileCache "data" .Values.data }}
{{- if $storage.claim }}
- name: {{ $name }}
  persistentVolumeClaim:
    claimName: {{ $storage.claim }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "neuron-training.claimMounts" -}}
{{- range $name, $storage := dict "checkpoints" .Values.checkpoints "compile-cache" .Values.compileCache "data" .Values.data }}
{{- if $storage.claim }}
- name: {{ $name }}
  mountPath: {{ $storage.mountPath }}
  {{- if eq $name "data" }}
  readOnly: true
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}
