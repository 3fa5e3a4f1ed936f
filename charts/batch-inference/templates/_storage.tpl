{{/* Volumes, their mounts, and the containers that fill them first. */}}

{{- define "batch-inference.mounts" -}}
- {name: program, mountPath: /opt/batch, readOnly: true}
- {name: scratch, mountPath: /scratch}
- {name: shared-memory, mountPath: /dev/shm}
- {name: scratch, mountPath: /tmp, subPath: tmp}
- {name: weights, mountPath: /models, readOnly: true}
{{- if .Values.data.claim }}
- {name: data, mountPath: /data}
{{- end }}
{{- if .Values.compileCache.claim }}
- {name: compile-cache, mountPath: {{ .Values.compileCache.mountPath }}}
{{- end }}
{{- end -}}

{{- define "batch-inference.volumes" -}}
{{- $v := .Values -}}
- name: program
  configMap: {name: {{ include "batch-inference.name" . }}-program}
- name: scratch
  emptyDir: {sizeLimit: {{ int $v.machine.scratchGib }}Gi}
- name: shared-memory
  emptyDir: {medium: Memory, sizeLimit: {{ int $v.machine.sharedMemoryGib }}Gi}
- name: weights
  {{- if eq $v.weights.source "s3" }}
  emptyDir: {sizeLimit: {{ int $v.weights.sizeGib }}Gi}
  {{- else }}
  persistentVolumeClaim: {claimName: {{ $v.weights.claim }}}
  {{- end }}
{{- with $v.data.claim }}
- name: data
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- with $v.compileCache.claim }}
- name: compile-cache
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- if include "batch-inference.copies" . }}
- name: aws-configuration
  configMap: {name: {{ include "batch-inference.name" . }}-aws}
{{- end }}
{{- end -}}

{{- define "batch-inference.copies" -}}
{{- $v := .Values -}}
{{- if eq $v.weights.source "s3" }}
{{ include "batch-inference.copy" (dict "root" . "name" "copy-weights" "volume" "weights" "from" $v.weights.url "mount" "/models" "to" "/models") }}
{{- end }}
{{- if and $v.compileCache.url (or (eq $v.engine "vllm") $v.compileCache.configMap) }}
{{- $from := printf "%s/%s" (trimSuffix "/" $v.compileCache.url) (include "batch-inference.cacheFolder" .) }}
{{ include "batch-inference.copy" (dict "root" . "name" "copy-compile-cache" "volume" "scratch" "from" $from "mount" "/scratch" "to" (eq $v.engine "vllm" | ternary "/scratch/vllm/neuron/compile_cache" "/scratch/neuron-compile-cache")) }}
{{- end }}
{{- end -}}

{{- define "batch-inference.copy" -}}
- name: {{ .name }}
  image: {{ include "batch-inference.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command: [sh, -c]
  # The fast client does not follow a bucket to another Region: the usual one copies what it left.
  args:
    - aws "$@" || AWS_CONFIG_FILE=/dev/null aws "$@"
    - aws
    {{- range list "s3" "sync" "--only-show-errors" "--exclude" "*.lock" .from .to }}
    - {{ . | quote }}
    {{- end }}
  env:
    {{- include "batch-inference.cacheAddress" .root | nindent 4 }}
    - {name: HOME, value: /tmp}
    - {name: AWS_CONFIG_FILE, value: /etc/aws/config}
    {{- with .root.Values.awsRegion }}
    - {name: AWS_REGION, value: {{ . }}}
    {{- end }}
  # No more than the container after it, which decides what the pod requests.
  resources:
    {{- $memory := min 8 (int .root.Values.machine.memoryGib) }}
    requests: {cpu: {{ .root.Values.machine.cpu | quote }}, memory: {{ $memory }}Gi}
    limits: {memory: {{ $memory }}Gi}
  securityContext:
    {{- include "batch-inference.ownProgramSecurity" .root | nindent 4 }}
  volumeMounts:
    - {name: {{ .volume }}, mountPath: {{ .mount }}}
    - {name: scratch, mountPath: /tmp, subPath: tmp}
    - {name: aws-configuration, mountPath: /etc/aws, readOnly: true}
{{- end -}}
