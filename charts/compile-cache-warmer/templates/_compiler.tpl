{{/* What the compiler is told, and what it sees: environment, volumes, copies. */}}

{{- define "compile-cache-warmer.env" -}}
{{- $v := .Values -}}
{{- $folder := include "compile-cache-warmer.cacheFolder" . -}}
{{- include "compile-cache-warmer.cacheAddress" . }}
- {name: HOME, value: /scratch}
- {name: PYTHONUNBUFFERED, value: "1"}
- {name: MODELS, value: /models}
- {name: HF_HUB_OFFLINE, value: "1"}
- {name: TRANSFORMERS_OFFLINE, value: "1"}
- {name: VLLM_NO_USAGE_STATS, value: "1"}
- {name: VLLM_CACHE_ROOT, value: /scratch/vllm}
- {name: VLLM_ENGINE_READY_TIMEOUT_S, value: {{ mul 60 (int $v.timeoutMinutes) | quote }}}
- {name: NEURON_LIBTORCH_COMPILATION_TIMEOUT, value: {{ mul 60 (int $v.timeoutMinutes) | quote }}}
- {name: NEURON_LIBTORCH_PARALLEL_COMPILE_WORKERS, value: {{ int $v.compiler.workers | quote }}}
{{- if eq 0 (int $v.machine.neuronDevices) }}
# vLLM Neuron without a device: compile, do not run.
- {name: VLLM_NEURON_CPU_COMPILE, value: "1"}
- {name: NEURON_PLATFORM_TARGET_OVERRIDE, value: {{ $v.compiler.target }}}
{{- end }}
{{- with $v.compiler.logicalNcConfig }}
- {name: NEURON_LOGICAL_NC_CONFIG, value: {{ int . | quote }}}
{{- end }}
{{- if $v.compileCache.url }}
- {name: CACHE_URL, value: "{{ trimSuffix "/" $v.compileCache.url }}/{{ $folder }}"}
# With the environment's cache, failed graphs are taken out of a copy before it is written to S3.
- {name: NEURON_COMPILE_CACHE_URL, value: {{ ternary $v.compileCache.url "/scratch/neuron-compile-cache" (empty $v.compileCache.configMap) | quote }}}
{{- else }}
- {name: NEURON_LIBTORCH_REMOTE_CACHE, value: {{ $v.compileCache.mountPath }}/{{ $folder }}}
- {name: NEURON_COMPILE_CACHE_URL, value: {{ $v.compileCache.mountPath }}}
{{- end }}
{{- if not (or (has "vllm" (include "compile-cache-warmer.kinds" . | fromJsonArray)) (hasKey $v.env "NEURON_COMPILED_ARTIFACTS")) }}
# For a command that starts vLLM with NxD Inference, which writes next to the weights otherwise.
- {name: NEURON_COMPILED_ARTIFACTS, value: {{ include "compile-cache-warmer.artifactsFolder" . }}}
{{- end }}
{{- with $v.awsRegion }}
- {name: AWS_REGION, value: {{ . }}}
{{- end }}
{{- if include "compile-cache-warmer.hasPersistentCache" . }}
# A compilation that was interrupted left a failed entry, which ends every later run otherwise.
- {name: NEURON_CC_FLAGS, value: --retry_failed_compilation}
{{- end }}
{{- range $name, $value := $v.env }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{- define "compile-cache-warmer.kinds" -}}
{{- $kinds := list -}}
{{- range .Values.graphs }}{{ $kinds = append $kinds .kind }}{{ end -}}
{{- toJson $kinds -}}
{{- end -}}

{{/* Where a model that NxD Inference compiled is kept: the name says what it is compiled from, as in neuron-serving. */}}
{{- define "compile-cache-warmer.artifactsFolder" -}}
{{- $v := .Values -}}
{{- if $v.compileCache.claim -}}
{{- $model := pick $v.weights "source" "claim" "url" -}}
{{ $v.compileCache.mountPath }}/artifacts/{{ toJson (list (include "compile-cache-warmer.image" .) $model $v.compiler $v.graphs $v.env) | sha256sum | trunc 16 }}
{{- else -}}
/scratch/neuron-compiled-artifacts
{{- end -}}
{{- end -}}

