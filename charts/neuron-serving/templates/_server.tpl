{{/* What vLLM is told: arguments and environment. */}}

{{- define "neuron-serving.args" -}}
{{- $v := .root.Values -}}
- serve
- {{ include "neuron-serving.modelPath" .root }}
- --served-model-name={{ $v.model.name }}
- --tensor-parallel-size={{ int $v.model.tensorParallelSize }}
{{- if gt (int $v.model.dataParallelSize) 1 }}
- --data-parallel-size={{ int $v.model.dataParallelSize }}
{{- end }}
- --max-model-len={{ int $v.model.maxModelLen }}
- --max-num-seqs={{ int $v.model.maxNumSeqs }}
{{- if $v.model.blockSize }}
- --block-size={{ int $v.model.blockSize }}
{{- end }}
{{- include "neuron-serving.shapes" .root }}
- --port={{ int $v.service.port }}
{{- if eq $v.engine "vllm" }}
- --shutdown-timeout={{ int $v.drain.requestSeconds }}
{{- end }}
{{- if gt (int $v.nodesPerReplica) 1 }}
- --nnodes=$(LWS_GROUP_SIZE)
- --node-rank=$(LWS_WORKER_INDEX)
- --master-addr=$(LWS_LEADER_ADDRESS)
{{- if eq .role "worker" }}
- --headless
{{- end }}
{{- end }}
{{- range $v.model.extraArgs }}
- {{ . | toJson }}
{{- end }}
{{- end -}}

{{- define "neuron-serving.env" -}}
{{- $v := .Values -}}
- {name: HOME, value: /scratch}
- {name: HF_HUB_OFFLINE, value: "1"}
- {name: TRANSFORMERS_OFFLINE, value: "1"}
- {name: VLLM_NO_USAGE_STATS, value: "1"}
- {name: VLLM_ENGINE_READY_TIMEOUT_S, value: {{ include "neuron-serving.startupSeconds" . | quote }}}
- {name: VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS, value: {{ include "neuron-serving.stepSeconds" . | quote }}}
# No graph is compiled here: 600 is what AWS's tutorials set.
- {name: NEURON_RT_EXEC_TIMEOUT, value: {{ min 600 (int (include "neuron-serving.stepSeconds" .)) | quote }}}
# A load balancer that uses a connection which the server has just closed answers 502.
- {name: VLLM_HTTP_TIMEOUT_KEEP_ALIVE, value: {{ add 20 (int $v.gateway.idleTimeoutSeconds) | quote }}}
{{- with $v.machine.logicalNcConfig }}
- {name: NEURON_LOGICAL_NC_CONFIG, value: {{ int . | quote }}}
{{- end }}
{{- if $v.machine.efaInterfaces }}
- {name: FI_PROVIDER, value: efa}
- {name: FI_EFA_USE_DEVICE_RDMA, value: "1"}
{{- end }}
{{- with $v.awsRegion }}
- {name: AWS_REGION, value: {{ . }}}
{{- end }}
{{- include "neuron-serving.cacheEnv" . }}
{{- if not (hasKey $v.env "NEURON_COMPILED_ARTIFACTS") }}
{{- with include "neuron-serving.artifactsFolder" . }}
- {name: NEURON_COMPILED_ARTIFACTS, value: {{ . }}}
{{- end }}
{{- end }}
{{- if $v.apiKeySecret.name }}
- name: VLLM_API_KEY
  valueFrom:
    secretKeyRef: {name: {{ $v.apiKeySecret.name }}, key: {{ $v.apiKeySecret.key }}}
{{- end }}
{{- range $name, $value := $v.env }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{- define "neuron-serving.cacheEnv" -}}
{{- $v := .Values -}}
{{- if eq $v.engine "vllm" }}
- {name: VLLM_CACHE_ROOT, value: /scratch/vllm}
# Two names of one limit: pages of the same release use either.
- {name: NEURON_LIBTORCH_COMPILATION_TIMEOUT, value: {{ mul 60 (int $v.startup.compileMinutes) | quote }}}
- {name: VLLM_NEURON_COMPILATION_TIMEOUT, value: {{ mul 60 (int $v.startup.compileMinutes) | quote }}}
{{- if $v.compileCache.claim }}
- {name: NEURON_LIBTORCH_REMOTE_CACHE, value: {{ $v.compileCache.mountPath }}/{{ include "neuron-serving.cacheFolder" . }}}
{{- end }}
{{- if $v.precompiled.required }}
- {name: VLLM_NEURON_DISABLE_WARMUP_COMPILE, value: "1"}
- {name: NEURON_LIBTORCH_DISABLE_GRAPH_CAPTURE_BACKEND, value: "1"}
{{- end }}
{{- else }}
{{- $folder := default "/scratch/neuron-compile-cache" (ternary $v.compileCache.mountPath "" (not (empty $v.compileCache.claim))) }}
- {name: NEURON_COMPILE_CACHE_URL, value: {{ ternary (default $folder $v.compileCache.url) $folder (empty $v.compileCache.configMap) | quote }}}
{{- if not (hasKey $v.env "NEURON_CC_FLAGS") }}
# A compilation that was interrupted left a failed entry, which ends every later start otherwise.
- {name: NEURON_CC_FLAGS, value: --retry_failed_compilation}
{{- end }}
{{- end }}
{{- end -}}
