{{/* What the programs are told: task.json, environment, volumes. */}}

{{/* The converters of NeuronX Distributed: sources are in README.md. */}}
{{- define "model-store.tool" -}}
{{- $v := .Values -}}
{{- $tool := $v.command -}}
{{- if not $tool -}}
{{- $ends := list "--input_dir={input}" "--output_dir={output}" -}}
{{- if eq $v.job "consolidate" -}}
{{- $tool = concat (list "nxd_convert_zero_checkpoints") $ends -}}
{{- else -}}
{{- $program := "from neuronx_distributed.scripts.checkpoint_converter import CheckpointConverterBase as Converter; c = Converter(); c.run(c.get_arg_parser().parse_args())" -}}
{{- $tool = concat (list "python3" "-c" $program) $ends -}}
{{- end -}}
{{- end -}}
{{- concat $tool $v.args | toJson -}}
{{- end -}}

{{- define "model-store.task" -}}
{{- $v := .Values -}}
{{- $task := dict "job" $v.job "output" (include "model-store.output" .) "scratch" "/scratch" "scratchGib" (int $v.machine.scratchGib) -}}
{{- if eq $v.job "download" -}}
{{- $task = set $task "download" (omit $v.download "tokenSecret") -}}
{{- else if eq $v.job "drill" -}}
{{- $root := include "model-store.root" . -}}
{{- $source := printf "%s/%s" ($v.store.url | default $root | trimSuffix "/") $v.input.path -}}
{{- $into := ternary (printf "%s/%s/.checkpoint-drill" $v.store.mountPath $v.drill.folder) "/scratch/.checkpoint-drill" (ne "" $v.drill.folder) -}}
{{- $task = dict "job" $v.job "source" $source "into" $into "waitSeconds" (mul 60 (int $v.drill.waitMinutes)) -}}
{{- else -}}
{{- $task = set $task "input" (printf "%s/%s" (include "model-store.root" .) $v.input.path) -}}
{{- $task = set $task "marker" $v.input.marker -}}
{{- $task = set $task "waitMinutes" (int $v.input.waitMinutes) -}}
{{- $task = set $task "keepIncomplete" $v.keepIncomplete -}}
{{- $task = set $task "command" (include "model-store.tool" . | fromJsonArray) -}}
{{- end -}}
{{- toJson $task -}}
{{- end -}}

{{- define "model-store.env" -}}
{{- $v := .Values -}}
- {name: HOME, value: /scratch}
- {name: TMPDIR, value: /scratch}
- {name: PYTHONUNBUFFERED, value: "1"}
- {name: PYTHONDONTWRITEBYTECODE, value: "1"}
{{- if eq $v.job "download" }}
{{- with $v.download.tokenSecret }}
{{- if .name }}
- name: HF_TOKEN
  valueFrom:
    secretKeyRef: {name: {{ .name }}, key: {{ .key }}}
{{- end }}
{{- end }}
{{- else if ne $v.job "drill" }}
# Tools read the volume alone.
- {name: HF_HUB_OFFLINE, value: "1"}
- {name: TRANSFORMERS_OFFLINE, value: "1"}
{{- end }}
{{- with $v.awsRegion }}
- {name: AWS_REGION, value: {{ . }}}
{{- end }}
{{- range $name, $value := $v.env }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{- define "model-store.mounts" -}}
- {name: program, mountPath: /opt/model-store, readOnly: true}
{{- if .Values.scripts }}
- {name: scripts, mountPath: /opt/scripts, readOnly: true}
{{- end }}
- {name: scratch, mountPath: /scratch}
- {name: scratch, mountPath: /tmp, subPath: tmp}
- {name: shared-memory, mountPath: /dev/shm}
{{- if .Values.store.claim }}
- {name: store, mountPath: {{ .Values.store.mountPath }}}
{{- end }}
{{- end -}}

{{- define "model-store.volumes" -}}
{{- $v := .Values -}}
- name: program
  configMap: {name: {{ include "model-store.jobName" . }}}
{{- if $v.scripts }}
- name: scripts
  configMap: {name: {{ include "model-store.jobName" . }}-scripts}
{{- end }}
- name: scratch
  emptyDir: {sizeLimit: {{ int $v.machine.scratchGib }}Gi}
- name: shared-memory
  emptyDir: {medium: Memory, sizeLimit: {{ int $v.machine.sharedMemoryGib }}Gi}
{{- with $v.store.claim }}
- name: store
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- end -}}
