{{/* Volumes, their mounts, and the containers that fill them first. */}}

{{- define "neuron-serving.mounts" -}}
- {name: scratch, mountPath: /scratch}
- {name: shared-memory, mountPath: /dev/shm}
- {name: scratch, mountPath: /tmp, subPath: tmp}
- name: weights
  mountPath: /models
  readOnly: true
  {{- if include "neuron-serving.hasNodeCache" . }}
  subPath: {{ include "neuron-serving.nodeCacheName" . }}
  {{- end }}
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
  {{- if include "neuron-serving.hasNodeCache" . }}
  {{- include "neuron-serving.nodeCacheVolume" . | nindent 2 }}
  {{- else if eq $v.weights.source "s3" }}
  emptyDir: {sizeLimit: {{ int $v.weights.sizeGib }}Gi}
  {{- else }}
  persistentVolumeClaim: {claimName: {{ eq $v.weights.source "claim" | ternary $v.weights.claim (include "neuron-serving.weightsClaim" .) }}}
  {{- end }}
{{- with $v.compileCache.claim }}
- name: compile-cache
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- if or (include "neuron-serving.sharesCache" .) (include "neuron-serving.hasNodeCache" .) }}
- name: program
  configMap: {name: {{ include "neuron-serving.name" . }}-program}
{{- end }}
{{- if include "neuron-serving.copies" . }}
- name: aws-configuration
  configMap: {name: {{ include "neuron-serving.name" . }}-aws}
{{- end }}
{{- end -}}

{{- define "neuron-serving.copies" -}}
{{- $v := .Values -}}
{{- if include "neuron-serving.hasNodeCache" . }}
{{ include "neuron-serving.nodeCacheContainers" . }}
{{- else if eq $v.weights.source "s3" }}
{{ include "neuron-serving.copy" (dict "root" . "name" "copy-weights" "volume" "weights" "from" $v.weights.url "mount" "/models" "to" "/models") }}
{{- end }}
{{- if and $v.compileCache.url (or (eq $v.engine "vllm") $v.compileCache.configMap) }}
{{- $from := printf "%s/%s" (trimSuffix "/" $v.compileCache.url) (include "neuron-serving.cacheFolder" .) }}
{{ include "neuron-serving.copy" (dict "root" . "name" "copy-compile-cache" "volume" "scratch" "from" $from "mount" "/scratch" "to" (eq $v.engine "vllm" | ternary "/scratch/vllm/neuron/compile_cache" "/scratch/neuron-compile-cache")) }}
{{- end }}
{{- end -}}

{{- define "neuron-serving.copy" -}}
- name: {{ .name }}
  image: {{ include "neuron-serving.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command: [sh, -c]
  # The fast client does not follow a bucket to another Region: the usual one copies what it left.
  args:
    - aws "$@" || AWS_CONFIG_FILE=/dev/null aws "$@"
    - aws
    {{- range list "s3" "sync" "--only-show-errors" "--exclude" "*.lock" .from .to }}
    - {{ . | quote }}
    {{- end }}
  {{- include "neuron-serving.copyRun" .root | nindent 2 }}
  volumeMounts:
    - {name: {{ .volume }}, mountPath: {{ .mount }}}
    - {name: scratch, mountPath: /tmp, subPath: tmp}
    - {name: aws-configuration, mountPath: /etc/aws, readOnly: true}
{{- end -}}

{{/* How a copy runs: with the processors of the server, which starts after it. */}}
{{- define "neuron-serving.copyRun" -}}
env:
  {{- include "neuron-serving.cacheAddress" . | nindent 2 }}
  - {name: HOME, value: /tmp}
  - {name: AWS_CONFIG_FILE, value: /etc/aws/config}
  {{- with .Values.awsRegion }}
  - {name: AWS_REGION, value: {{ . }}}
  {{- end }}
# No more than the container after it, which decides what the pod requests.
resources:
  {{- $memory := min 8 (int .Values.machine.memoryGib) }}
  requests: {cpu: {{ .Values.machine.cpu | quote }}, memory: {{ $memory }}Gi}
  limits: {memory: {{ $memory }}Gi}
securityContext:
  {{- include "neuron-serving.ownProgramSecurity" . | nindent 2 }}
{{- end -}}
