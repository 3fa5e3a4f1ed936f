{{/* The container that copies the environment's compiled graphs before the ranks start; nothing without a ConfigMap. */}}
{{- define "neuron-training.cacheCopy" -}}
{{- $cache := .Values.compileCache -}}
{{- if $cache.configMap -}}
initContainers:
  - name: copy-compile-cache
    image: {{ include "neuron-training.image" . }}
    command: [sh, -c]
    # Without the graphs the job compiles: it does not fail for them.
    args:
      - aws s3 sync --only-show-errors --exclude "*.lock" "$0" "$1" || echo "no graphs were copied from $0" >&2
      - {{ printf "$(COMPILE_CACHE_URL)/%s" $cache.subfolder | quote }}
      - {{ include "neuron-training.cachePlace" . }}
    env:
      - {name: HOME, value: /tmp}
      - name: COMPILE_CACHE_URL
        valueFrom: {configMapKeyRef: {name: {{ $cache.configMap }}, key: url}}
      - name: AWS_REGION
        valueFrom: {configMapKeyRef: {name: {{ $cache.configMap }}, key: region}}
    # No more than the trainer, which decides what the pod requests.
    resources:
      requests: {cpu: {{ .Values.machine.cpu | quote }}, memory: {{ min 8 (int .Values.machine.memoryGib) }}Gi}
      limits: {memory: {{ min 8 (int .Values.machine.memoryGib) }}Gi}
    securityContext:
      {{- include "neuron-training.ownProgramSecurity" . | nindent 6 }}
    volumeMounts:
      - {name: temporary, mountPath: /tmp}
{{- end -}}
{{- end -}}
