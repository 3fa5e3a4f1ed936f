{{/* A container that ends when the weights are complete: model-store writes manifest.json last. */}}

{{- define "neuron-serving.weightsAreComplete" -}}
{{- $v := .Values -}}
{{- with int $v.weights.waitMinutes }}
- name: weights-are-complete
  image: {{ include "neuron-serving.image" $ }}
  imagePullPolicy: {{ $v.image.pullPolicy }}
  command: [sh, -c]
  args:
    - |
      left=$(($0 * 4)) manifest=$1
      shift
      until said=$("$@" 2>&1); do
        if [ $left -le 0 ]; then
          echo "$said"
          echo "$manifest does not exist: has model-store finished, and is weights.path or weights.url its output?"
          exit 1
        fi
        [ $((left % 4)) -ne 0 ] || echo "waiting for $manifest"
        left=$((left - 1))
        sleep 15
      done
    - {{ . | quote }}
    {{- if eq $v.weights.source "s3" }}
    {{- $manifest := printf "%s/manifest.json" (trimSuffix "/" $v.weights.url) }}
    - {{ $manifest | quote }}
    {{- range list "aws" "s3" "ls" $manifest }}
    - {{ . | quote }}
    {{- end }}
    {{- else }}
    {{- $manifest := printf "%s/manifest.json" (include "neuron-serving.modelPath" $) }}
    - {{ $manifest | quote }}
    {{- range list "test" "-f" $manifest }}
    - {{ . | quote }}
    {{- end }}
    {{- end }}
  env:
    - {name: HOME, value: /tmp}
    {{- with $v.awsRegion }}
    - {name: AWS_REGION, value: {{ . }}}
    {{- end }}
  resources:
    requests: {cpu: 100m, memory: 256Mi}
    limits: {memory: 256Mi}
  securityContext:
    {{- include "neuron-serving.ownProgramSecurity" $ | nindent 4 }}
  volumeMounts:
    - {name: weights, mountPath: /models, readOnly: true}
    - {name: scratch, mountPath: /tmp, subPath: tmp}
{{- end }}
{{- end -}}
