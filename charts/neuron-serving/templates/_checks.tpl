{{/* What the schema cannot say: one value against another. Every message names the keys. */}}

{{- define "neuron-serving.checks" -}}
{{- $v := .Values -}}
{{- $m := $v.machine -}}
{{- include "neuron-serving.checkDevices" . -}}
{{- include "neuron-serving.checkServer" . -}}
{{- $cores := mul (int $m.neuronCores) (int $v.nodesPerReplica) -}}
{{- $tensor := int $v.model.tensorParallelSize -}}
{{- $isVllm := ne $v.engine "torchserve" -}}
{{- if and $isVllm (gt $tensor $cores) -}}
{{- fail (printf "model.tensorParallelSize is %d, but a replica has %d cores (machine.neuronCores %d x nodesPerReplica %d)" $tensor $cores (int $m.neuronCores) (int $v.nodesPerReplica)) -}}
{{- end -}}
{{- $all := mul $tensor (int $v.model.dataParallelSize) -}}
{{- if and $isVllm (gt $all $cores) -}}
{{- fail (printf "model.tensorParallelSize %d x model.dataParallelSize %d is %d, but a replica has %d cores" $tensor (int $v.model.dataParallelSize) $all $cores) -}}
{{- end -}}
{{- if ne 0 (mod (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- fail (printf "machine.neuronCores %d is not a multiple of machine.neuronDevices %d: every chip has the same number of cores" (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- end -}}
{{- if gt (int $m.sharedMemoryGib) (int $m.memoryGib) -}}
{{- fail (printf "machine.sharedMemoryGib %d is above machine.memoryGib %d: /dev/shm counts as the pod's memory" (int $m.sharedMemoryGib) (int $m.memoryGib)) -}}
{{- end -}}
{{- range $v.model.extraArgs -}}
{{- if and (eq $v.engine "vllm") (regexMatch "^(-pp|--pipeline[-_]parallel[-_]size)(=|$)" (toString .)) -}}
{{- fail (printf "model.extraArgs has %s, which vLLM Neuron does not support: use model.tensorParallelSize" .) -}}
{{- end -}}
{{- end -}}
{{- include "neuron-serving.checkNodes" . -}}
{{- include "neuron-serving.checkStorage" . -}}
{{- include "neuron-serving.checkNodeCache" . -}}
{{- include "neuron-serving.checkTraffic" . -}}
{{- end -}}

{{- define "neuron-serving.checkNodes" -}}
{{- $v := .Values -}}
{{- $nodes := int $v.nodesPerReplica -}}
{{- if gt $nodes 1 -}}
{{- if not $v.untested.severalNodes -}}
{{- fail (printf "nodesPerReplica is %d, and no document of vLLM Neuron shows one model over several nodes: use 1, or try it with untested.severalNodes: true" $nodes) -}}
{{- end -}}
{{- if ne $v.engine "vllm" -}}
{{- fail "nodesPerReplica is above 1: that needs engine vllm; NxD Inference (vllm_nxd) serves from one node" -}}
{{- end -}}
{{- if eq 0 (int $v.machine.efaInterfaces) -}}
{{- fail (printf "nodesPerReplica is %d and machine.efaInterfaces is 0: nodes of one replica talk over EFA" $nodes) -}}
{{- end -}}
{{- if ne 0 (mod (int $v.model.tensorParallelSize) $nodes) -}}
{{- fail (printf "model.tensorParallelSize %d cannot be shared evenly by %d nodes (nodesPerReplica)" (int $v.model.tensorParallelSize) $nodes) -}}
{{- end -}}
{{- else if $v.exclusiveTopologyKey -}}
{{- fail "exclusiveTopologyKey works with nodesPerReplica above 1 only" -}}
{{- end -}}
{{- if and (eq 0 (int $v.rollout.maxSurge)) (eq 0 (int $v.rollout.maxUnavailable)) -}}
{{- fail "rollout.maxSurge and rollout.maxUnavailable are both 0: no update could ever begin" -}}
{{- end -}}
{{- if and $v.autoscaling.enabled (gt (int $v.autoscaling.minReplicas) (int $v.autoscaling.maxReplicas)) -}}
{{- fail (printf "autoscaling.minReplicas %d is above autoscaling.maxReplicas %d" (int $v.autoscaling.minReplicas) (int $v.autoscaling.maxReplicas)) -}}
{{- end -}}
{{- end -}}

{{- define "neuron-serving.checkStorage" -}}
{{- $v := .Values -}}
{{- if hasPrefix "s3://" (get $v.env "NEURON_LIBTORCH_REMOTE_CACHE") -}}
{{- fail "env.NEURON_LIBTORCH_REMOTE_CACHE is an S3 address, and vLLM Neuron reads folders alone: use compileCache.url, which is copied" -}}
{{- end -}}
{{- if eq $v.weights.source "claim" -}}
{{- $_ := required "weights.claim: weights.source is claim, so name the PersistentVolumeClaim that holds the model" $v.weights.claim -}}
{{- else -}}
{{- $_ := required (printf "weights.url: weights.source is %s, so give s3://bucket/prefix of the model" $v.weights.source) $v.weights.url -}}
{{- if eq 0 (int $v.weights.sizeGib) -}}
{{- fail (printf "weights.sizeGib is 0: weights.source is %s, so say how much disk the copy needs" $v.weights.source) -}}
{{- end -}}
{{- end -}}
{{- if and $v.compileCache.url $v.compileCache.claim -}}
{{- fail "compileCache.url and compileCache.claim are both set: give one" -}}
{{- end -}}
{{- if $v.precompiled.required -}}
{{- if ne $v.engine "vllm" -}}
{{- fail "precompiled.required works with engine vllm only; for vllm_nxd give precompiled.artifactsPath" -}}
{{- end -}}
{{- if not (or $v.compileCache.url $v.compileCache.claim) -}}
{{- fail "precompiled.required is true, but neither compileCache.url nor compileCache.claim says where the graphs are" -}}
{{- end -}}
{{- end -}}
{{- if and $v.precompiled.artifactsPath (not $v.compileCache.claim) -}}
{{- fail "precompiled.artifactsPath is a folder of the volume compileCache.claim, which is not set" -}}
{{- end -}}
{{- end -}}

{{- define "neuron-serving.checkTraffic" -}}
{{- $g := .Values.gateway -}}
{{- if $g.enabled -}}
{{- if and (eq $g.kind "httproute") (not $g.parentRef.name) -}}
{{- fail "gateway.parentRef.name: gateway.kind is httproute, so name the Gateway" -}}
{{- end -}}
{{- if and (eq $g.kind "ingress") .Values.networkPolicy.enabled (not .Values.networkPolicy.cidrs) -}}
{{- fail "networkPolicy.cidrs is empty: name the load balancer's subnets (gateway.enabled), or it cannot reach the pods" -}}
{{- end -}}
{{- if and (eq $g.scheme "internet-facing") (not (and $g.certificateArn .Values.apiKeySecret.name)) -}}
{{- fail "gateway.scheme internet-facing wants gateway.certificateArn and apiKeySecret.name: the server has no other lock" -}}
{{- end -}}
{{- end -}}
{{- end -}}
