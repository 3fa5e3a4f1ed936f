{{/* Volumes, their mounts, and the containers that fill them first. */}}

{{- define "neuron-serving.mounts" -}}
- {name: scratch, mountPath: /scratch}
- {name: shared-memory, mountPath: /dev/shm}
- {name: scratch, mountPath: /tmp, subPath: tmp}
- {name: weights, mountPath: /models, readOnly: true}
{{- if .Values.compileCache.claim }}
- {name: compile-cache, mountPath: {{ .Values.compileCache.mountPath }}}
{{- end }}
{{- end -}}

{{- define "neuron-serving.volumes" -}}
{{- $v := .Values -}}
- name: scratch
  emptyDir: {sizeLimit: {{ int $v.machine.scratchGib }}Gi}
- name: shared-memory
  emptyDir: {medium: Memory, sizeLimit: {{ int $v.machine.sharedMemoryGib }}Gi}
- name: weights
  {{- if eq $v.weights.source "claim" }}
  persistentVolumeClaim: {claimName: {{ $v.weights.claim }}}
  {{- else }}
  emptyDir: {sizeLimit: {{ int $v.weights.sizeGib }}Gi}
  {{- end }}
{{- with $v.compileCache.claim }}
- name: compile-cache
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- end -}}

{{- define "neuron-serving.copies" -}}
{{- $v := .Values -}}
{{- if eq $v.weights.source "s3" }}
{{ include "neuron-serving.copy" (dict "root" . "name" "copy-weights" "volume" "weights" "from" $v.weights.url "mount" "/models" "to" "/models") }}
{{- end }}
{{- if and $v.compileCache.url (eq $v.engine "vllm") }}
{{- $from := printf "%s/%s" (trimSuffix "/" $v.compileCache.url) (include "neuron-serving.cacheFolder" .) }}
{{ include "neuron-serving.copy" (dict "root" . "name" "copy-compile-cache" "volume" "scratch" "from" $from "mount" "/scratch" "to" "/scratch/vllm/neuron/compile_cache") }}
{{- end }}
{{- end -}}

{{- define "neuron-serving.copy" -}}
- name: {{ .name }}
  image: {{ include "neuron-serving.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command: [aws]
  args: [s3, sync, --only-show-errors, --exclude, "*.lock", {{ .from | quote }}, {{ .to }}]
  env:
    - {name: HOME, value: /tmp}
    {{- with .root.Values.awsRegion }}
    - {name: AWS_REGION, value: {{ . }}}
    {{- end }}
  resources:
    requests: {cpu: "1", memory: 4Gi}
    limits: {memory: 4Gi}
  securityContext:
    {{- include "neuron-serving.ownProgramSecurity" .root | nindent 4 }}
  volumeMounts:
    - {name: {{ .volume }}, mountPath: {{ .mount }}}
    - {name: scratch, mountPath: /tmp, subPath: tmp}
{{- end -}}
