{{/* Which graphs the server compiles: its prefill step, its buckets and, where these leave it out, prefix caching. */}}

{{- define "neuron-serving.shapes" -}}
{{- $m := .Values.model -}}
{{- $own := or $m.additionalConfig (ne .Values.engine "vllm") -}}
{{- $length := int $m.maxModelLen -}}
{{- $tokens := int $m.maxNumBatchedTokens -}}
{{- if not $own -}}
{{- $tensor := int $m.tensorParallelSize -}}
{{- if not $tokens -}}
{{- $tokens = min 8192 (mul $tensor (div (add $length $tensor -1) $tensor)) -}}
{{- end -}}
{{- if ne 0 (mod $tokens $tensor) -}}
{{- fail (printf "a prefill step has %d tokens, which %d cores (model.tensorParallelSize) cannot share evenly: set model.maxNumBatchedTokens to a multiple" $tokens $tensor) -}}
{{- end -}}
{{- end -}}
{{- if $tokens }}
- --max-num-batched-tokens={{ $tokens }}
{{- end }}
{{- if $own }}
{{- if eq .Values.engine "vllm_nxd" }}
{{- include "neuron-serving.checkNxd" . }}
{{- if not (or $m.blockSize (regexMatch "enable[-_]prefix[-_]caching|--block[-_]size" (join " " $m.extraArgs))) }}
# Prefix caching is on in vLLM, and NxD Inference starts with it only with a size of blocks.
- --no-enable-prefix-caching
{{- end }}
{{- end }}
{{- with $m.additionalConfig }}
- {{ printf "--additional-config=%s" (toJson .) | toJson }}
{{- end }}
{{- else }}
{{- $buckets := dict "num_batched_tokens_buckets" (list $tokens) "num_seqs_buckets" (list (int $m.maxNumSeqs)) }}
{{- if lt $tokens $length }}
{{- $_ := set $buckets "kv_segment_size_buckets" (list (include "neuron-serving.segment" $tokens | int)) }}
{{- else if not (contains "enable-prefix-caching" (join " " $m.extraArgs)) }}
- --no-enable-prefix-caching
{{- end }}
- {{ printf "--additional-config=%s" (toJson (dict "neuron_config" $buckets)) | toJson }}
{{- end }}
{{- end -}}

{{/* The sizes that vLLM Neuron has a kernel for: guides/reference-configuration.md. */}}
{{- define "neuron-serving.segment" -}}
{{- if not (has (int .) (list 512 1024 2048 4096 8192)) -}}
{{- fail (printf "model.maxNumBatchedTokens is %d, below model.maxModelLen: it is the size of a segment then, 512, 1024, 2048, 4096 or 8192, or give model.additionalConfig" (int .)) -}}
{{- end -}}
{{- . -}}
{{- end -}}

{{/* What ends NxD Inference at its start. Every message names the keys. */}}
{{- define "neuron-serving.checkNxd" -}}
{{- $m := .Values.model -}}
{{- $all := join " " $m.extraArgs -}}
{{- if and (not $m.blockSize) (regexMatch "(^| )--enable[-_]prefix[-_]caching" $all) (not (regexMatch "--block[-_]size" $all)) -}}
{{- fail "model.extraArgs has --enable-prefix-caching, which engine vllm_nxd starts with only where model.blockSize is set: set it, with --num-gpu-blocks-override in model.extraArgs" -}}
{{- end -}}
{{- $config := printf "%s %s" (toJson $m.additionalConfig) $all -}}
{{- $cache := ternary (printf "|%s" .Values.compileCache.mountPath) "" (not (empty .Values.compileCache.claim)) -}}
{{- $writable := regexMatch (printf `quantized_checkpoints_path"? *[:=] *"?(/scratch|/tmp%s)/` $cache) $config -}}
{{- if and (regexMatch `quantized"? *[:=] *([Tt]rue|1)` $config) (not $writable) -}}
{{- fail "model.additionalConfig or model.extraArgs has quantized, and engine vllm_nxd writes the quantized weights to quantized_checkpoints_path: name a folder below /scratch there (machine.scratchGib counts it), or serve weights that are quantized already" -}}
{{- end -}}
{{- end -}}
