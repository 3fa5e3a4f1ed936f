{{/* What the schema cannot say: one value against another. */}}
{{- define "serving-check.checks" -}}
{{- $v := .Values -}}
{{- if gt (int $v.load.concurrency) (int $v.load.requests) -}}
{{- fail (printf "load.concurrency %d is above load.requests %d: so many requests are never under way at once" (int $v.load.concurrency) (int $v.load.requests)) -}}
{{- end -}}
{{- if ge (int $v.timeouts.startSeconds) (int $v.timeouts.jobSeconds) -}}
{{- fail (printf "timeouts.startSeconds %d is not below timeouts.jobSeconds %d: the Job would end before it measures" (int $v.timeouts.startSeconds) (int $v.timeouts.jobSeconds)) -}}
{{- end -}}
{{- if gt (int (include "serving-check.port" .)) 65535 -}}
{{- fail (printf "server.url %s has port %s; allowed: 1 to 65535" $v.server.url (include "serving-check.port" .)) -}}
{{- end -}}
{{- end -}}
