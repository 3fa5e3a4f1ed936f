{{/* The pod, for a Deployment and for both roles of a LeaderWorkerSet. Call: dict "root" $ "role" "server"|"worker". */}}

{{- define "neuron-serving.podSpec" -}}
{{- $v := .root.Values -}}
{{- $server := eq .role "server" -}}
{{- $isVllm := ne $v.engine "torchserve" -}}
serviceAccountName: {{ include "neuron-serving.serviceAccount" .root }}
automountServiceAccountToken: false
# Variables such as VLLM_PORT, made from a Service's name, are read by vLLM as its own settings.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ add (int $v.drain.preStopSeconds) (int $v.drain.requestSeconds) 30 }}
securityContext:
  {{- include "neuron-serving.podSecurity" .root | nindent 2 }}
{{- include "neuron-serving.placement" .root }}
{{- $first := printf "%s%s" (include "neuron-serving.weightsAreComplete" .root) (include "neuron-serving.copies" .root) }}
{{- if $first }}
initContainers:
  {{- $first | nindent 2 }}
{{- end }}
containers:
  - name: {{ $isVllm | ternary "vllm" "server" }}
    image: {{ include "neuron-serving.image" .root }}
    imagePullPolicy: {{ $v.image.pullPolicy }}
    # Not the image's entry point: it runs the server as a child and passes no signal on.
    {{- if $isVllm }}
    command: [vllm]
    args:
      {{- include "neuron-serving.args" . | nindent 6 }}
    env:
      {{- include "neuron-serving.env" .root | nindent 6 }}
    {{- else }}
    command:
      {{- include "neuron-serving.serverCommand" .root | nindent 6 }}
    env:
      {{- include "neuron-serving.serverEnv" .root | nindent 6 }}
    {{- end }}
    workingDir: /scratch
    {{- if $server }}
    ports:
      - name: http
        containerPort: {{ int $v.service.port }}
        protocol: TCP
    {{- include "neuron-serving.probes" .root | nindent 4 }}
    lifecycle:
      preStop:
        sleep:
          seconds: {{ include "neuron-serving.preStopSeconds" .root }}
    {{- end }}
    resources:
      {{- include "neuron-serving.resources" .root | nindent 6 }}
    securityContext:
      {{- include "neuron-serving.containerSecurity" .root | nindent 6 }}
    volumeMounts:
      {{- include "neuron-serving.mounts" .root | nindent 6 }}
  {{- if and $server (include "neuron-serving.sharesCache" .root) }}
  {{- include "neuron-serving.cacheContainer" .root | nindent 2 }}
  {{- end }}
{{- with include "neuron-serving.podClaims" .root }}
{{ . }}
{{- end }}
volumes:
  {{- include "neuron-serving.volumes" .root | nindent 2 }}
{{- end -}}

{{- define "neuron-serving.placement" -}}
{{- $m := .Values.machine }}
nodeSelector:
  node.kubernetes.io/instance-type: {{ $m.instanceType }}
  {{- with $m.nodeGroup }}
  neuron-cluster/node-group: {{ . }}
  {{- end }}
{{- with .Values.schedulerName }}
schedulerName: {{ . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "neuron-serving.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ int .Values.podSecurity.runAsUser }}
runAsGroup: {{ int .Values.podSecurity.runAsUser }}
fsGroup: {{ int .Values.podSecurity.fsGroup }}
# A shared volume holds many files: change their group once, not at every start.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* For vLLM: its image writes beside its own files, caches of the compiler among them. */}}
{{- define "neuron-serving.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/* For programs that write to mounted folders alone: copies from S3 and the Helm test. */}}
{{- define "neuron-serving.ownProgramSecurity" -}}
{{ include "neuron-serving.containerSecurity" . }}
readOnlyRootFilesystem: true
{{- end -}}

{{- define "neuron-serving.resources" -}}
{{- $m := .Values.machine -}}
requests:
  cpu: {{ $m.cpu | quote }}
  memory: {{ include "neuron-serving.memory" . }}
  ephemeral-storage: {{ include "neuron-serving.diskGib" . }}Gi
  {{- include "neuron-serving.devices" . | nindent 2 }}
limits:
  memory: {{ include "neuron-serving.memory" . }}
  ephemeral-storage: {{ include "neuron-serving.diskGib" . }}Gi
  {{- include "neuron-serving.devices" . | nindent 2 }}
{{- with include "neuron-serving.containerClaims" . }}
{{ . }}
{{- end }}
{{- end -}}

{{/* machine.memoryGib is the pod's: the container beside the server takes its part of it. */}}
{{- define "neuron-serving.memory" -}}
{{- if include "neuron-serving.sharesCache" . -}}
{{ sub (mul 1024 (int .Values.machine.memoryGib)) 128 }}Mi
{{- else -}}
{{ int .Values.machine.memoryGib }}Gi
{{- end -}}
{{- end -}}

{{- define "neuron-serving.devices" -}}
{{- $m := .Values.machine -}}
{{- if eq $m.deviceManagement "devicePlugin" }}
aws.amazon.com/neuron: {{ int $m.neuronDevices }}
{{- end }}
{{- if $m.efaInterfaces }}
vpc.amazonaws.com/efa: {{ int $m.efaInterfaces }}
{{- end }}
{{- if $m.hugepages2MiGib }}
hugepages-2Mi: {{ int $m.hugepages2MiGib }}Gi
{{- end }}
{{- end -}}

{{/* Disk of the node: scratch, the copied weights, and one for logs. */}}
{{- define "neuron-serving.diskGib" -}}
{{- $weights := ternary (int .Values.weights.sizeGib) 0 (and (eq .Values.weights.source "s3") (not (include "neuron-serving.hasNodeCache" .))) -}}
{{- add 1 (int .Values.machine.scratchGib) $weights -}}
{{- end -}}

{{/* vLLM 0.16 and TorchServe end running requests at the signal: they finish before it (vllm-project/vllm#34730, in 0.18). */}}
{{- define "neuron-serving.preStopSeconds" -}}
{{- $d := .Values.drain -}}
{{- add (int $d.preStopSeconds) (ternary 0 (int $d.requestSeconds) (eq .Values.engine "vllm")) -}}
{{- end -}}

{{- define "neuron-serving.probes" -}}
{{- $p := .Values.probes -}}
{{- $period := int $p.periodSeconds -}}
{{- $seconds := int (include "neuron-serving.startupSeconds" .) -}}
startupProbe:
  httpGet: {path: {{ include "neuron-serving.healthPath" . }}, port: http}
  periodSeconds: {{ $period }}
  timeoutSeconds: {{ int $p.timeoutSeconds }}
  # {{ $seconds }} s of compiling and loading and a tenth more, in steps of {{ $period }} s: vLLM gives up first, with its reason.
  failureThreshold: {{ div (add (div (mul $seconds 11) 10) (sub $period 1)) $period }}
readinessProbe:
  httpGet: {path: {{ include "neuron-serving.healthPath" . }}, port: http}
  periodSeconds: {{ $period }}
  timeoutSeconds: {{ int $p.timeoutSeconds }}
  failureThreshold: {{ int $p.readinessFailures }}
livenessProbe:
  httpGet: {path: {{ include "neuron-serving.healthPath" . }}, port: http}
  periodSeconds: {{ $period }}
  timeoutSeconds: {{ int $p.timeoutSeconds }}
  failureThreshold: {{ int $p.livenessFailures }}
{{- end -}}
