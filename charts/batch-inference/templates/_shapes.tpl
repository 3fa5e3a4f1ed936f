{{/* Which graphs the server compiles: its prefill step, its buckets and, where these leave it out, prefix caching. */}}

{{- define "batch-inference.shapes" -}}
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
{{- with $m.additionalConfig }}
- {{ printf "--additional-config=%s" (toJson .) | toJson }}
{{- end }}
{{- else }}
{{- $buckets := dict "num_batched_tokens_buckets" (list $tokens) "num_seqs_buckets" (list (int $m.maxNumSeqs)) }}
{{- if lt $tokens $length }}
{{- $_ := set $buckets "kv_segment_size_buckets" (list (include "batch-inference.segment" $tokens | int)) }}
{{- else if not (contains "enable-prefix-caching" (join " " $m.extraArgs)) }}
- --no-enable-prefix-caching
{{- end }}
- {{ printf "--additional-config=%s" (toJson (dict "neuron_config" $buckets)) | toJson }}
{{- end }}
{{- end -}}

{{/* The sizes that vLLM Neuron has a kernel for: guides/reference-configuration.md. */}}
{{- define "batch-inference.segment" -}}
{{- if not (has (int .) (list 512 1024 2048 4096 8192)) -}}
{{- fail (printf "model.maxNumBatchedTokens is %d, below model.maxModelLen: it is the size of a segment then, 512, 1024, 2048, 4096 or 8192, or give model.additionalConfig" (int .)) -}}
{{- end -}}
{{- . -}}
{{- end -}}
