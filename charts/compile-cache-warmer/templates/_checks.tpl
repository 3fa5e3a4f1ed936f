{{/* What the schema cannot say: one value against another. Every message names the keys. */}}

{{- define "compile-cache-warmer.checks" -}}
{{- $v := .Values -}}
{{- if not (or $v.compileCache.url $v.compileCache.claim) -}}
{{- fail "compileCache.url and compileCache.claim are both empty: name the cache to fill" -}}
{{- end -}}
{{- if and $v.compileCache.url $v.compileCache.claim -}}
{{- fail "compileCache.url and compileCache.claim are both set: give one" -}}
{{- end -}}
{{- if and $v.cleanUp.enabled (not $v.compileCache.claim) -}}
{{- fail "cleanUp.enabled is true, but the cache is in S3: use a lifecycle rule of the bucket" -}}
{{- end -}}
{{- if and $v.cleanUp.enabled (eq 0 (int $v.cleanUp.maxAgeDays)) (eq 0 (int $v.cleanUp.maxSizeGib)) -}}
{{- fail "cleanUp.maxAgeDays and cleanUp.maxSizeGib are both 0: nothing would ever be cleaned" -}}
{{- end -}}
{{- if and $v.cleanUp.enabled (gt (int $v.cleanUp.maxAgeDays) 0) (not $v.schedule.enabled) -}}
{{- fail "cleanUp.maxAgeDays is above 0 and schedule.enabled is false: no run marks the entries that servers use, so they would be deleted by age: set schedule.enabled, or cleanUp.maxAgeDays: 0" -}}
{{- end -}}
{{- include "compile-cache-warmer.checkMachine" . -}}
{{- $names := list -}}
{{- range $v.graphs -}}
{{- if has .name $names -}}
{{- fail (printf "graphs: the name %s stands there twice" .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- include "compile-cache-warmer.checkGraph" (dict "graph" . "values" $v) -}}
{{- end -}}
{{- end -}}

{{- define "compile-cache-warmer.checkMachine" -}}
{{- $m := .Values.machine -}}
{{- include "compile-cache-warmer.checkDevices" . -}}
{{- if gt (int $m.neuronDevices) 0 -}}
{{- if eq $m.instanceType "" -}}
{{- fail (printf "machine.instanceType is empty, but machine.neuronDevices is %d: name the machine that has them" (int $m.neuronDevices)) -}}
{{- end -}}
{{- if ne (int $m.logicalNcConfig) (int .Values.compiler.logicalNcConfig) -}}
{{- fail (printf "machine.logicalNcConfig is %d and compiler.logicalNcConfig is %d: on a machine with devices they are one" (int $m.logicalNcConfig) (int .Values.compiler.logicalNcConfig)) -}}
{{- end -}}
{{- if not (hasPrefix .Values.compiler.target (trimPrefix "ml." $m.instanceType)) -}}
{{- fail (printf "compiler.target is %s, but machine.instanceType is %s" .Values.compiler.target $m.instanceType) -}}
{{- end -}}
{{- end -}}
{{- if gt (int $m.sharedMemoryGib) (int $m.memoryGib) -}}
{{- fail (printf "machine.sharedMemoryGib %d is above machine.memoryGib %d: /dev/shm counts as the pod's memory" (int $m.sharedMemoryGib) (int $m.memoryGib)) -}}
{{- end -}}
{{- end -}}

{{- define "compile-cache-warmer.checkGraph" -}}
{{- $v := .values -}}
{{- if and (eq .graph.kind "parallel_compile") (eq 0 (int $v.machine.neuronDevices)) -}}
{{- fail (printf "graphs: %s is of kind parallel_compile, which runs the program on a device: set machine.neuronDevices" .graph.name) -}}
{{- end -}}
{{- if and (eq .graph.kind "vllm") (eq $v.weights.source "none") -}}
{{- fail (printf "graphs: %s is of kind vllm, which reads the model: weights.source cannot be none" .graph.name) -}}
{{- end -}}
{{- if and (eq .graph.kind "vllm") (regexMatch "^(inf|trn1)" $v.compiler.target) -}}
{{- fail (printf "graphs: %s is of kind vllm, which vLLM Neuron compiles for trn2 and later, and compiler.target is %s: servers with engine vllm_nxd keep their own graphs on compileCache.claim" .graph.name $v.compiler.target) -}}
{{- end -}}
{{- if and (ne .graph.kind "vllm") (not .graph.args) -}}
{{- fail (printf "graphs: %s has no args: for kind %s they are the command line" .graph.name .graph.kind) -}}
{{- end -}}
{{- end -}}
