{{/* One trigger of KEDA. Call: dict "scaling" .Values.autoscaling "query" … "threshold" …. */}}

{{- define "neuron-serving.trigger" -}}
type: prometheus
metricType: AverageValue
metadata:
  serverAddress: {{ .scaling.prometheusAddress | quote }}
  query: {{ .query | toJson }}
  threshold: {{ .threshold | quote }}
  # Pods that are not scraped are no empty queue: the fallback holds then.
  ignoreNullValues: "false"
{{- end -}}
