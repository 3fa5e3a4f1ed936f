{{/* Chips by a resource claim: with machine.deviceManagement dra, in the place of aws.amazon.com/neuron. */}}

{{/* Whether there is a claim: text, or nothing. */}}
{{- define "compile-cache-warmer.hasClaim" -}}
{{- if and (eq .Values.machine.deviceManagement "dra") (gt (int .Values.machine.neuronDevices) 0) -}}
true
{{- end -}}
{{- end -}}

{{/* A template cannot be changed, so its name says all that is in it. */}}
{{- define "compile-cache-warmer.claimTemplate" -}}
{{- $m := .Values.machine -}}
{{- $what := printf "%d-neurons" (int $m.neuronDevices) -}}
{{- if $m.ultraServerMode -}}
{{- $what = printf "node-in-%d" (int $m.ultraServerMode) -}}
{{- end -}}
{{- $lnc := printf "-lnc-%d" (int $m.logicalNcConfig) -}}
{{- printf "%s-%s%s" (include "compile-cache-warmer.name" .) $what (ternary $lnc "" (ne 0 (int $m.logicalNcConfig))) -}}
{{- end -}}

{{/* Of the pod: its claim. */}}
{{- define "compile-cache-warmer.podClaims" -}}
{{- if include "compile-cache-warmer.hasClaim" . -}}
resourceClaims:
  - name: neurons
    resourceClaimTemplateName: {{ include "compile-cache-warmer.claimTemplate" . }}
{{- end -}}
{{- end -}}

{{/* Of the container: that it gets what the pod claims. */}}
{{- define "compile-cache-warmer.containerClaims" -}}
{{- if include "compile-cache-warmer.hasClaim" . -}}
claims:
  - name: neurons
{{- end -}}
{{- end -}}

{{- define "compile-cache-warmer.checkDevices" -}}
{{- $m := .Values.machine -}}
{{- if eq $m.deviceManagement "dra" -}}
{{- if semverCompare "<1.34.0-0" .Capabilities.KubeVersion.Version -}}
{{- fail (printf "machine.deviceManagement is dra and this is Kubernetes %s: the Neuron DRA driver wants 1.34 or newer; choose devicePlugin" .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if and (gt (int $m.neuronDevices) 0) (not (hasPrefix "trn" (trimPrefix "ml." $m.instanceType))) -}}
{{- fail (printf "machine.deviceManagement is dra and machine.instanceType is %s: the Neuron DRA driver leaves out Inferentia; choose devicePlugin" $m.instanceType) -}}
{{- end -}}
{{- else if $m.ultraServerMode -}}
{{- fail (printf "machine.ultraServerMode is %d and machine.deviceManagement is devicePlugin: only a claim (dra) takes a node of an UltraServer whole" (int $m.ultraServerMode)) -}}
{{- end -}}
{{- end -}}
