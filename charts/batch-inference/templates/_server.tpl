{{/* The command of the server, which files/run_batch.py starts, and its environment. */}}

{{- define "batch-inference.command" -}}
{{- $v := .Values -}}
- vllm
- serve
- {{ include "batch-inference.modelPath" . }}
- --served-model-name={{ $v.model.name }}
- --tensor-parallel-size={{ int $v.model.tensorParallelSize }}
- --max-model-len={{ int $v.model.maxModelLen }}
- --max-num-seqs={{ int $v.model.maxNumSeqs }}
{{- if $v.model.blockSize }}
- --block-size={{ int $v.model.blockSize }}
{{- end }}
{{- include "batch-inference.shapes" . }}
# Only the program beside it asks.
- --host=127.0.0.1
- --port=8000
{{- range $v.model.extraArgs }}
- {{ . | toJson }}
{{- end }}
{{- end -}}

{{- define "batch-inference.env" -}}
{{- $v := .Values -}}
- {name: HOME, value: /scratch}
- {name: PYTHONUNBUFFERED, value: "1"}
- {name: HF_HUB_OFFLINE, value: "1"}
- {name: TRANSFORMERS_OFFLINE, value: "1"}
- {name: VLLM_NO_USAGE_STATS, value: "1"}
- {name: VLLM_ENGINE_READY_TIMEOUT_S, value: {{ include "batch-inference.startupSeconds" . | quote }}}
# Both are what AWS's tutorials set: a graph may be compiled at its first use.
- {name: VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS, value: "1200"}
- {name: NEURON_RT_EXEC_TIMEOUT, value: "600"}
{{- with $v.machine.logicalNcConfig }}
- {name: NEURON_LOGICAL_NC_CONFIG, value: {{ int . | quote }}}
{{- end }}
{{- with $v.awsRegion }}
- {name: AWS_REGION, value: {{ . }}}
{{- end }}
{{- include "batch-inference.cacheEnv" . }}
{{- range $name, $value := $v.env }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{- define "batch-inference.cacheEnv" -}}
{{- $v := .Values -}}
{{- if eq $v.engine "vllm" }}
- {name: VLLM_CACHE_ROOT, value: /scratch/vllm}
# Two names of one limit: pages of the same release use either.
- {name: NEURON_LIBTORCH_COMPILATION_TIMEOUT, value: {{ mul 60 (int $v.startup.compileMinutes) | quote }}}
- {name: VLLM_NEURON_COMPILATION_TIMEOUT, value: {{ mul 60 (int $v.startup.compileMinutes) | quote }}}
{{- if $v.compileCache.claim }}
- {name: NEURON_LIBTORCH_REMOTE_CACHE, value: {{ $v.compileCache.mountPath }}/{{ include "batch-inference.cacheFolder" . }}}
{{- end }}
{{- else }}
{{- if not (hasKey $v.env "NEURON_COMPILED_ARTIFACTS") }}
- {name: NEURON_COMPILED_ARTIFACTS, value: {{ include "batch-inference.artifactsFolder" . }}}
{{- end }}
{{- $folder := default "/scratch/neuron-compile-cache" (ternary $v.compileCache.mountPath "" (not (empty $v.compileCache.claim))) }}
- {name: NEURON_COMPILE_CACHE_URL, value: {{ ternary (default $folder $v.compileCache.url) $folder (empty $v.compileCache.configMap) | quote }}}
{{- if not (hasKey $v.env "NEURON_CC_FLAGS") }}
# A compilation that was interrupted left a failed entry, which ends every later start otherwise.
- {name: NEURON_CC_FLAGS, value: --retry_failed_compilation}
{{- end }}
{{- end }}
{{- end -}}
