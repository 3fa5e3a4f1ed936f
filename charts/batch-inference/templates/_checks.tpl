{{/* What the schema cannot say: one value against another. Every message names the keys. */}}

{{- define "batch-inference.checks" -}}
{{- $v := .Values -}}
{{- $m := $v.machine -}}
{{- include "batch-inference.checkDevices" . -}}
{{- if gt (int $v.model.tensorParallelSize) (int $m.neuronCores) -}}
{{- fail (printf "model.tensorParallelSize is %d, but a pod has %d cores (machine.neuronCores)" (int $v.model.tensorParallelSize) (int $m.neuronCores)) -}}
{{- end -}}
{{- if ne 0 (mod (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- fail (printf "machine.neuronCores %d is not a multiple of machine.neuronDevices %d: every chip has the same number of cores" (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- end -}}
{{- if gt (int $m.sharedMemoryGib) (int $m.memoryGib) -}}
{{- fail (printf "machine.sharedMemoryGib %d is above machine.memoryGib %d: /dev/shm counts as the pod's memory" (int $m.sharedMemoryGib) (int $m.memoryGib)) -}}
{{- end -}}
{{- if and (eq $v.engine "vllm") (contains "--pipeline-parallel-size" (join " " $v.model.extraArgs)) -}}
{{- fail "model.extraArgs has --pipeline-parallel-size, which vLLM Neuron does not support: use model.tensorParallelSize" -}}
{{- end -}}
{{- if gt (int $v.batch.parallelism) (int $v.batch.pods) -}}
{{- fail (printf "batch.parallelism %d is above batch.pods %d: so many pods never run at once" (int $v.batch.parallelism) (int $v.batch.pods)) -}}
{{- end -}}
{{- include "batch-inference.checkStorage" . -}}
{{- end -}}

{{- define "batch-inference.checkStorage" -}}
{{- $v := .Values -}}
{{- if hasPrefix "s3://" (get $v.env "NEURON_LIBTORCH_REMOTE_CACHE") -}}
{{- fail "env.NEURON_LIBTORCH_REMOTE_CACHE is an S3 address, and vLLM Neuron reads folders alone: use compileCache.url, which is copied" -}}
{{- end -}}
{{- if eq (empty $v.data.claim) (empty $v.data.url) -}}
{{- fail (printf "data.claim is %q and data.url is %q: give one, where the requests are and the results go" $v.data.claim $v.data.url) -}}
{{- end -}}
{{- if and $v.data.folder $v.data.url -}}
{{- fail "data.folder is a folder of data.claim: with data.url make it a part of the prefix" -}}
{{- end -}}
{{- if hasPrefix (printf "%s/" $v.data.output) $v.data.input -}}
{{- fail (printf "data.input %s is in the folder of the results, data.output %s: use another one" $v.data.input $v.data.output) -}}
{{- end -}}
{{- if eq $v.weights.source "claim" -}}
{{- $_ := required "weights.claim: weights.source is claim, so name the PersistentVolumeClaim that holds the model" $v.weights.claim -}}
{{- else -}}
{{- $_ := required "weights.url: weights.source is s3, so give s3://bucket/prefix of the model" $v.weights.url -}}
{{- if eq 0 (int $v.weights.sizeGib) -}}
{{- fail "weights.sizeGib is 0: weights.source is s3, so say how much disk the copy needs" -}}
{{- end -}}
{{- end -}}
{{- if and $v.compileCache.url $v.compileCache.claim -}}
{{- fail "compileCache.url and compileCache.claim are both set: give one" -}}
{{- end -}}
{{- end -}}
