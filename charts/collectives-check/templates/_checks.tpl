{{/* What the schema cannot say: one value against another. */}}
{{- define "collectives-check.checks" -}}
{{- $v := .Values -}}
{{- $m := $v.machine -}}
{{- include "collectives-check.checkDevices" . -}}
{{- if and (not $v.image.digest) (has $v.image.tag (list "" "latest")) -}}
{{- fail (printf "image.tag is %q and image.digest is empty: name one release of %s" $v.image.tag $v.image.repository) -}}
{{- end -}}
{{- if and (gt (int $v.nodes) 1) (eq 0 (int $m.efaInterfaces)) -}}
{{- fail (printf "nodes is %d and machine.efaInterfaces is 0: collectives between nodes go over EFA" (int $v.nodes)) -}}
{{- end -}}
{{- if and $v.ultraServer.size (ne 0 (mod (int $v.nodes) (int $v.ultraServer.size | max 1))) -}}
{{- fail (printf "nodes %d is not a multiple of ultraServer.size %d" (int $v.nodes) (int $v.ultraServer.size)) -}}
{{- end -}}
{{- if ne 0 (mod (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- fail (printf "machine.neuronCores %d is not a multiple of machine.neuronDevices %d: every chip has the same number of cores" (int $m.neuronCores) (int $m.neuronDevices)) -}}
{{- end -}}
{{- if gt (int $m.sharedMemoryGib) (int $m.memoryGib) -}}
{{- fail (printf "machine.sharedMemoryGib %d is above machine.memoryGib %d: /dev/shm counts as the pod's memory" (int $m.sharedMemoryGib) (int $m.memoryGib)) -}}
{{- end -}}
{{- if gt (int64 $v.sizes.minBytes) (int64 $v.sizes.maxBytes) -}}
{{- fail (printf "sizes.minBytes %d is above sizes.maxBytes %d" (int64 $v.sizes.minBytes) (int64 $v.sizes.maxBytes)) -}}
{{- end -}}
{{- range $index, $floor := $v.floors -}}
{{- include "collectives-check.checkFloor" (dict "values" $v "index" $index "floor" $floor) -}}
{{- end -}}
{{- end -}}

{{/* A floor at a size that is not run could only ever fail. */}}
{{- define "collectives-check.checkFloor" -}}
{{- $sizes := .values.sizes -}}
{{- if not (has .floor.operation .values.operations) -}}
{{- fail (printf "floors[%d].operation %s is not among operations (%s)" .index .floor.operation (join ", " .values.operations)) -}}
{{- end -}}
{{- $size := int64 $sizes.minBytes -}}
{{- $measured := list -}}
{{- range until 64 -}}
{{- if le $size (int64 $sizes.maxBytes) -}}
{{- $measured = append $measured $size -}}
{{- $size = mul $size (int64 $sizes.stepFactor) -}}
{{- end -}}
{{- end -}}
{{- if not (has (int64 .floor.bytes) $measured) -}}
{{- fail (printf "floors[%d].bytes %d is not a measured size: sizes gives %s" .index (int64 .floor.bytes) (join ", " $measured)) -}}
{{- end -}}
{{- end -}}
