{{/* What the schema cannot say: one value against another. Every message names the keys. */}}

{{- define "model-store.checks" -}}
{{- $v := .Values -}}
{{- if not (or $v.store.url $v.store.claim) -}}
{{- fail "store.claim and store.url are both empty: name where models are" -}}
{{- end -}}
{{- if and $v.store.url $v.store.claim -}}
{{- fail "store.claim and store.url are both set: give one" -}}
{{- end -}}
{{- if gt (int $v.machine.sharedMemoryGib) (int $v.machine.memoryGib) -}}
{{- fail (printf "machine.sharedMemoryGib %d is above machine.memoryGib %d: /dev/shm counts as the pod's memory" (int $v.machine.sharedMemoryGib) (int $v.machine.memoryGib)) -}}
{{- end -}}
{{- if eq $v.job "download" -}}
{{- include "model-store.checkDownload" . -}}
{{- else if eq $v.job "drill" -}}
{{- include "model-store.checkDrill" . -}}
{{- else -}}
{{- include "model-store.checkWork" . -}}
{{- end -}}
{{- end -}}

{{- define "model-store.checkDrill" -}}
{{- $v := .Values -}}
{{- if not $v.input.path -}}
{{- fail "input.path is empty: name the folder of the run, such as its release, that job drill restores from" -}}
{{- end -}}
{{- if and $v.drill.folder $v.store.url -}}
{{- fail "drill.folder and store.url are both set: from a bucket the drill restores to the disk of the node, so give no folder" -}}
{{- end -}}
{{- $synced := printf "%s/" (clean $v.store.folder) -}}
{{- if and $v.drill.folder $v.store.folder (hasPrefix $synced (printf "%s/" (clean $v.drill.folder))) -}}
{{- fail (printf "drill.folder %s is in store.folder %s, which may be mirrored to a bucket: give a folder beside it" $v.drill.folder $v.store.folder) -}}
{{- end -}}
{{- if or $v.output $v.command $v.args -}}
{{- fail "output, command or args is set, but job is drill, which keeps nothing and runs no tool" -}}
{{- end -}}
{{- end -}}

{{- define "model-store.checkDownload" -}}
{{- $d := .Values.download -}}
{{- if eq $d.source "s3" -}}
{{- if not .Values.output -}}
{{- fail "output is empty: name the folder of the copy" -}}
{{- end -}}
{{- if not $d.url -}}
{{- fail "download.url is empty: download.source is s3, so give s3://bucket/prefix" -}}
{{- end -}}
{{- if .Values.store.url -}}
{{- fail "download.source is s3 and store.url is set: from bucket to bucket copy with `aws s3 sync`" -}}
{{- end -}}
{{- else -}}
{{- if not $d.repository -}}
{{- fail "download.repository is empty: name the model or dataset" -}}
{{- end -}}
{{- $port := regexFind ":[0-9]+$" (regexFind "^https?://[^/]+" $d.endpoint) | trimPrefix ":" -}}
{{- $port = $port | default (ternary "443" "80" (hasPrefix "https:" $d.endpoint)) -}}
{{- $ports := list -}}
{{- range .Values.networkPolicy.ports }}{{ $ports = append $ports (int . | toString) }}{{ end -}}
{{- if and .Values.networkPolicy.enabled (not (has $port $ports)) -}}
{{- fail (printf "download.endpoint %s uses port %s, which networkPolicy.ports lacks: add it" $d.endpoint $port) -}}
{{- end -}}
{{- end -}}
{{- if or .Values.command .Values.args -}}
{{- fail "command or args is set, but job is download, which runs no tool" -}}
{{- end -}}
{{- end -}}

{{- define "model-store.checkWork" -}}
{{- $v := .Values -}}
{{- if $v.store.url -}}
{{- fail (printf "store.url is set, but job is %s: tools read and write files, so give store.claim" $v.job) -}}
{{- end -}}
{{- if not $v.input.path -}}
{{- fail (printf "input.path is empty: name the folder that job %s reads" $v.job) -}}
{{- end -}}
{{- if not $v.output -}}
{{- fail (printf "output is empty: name the folder that job %s makes" $v.job) -}}
{{- end -}}
{{- if eq (clean $v.input.path) (clean $v.output) -}}
{{- fail (printf "input.path and output are both %s: give another output" $v.output) -}}
{{- end -}}
{{- if not $v.command -}}
{{- if eq $v.job "tokenize" -}}
{{- fail "command is empty: job tokenize has no tool of its own; see examples/tokenize.yaml" -}}
{{- end -}}
{{- if not $v.args -}}
{{- fail (printf "args is empty: the tool of job %s needs some; see examples/%s.yaml" $v.job $v.job) -}}
{{- end -}}
{{- end -}}
{{- end -}}