{{/* Whether a graph is compiled by Neuron's persistent cache, and the user sets no flags for it: text, or nothing. */}}
{{- define "compile-cache-warmer.hasPersistentCache" -}}
{{- $kinds := include "compile-cache-warmer.kinds" . | fromJsonArray -}}
{{- if and (without $kinds "vllm") (not (hasKey .Values.env "NEURON_CC_FLAGS")) -}}
true
{{- end -}}
{{- end -}}

{{- define "compile-cache-warmer.mounts" -}}
{{- $v := .Values -}}
- {name: program, mountPath: /opt/warmer, readOnly: true}
- {name: scratch, mountPath: /scratch}
- {name: scratch, mountPath: /tmp, subPath: tmp}
- {name: shared-memory, mountPath: /dev/shm}
{{- if ne $v.weights.source "none" }}
- {name: weights, mountPath: /models, readOnly: true}
{{- end }}
{{- if $v.compileCache.claim }}
- {name: compile-cache, mountPath: {{ $v.compileCache.mountPath }}}
{{- end }}
{{- end -}}

{{- define "compile-cache-warmer.volumes" -}}
{{- $v := .Values -}}
- name: program
  configMap: {name: {{ include "compile-cache-warmer.name" . }}}
- name: scratch
  emptyDir: {sizeLimit: {{ int $v.machine.scratchGib }}Gi}
- name: shared-memory
  emptyDir: {medium: Memory, sizeLimit: {{ int $v.machine.sharedMemoryGib }}Gi}
{{- if eq $v.weights.source "claim" }}
- name: weights
  persistentVolumeClaim:
    claimName: {{ required "weights.claim: weights.source is claim, so name the PersistentVolumeClaim that holds the model" $v.weights.claim }}
{{- else if eq $v.weights.source "s3" }}
- name: weights
  emptyDir:
    {{- if eq 0 (int $v.weights.sizeGib) }}
    {{- fail "weights.sizeGib is 0: weights.source is s3, so say how much disk the copy needs" }}
    {{- end }}
    sizeLimit: {{ int $v.weights.sizeGib }}Gi
{{- end }}
{{- with $v.compileCache.claim }}
- name: compile-cache
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- if include "compile-cache-warmer.copies" . }}
- name: aws-configuration
  configMap: {name: {{ include "compile-cache-warmer.name" . }}-aws}
{{- end }}
{{- end -}}

{{- define "compile-cache-warmer.copies" -}}
{{- $v := .Values -}}
{{- if eq $v.weights.source "s3" }}
{{- $from := required "weights.url: weights.source is s3, so give s3://bucket/prefix of the model" $v.weights.url }}
{{ include "compile-cache-warmer.copy" (dict "root" . "name" "copy-weights" "volume" "weights" "from" $from "mount" "/models" "to" "/models") }}
{{- end }}
{{- $kinds := include "compile-cache-warmer.kinds" . | fromJsonArray }}
{{- $from := printf "%s/%s" (trimSuffix "/" $v.compileCache.url) (include "compile-cache-warmer.cacheFolder" .) }}
{{- if and $v.compileCache.configMap (without $kinds "vllm") }}
{{ include "compile-cache-warmer.copy" (dict "root" . "name" "copy-persistent-cache" "volume" "scratch" "from" $from "mount" "/scratch" "to" "/scratch/neuron-compile-cache") }}
{{- end }}
{{- if and $v.compileCache.url (has "vllm" $kinds) }}
{{ include "compile-cache-warmer.copy" (dict "root" . "name" "copy-compile-cache" "volume" "scratch" "from" $from "mount" "/scratch" "to" "/scratch/vllm/neuron/compile_cache") }}
{{- end }}
{{- end -}}

{{- define "compile-cache-warmer.copy" -}}
- name: {{ .name }}
  image: {{ include "compile-cache-warmer.image" .root }}
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
    {{- include "compile-cache-warmer.cacheAddress" .root | nindent 4 }}
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
    {{- include "compile-cache-warmer.ownProgramSecurity" .root | nindent 4 }}
  volumeMounts:
    - {name: {{ .volume }}, mountPath: {{ .mount }}}
    - {name: scratch, mountPath: /tmp, subPath: tmp}
    - {name: aws-configuration, mountPath: /etc/aws, readOnly: true}
{{- end -}}
