{{/* The server in the place of vLLM: TorchServe, or one of the user's. */}}

{{- define "neuron-serving.serverCommand" -}}
{{- if .Values.server.command -}}
{{- range .Values.server.command }}
- {{ . | toJson }}
{{- end }}
{{- else -}}
- torchserve
- --start
- --foreground
# Without snapshots of its configuration, which it would read at the next start.
- --ncs
# The image's own: loads all models, and lets variables change the rest.
- --ts-config=/home/model-server/config.properties
- --model-store={{ include "neuron-serving.modelPath" . }}
{{- end -}}
{{- end -}}

{{- define "neuron-serving.serverEnv" -}}
{{- $v := .Values -}}
- {name: HOME, value: /scratch}
- {name: PORT, value: {{ int $v.service.port | quote }}}
- {name: MODELS, value: {{ include "neuron-serving.modelPath" . }}}
{{- if not $v.server.command }}
# Where model archives are unpacked.
- {name: TEMP, value: /tmp}
- {name: LOG_LOCATION, value: /scratch/logs}
- {name: METRICS_LOCATION, value: /scratch/logs}
- {name: TS_INFERENCE_ADDRESS, value: "http://0.0.0.0:{{ int $v.service.port }}"}
# No policy lets callers in at these: they register models, and show metrics.
- {name: TS_MANAGEMENT_ADDRESS, value: "http://127.0.0.1:8081"}
- {name: TS_METRICS_ADDRESS, value: "http://127.0.0.1:8082"}
{{- $usual := dict "TS_DEFAULT_WORKERS_PER_MODEL" (int $v.machine.neuronCores | toString) "NEURON_RT_NUM_CORES" "1" }}
# A worker for each NeuronCore: a core belongs to one process.
{{- range $name, $value := $usual }}
{{- if not (hasKey $v.env $name) }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end }}
{{- end }}
{{- with $v.awsRegion }}
- {name: AWS_REGION, value: {{ . }}}
{{- end }}
{{- range $name, $value := $v.env }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{/* What vLLM alone has. Every message names the keys. */}}
{{- define "neuron-serving.checkServer" -}}
{{- $v := .Values -}}
{{- if eq $v.engine "torchserve" -}}
{{- if $v.apiKeySecret.name -}}
{{- fail (printf "apiKeySecret.name is %s and engine is torchserve, which takes no such key: leave it empty, and restrict networkPolicy" $v.apiKeySecret.name) -}}
{{- end -}}
{{- if $v.podMonitor.enabled -}}
{{- fail "podMonitor.enabled is true and engine is torchserve, which has its metrics elsewhere: use false" -}}
{{- end -}}
{{- if and $v.autoscaling.enabled (not $v.autoscaling.query) -}}
{{- fail "autoscaling.enabled is true and engine is torchserve, which has no metrics of vLLM: give autoscaling.query" -}}
{{- end -}}
{{- if or $v.compileCache.url $v.compileCache.claim -}}
{{- fail "compileCache is set and engine is torchserve, whose models are compiled before: leave url and claim empty" -}}
{{- end -}}
{{- else if or $v.server.command $v.server.healthPath -}}
{{- fail (printf "server.command or server.healthPath is set and engine is %s, which has its own: use engine torchserve" $v.engine) -}}
{{- end -}}
{{- end -}}
