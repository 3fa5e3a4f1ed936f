{{/* What the schema cannot say: one value against another. */}}
{{- define "neuron-training.checks" -}}
{{- $v := .Values -}}
{{- $m := $v.machine -}}
{{- include "neuron-training.checkDevices" . -}}
{{- if and (not $v.image.digest) (has $v.image.tag (list "" "latest")) -}}
{{- fail (printf "image.tag is %q and image.digest is empty: name one release of %s" $v.image.tag $v.image.repository) -}}
{{- end -}}
{{- $nodes := int $v.nodes -}}
{{- if and (gt $nodes 1) (eq 0 (int $m.efaInterfaces)) -}}
{{- fail (printf "nodes is %d and machine.efaInterfaces is 0: collectives between nodes go over EFA" $nodes) -}}
{{- end -}}
{{- if ne 0 (mod (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- fail (printf "machine.neuronCores %d is not a multiple of machine.neuronDevices %d: every chip has the same number of cores" (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- end -}}
{{- if gt (int $m.sharedMemoryGib) (int $m.memoryGib) -}}
{{- fail (printf "machine.sharedMemoryGib %d is above machine.memoryGib %d: /dev/shm counts as the pod's memory" (int $m.sharedMemoryGib) (int $m.memoryGib)) -}}
{{- end -}}
{{- if and $v.ultraServer.size (ne 0 (mod $nodes (int $v.ultraServer.size | max 1))) -}}
{{- fail (printf "nodes %d is not a multiple of ultraServer.size %d" $nodes (int $v.ultraServer.size)) -}}
{{- end -}}
{{- if and $v.ultraServer.size (eq $v.controller "pytorchjob") -}}
{{- fail (printf "controller is pytorchjob and ultraServer.size is %d: HyperPod has no UltraServers" (int $v.ultraServer.size)) -}}
{{- end -}}
{{- if and $v.queue.topology $v.ultraServer.size -}}
{{- fail "queue.topology and ultraServer.size are both set: JobSet places the nodes of an UltraServer, and Kueue would place them otherwise" -}}
{{- end -}}
{{- if and $v.compileCache.url $v.compileCache.claim -}}
{{- fail "compileCache.url and compileCache.claim are both set: choose one place for compiled graphs" -}}
{{- end -}}
{{- if and $v.compileCache.configMap (not $v.compileCache.subfolder) -}}
{{- fail "compileCache.configMap is set and compileCache.subfolder is empty: name the folder of the compiler, such as neuronx-cc-2.27.5334.0/trn1/lnc-default" -}}
{{- end -}}
{{- $paths := list -}}
{{- range list $v.checkpoints $v.compileCache $v.data -}}
{{- if .claim -}}{{- $paths = append $paths .mountPath -}}{{- end -}}
{{- end -}}
{{- if ne (len $paths) (len (uniq $paths)) -}}
{{- fail (printf "two claims are mounted at one path: %s" (join ", " $paths)) -}}
{{- end -}}
{{- end -}}
