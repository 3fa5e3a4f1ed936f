{{/* One copy of the weights for all pods of a node: files/node_cache.py. */}}

{{/* Whether there is one: text, or nothing. */}}
{{- define "neuron-serving.hasNodeCache" -}}
{{- $cache := .Values.weights.nodeCache -}}
{{- if or $cache.claim $cache.hostPath -}}
true
{{- end -}}
{{- end -}}

{{/* Another address is another copy. */}}
{{- define "neuron-serving.nodeCacheName" -}}
{{ sha256sum (trimSuffix "/" .Values.weights.url) | trunc 16 }}
{{- end -}}

{{- define "neuron-serving.nodeCacheVolume" -}}
{{- $cache := .Values.weights.nodeCache -}}
{{- if $cache.claim }}
persistentVolumeClaim: {claimName: {{ $cache.claim }}}
{{- else }}
hostPath: {path: {{ $cache.hostPath }}, type: DirectoryOrCreate}
{{- end }}
{{- end -}}

{{- define "neuron-serving.nodeCacheContainers" -}}
{{- $v := .Values -}}
{{- if $v.weights.nodeCache.hostPath }}
# The kubelet makes the folder as root. Only an empty one is given away: nothing of the node changes hands.
- name: make-node-cache
  image: {{ include "neuron-serving.image" . }}
  imagePullPolicy: {{ $v.image.pullPolicy }}
  command: [sh, -c]
  args:
    - if [ -z "$(ls -A /weights)" ]; then chown "$0" /weights; fi
    - "{{ int $v.podSecurity.runAsUser }}:{{ int $v.podSecurity.fsGroup }}"
  resources:
    requests: {cpu: 10m, memory: 64Mi}
    limits: {memory: 64Mi}
  securityContext:
    runAsNonRoot: false
    runAsUser: 0
    runAsGroup: 0
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities: {drop: [ALL], add: [CHOWN]}
  volumeMounts:
    - {name: weights, mountPath: /weights}
{{- end }}
- name: copy-weights
  image: {{ include "neuron-serving.image" . }}
  imagePullPolicy: {{ $v.image.pullPolicy }}
  command: [python3, /opt/serving/node_cache.py]
  args:
    - --folder=/weights
    - --name={{ include "neuron-serving.nodeCacheName" . }}
    - {{ printf "--url=%s" (trimSuffix "/" $v.weights.url) | quote }}
    - --gib={{ int $v.weights.sizeGib }}
  {{- include "neuron-serving.copyRun" . | nindent 2 }}
  volumeMounts:
    - {name: program, mountPath: /opt/serving, readOnly: true}
    - {name: weights, mountPath: /weights}
    - {name: scratch, mountPath: /tmp, subPath: tmp}
    - {name: aws-configuration, mountPath: /etc/aws, readOnly: true}
{{- end -}}

{{- define "neuron-serving.checkNodeCache" -}}
{{- $w := .Values.weights -}}
{{- if include "neuron-serving.hasNodeCache" . -}}
{{- if ne $w.source "s3" -}}
{{- fail (printf "weights.nodeCache is set and weights.source is %s: only copies from s3 are kept on the node" $w.source) -}}
{{- end -}}
{{- if and $w.nodeCache.claim $w.nodeCache.hostPath -}}
{{- fail "weights.nodeCache.claim and weights.nodeCache.hostPath are both set: give one" -}}
{{- end -}}
{{- end -}}
{{- end -}}
