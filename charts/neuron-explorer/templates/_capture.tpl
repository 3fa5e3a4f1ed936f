{{/* The pod of a capture. */}}

{{- define "neuron-explorer.capturePod" -}}
{{- $m := .Values.machine -}}
restartPolicy: Never
serviceAccountName: {{ include "neuron-explorer.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
activeDeadlineSeconds: {{ mul 60 (int .Values.capture.timeoutMinutes) }}
securityContext:
  {{- include "neuron-explorer.podSecurity" . | nindent 2 }}
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
containers:
  - name: capture
    image: {{ include "neuron-explorer.image" . }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    command: [python3, /opt/explorer/capture_profile.py]
    args:
      {{- include "neuron-explorer.captureArgs" . | nindent 6 }}
    env:
      {{- include "neuron-explorer.captureEnv" . | nindent 6 }}
    workingDir: /scratch
    resources:
      {{- include "neuron-explorer.captureResources" . | nindent 6 }}
    securityContext:
      {{- include "neuron-explorer.containerSecurity" . | nindent 6 }}
    volumeMounts:
      - {name: profiles, mountPath: /profiles}
      - {name: scratch, mountPath: /scratch}
      - {name: scratch, mountPath: /tmp, subPath: tmp}
      - {name: shared-memory, mountPath: /dev/shm}
      - {name: programs, mountPath: /opt/explorer, readOnly: true}
      {{- if .Values.capture.workloadClaim }}
      - {name: workload, mountPath: /workload}
      {{- end }}
{{- with include "neuron-explorer.podClaims" . }}
{{ . }}
{{- end }}
volumes:
  {{- include "neuron-explorer.profilesVolume" . | nindent 2 }}
  - name: scratch
    emptyDir: {sizeLimit: {{ int $m.scratchGib }}Gi}
  - name: shared-memory
    emptyDir: {medium: Memory, sizeLimit: {{ int $m.sharedMemoryGib }}Gi}
  - name: programs
    configMap: {name: {{ include "neuron-explorer.name" . }}}
  {{- with .Values.capture.workloadClaim }}
  - name: workload
    persistentVolumeClaim: {claimName: {{ . }}}
  {{- end }}
{{- end -}}

{{- define "neuron-explorer.captureArgs" -}}
{{- $c := .Values.capture -}}
{{- $output := printf "/profiles/%s" $c.name -}}
- --output={{ $output }}
{{- with .Values.profiles.url }}
- --destination={{ trimSuffix "/" . }}/{{ $c.name }}
{{- end }}
{{- if eq $c.mode "neff" }}
- --neff=/workload/{{ $c.neff }}
{{- end }}
- --
{{- if eq $c.mode "neff" }}
{{- range list "neuron-explorer" "capture" "-n" (printf "/workload/%s" $c.neff) "-s" (printf "%s/profile.ntff" $output) }}
- {{ . | quote }}
{{- end }}
{{- else if eq $c.mode "inspect" }}
{{- range list "neuron-explorer" "inspect" "-o" $output }}
- {{ . | quote }}
{{- end }}
{{- end }}
{{- range $c.command }}
- {{ . | toJson }}
{{- end }}
{{- end -}}

{{- define "neuron-explorer.captureEnv" -}}
{{- $c := .Values.capture -}}
- {name: HOME, value: /scratch}
{{- if eq $c.mode "workload" }}
- {name: NEURON_RT_INSPECT_ENABLE, value: "1"}
- {name: NEURON_RT_INSPECT_OUTPUT_DIR, value: /profiles/{{ $c.name }}}
- {name: NEURON_RT_INSPECT_SYSTEM_PROFILE, value: {{ ternary "1" "0" $c.systemProfile | quote }}}
- {name: NEURON_RT_INSPECT_DEVICE_PROFILE, value: {{ ternary "0" $c.deviceProfile (eq $c.deviceProfile "off") | quote }}}
{{- if $c.frameworkNames }}
- {name: XLA_IR_DEBUG, value: "1"}
- {name: XLA_HLO_DEBUG, value: "1"}
{{- end }}
{{- with $c.maxEventsPerCore }}
- {name: NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC, value: {{ int . | quote }}}
{{- end }}
{{- end }}
{{- with .Values.machine.logicalNcConfig }}
- {name: NEURON_LOGICAL_NC_CONFIG, value: {{ int . | quote }}}
{{- end }}
{{- if .Values.machine.efaInterfaces }}
- {name: FI_PROVIDER, value: efa}
- {name: FI_EFA_USE_DEVICE_RDMA, value: "1"}
{{- end }}
{{- include "neuron-explorer.awsEnv" . }}
{{- range $name, $value := .Values.env }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{- define "neuron-explorer.captureResources" -}}
{{- $m := .Values.machine -}}
{{- $disk := add 1 (int $m.scratchGib) (int (include "neuron-explorer.copyGib" .)) -}}
requests:
  cpu: {{ $m.cpu | quote }}
  memory: {{ int $m.memoryGib }}Gi
  ephemeral-storage: {{ $disk }}Gi
  {{- include "neuron-explorer.devices" . | nindent 2 }}
limits:
  memory: {{ int $m.memoryGib }}Gi
  ephemeral-storage: {{ $disk }}Gi
  {{- include "neuron-explorer.devices" . | nindent 2 }}
{{- with include "neuron-explorer.containerClaims" . }}
{{ . }}
{{- end }}
{{- end -}}

{{- define "neuron-explorer.devices" -}}
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
