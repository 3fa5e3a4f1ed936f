{{/* Chips by a resource claim: with machine.deviceManagement dra, in the place of aws.amazon.com/neuron. */}}

{{/* Whether there is a claim: text, or nothing. */}}
{{- define "neuron-training.hasClaim" -}}
{{- if eq .Values.machine.deviceManagement "dra" -}}
true
{{- end -}}
{{- end -}}

{{/* A template cannot be changed, so its name says all that is in it. */}}
{{- define "neuron-training.claimTemplate" -}}
{{- $m := .Values.machine -}}
{{- $what := printf "%d-neurons" (int $m.neuronDevices) -}}
{{- if $m.ultraServerMode -}}
{{- $what = printf "node-in-%d" (int $m.ultraServerMode) -}}
{{- end -}}
{{- $lnc := printf "-lnc-%d" (int $m.logicalNcConfig) -}}
{{- printf "%s-%s%s" (include "neuron-training.fullname" .) $what (ternary $lnc "" (ne 0 (int $m.logicalNcConfig))) -}}
{{- end -}}

{{/* Of the pod: its claim. */}}
{{- define "neuron-training.podClaims" -}}
{{- if include "neuron-training.hasClaim" . -}}
resourceClaims:
  - name: neurons
    resourceClaimTemplateName: {{ include "neuron-training.claimTemplate" . }}
{{- end -}}
{{- end -}}

{{/* Of the container: that it gets what the pod claims. */}}
{{- define "neuron-training.containerClaims" -}}
{{- if include "neuron-training.hasClaim" . -}}
claims:
  - name: neurons
{{- end -}}
{{- end -}}

{{- define "neuron-training.checkDevices" -}}
{{- $m := .Values.machine -}}
{{- if eq $m.deviceManagement "dra" -}}
{{- if semverCompare "<1.34.0-0" .Capabilities.KubeVersion.Version -}}
{{- fail (printf "machine.deviceManagement is dra and this is Kubernetes %s: the Neuron DRA driver wants 1.34 or newer; choose devicePlugin" .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if not (hasPrefix "trn" (trimPrefix "ml." $m.instanceType)) -}}
{{- fail (printf "machine.deviceManagement is dra and machine.instanceType is %s: the Neuron DRA driver leaves out Inferentia; choose devicePlugin" $m.instanceType) -}}
{{- end -}}
{{- else if $m.ultraServerMode -}}
{{- fail (printf "machine.ultraServerMode is %d and machine.deviceManagement is devicePlugin: only a claim (dra) takes a node of an UltraServer whole" (int $m.ultraServerMode)) -}}
{{- end -}}
{{- if and (eq $m.deviceManagement "dra") (or .Values.ultraServer.size (gt (int $m.ultraServerMode) 1)) (ne (int $m.ultraServerMode) (int .Values.ultraServer.size)) -}}
{{- fail (printf "machine.ultraServerMode is %d and ultraServer.size is %d: the claim says of how many nodes the UltraServer is" (int $m.ultraServerMode) (int .Values.ultraServer.size)) -}}
{{- end -}}
{{- end -}}
