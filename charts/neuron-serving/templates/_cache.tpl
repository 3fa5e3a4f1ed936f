{{/* The container beside the server that shares what it compiled: files/share_cache.py. */}}

{{/* Whether there is one: text, or nothing. */}}
{{- define "neuron-serving.sharesCache" -}}
{{- $cache := .Values.compileCache -}}
{{- if and $cache.claim $cache.share (eq .Values.engine "vllm") -}}
true
{{- end -}}
{{- end -}}

{{- define "neuron-serving.cacheContainer" -}}
- name: share-cache
  image: {{ include "neuron-serving.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [python3, /opt/serving/share_cache.py]
  args:
    - --local=/scratch/vllm/neuron/compile_cache
    - --shared={{ .Values.compileCache.mountPath }}/{{ include "neuron-serving.cacheFolder" . }}
    - --port={{ int .Values.service.port }}
    - --every-hours=6
  # It ends with the server: a pod with an ended container is not Ready, and gets no request while it still serves.
  lifecycle:
    preStop:
      sleep:
        seconds: {{ include "neuron-serving.preStopSeconds" . }}
  resources:
    requests: {cpu: 10m, memory: 128Mi}
    limits: {memory: 128Mi}
  securityContext:
    {{- include "neuron-serving.ownProgramSecurity" . | nindent 4 }}
  volumeMounts:
    - {name: program, mountPath: /opt/serving, readOnly: true}
    - {name: scratch, mountPath: /scratch, readOnly: true}
    - {name: compile-cache, mountPath: {{ .Values.compileCache.mountPath }}}
{{- end -}}
