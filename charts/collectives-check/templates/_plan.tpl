{{/* plan.json, read by files/check_plan.py. */}}
{{- define "collectives-check.plan" -}}
{{- $values := .Values -}}
{{- $hosts := list -}}
{{- range $index := until (int $values.nodes) -}}
{{- $hosts = append $hosts (printf "%s-%d.%s" (include "collectives-check.jobName" $) $index (include "collectives-check.fullname" $)) -}}
{{- end -}}
{{- dict
  "name" (include "collectives-check.resultName" .)
  "job" (include "collectives-check.jobName" .)
  "ultraserver_size" (int $values.ultraServer.size)
  "labels" (dict "release" .Release.Name "namespace" .Release.Namespace "instance_type" $values.machine.instanceType "nodes" (toString (int $values.nodes)))
  "hosts" $hosts
  "ranks" (mul (int $values.nodes) (int $values.machine.neuronCores))
  "operations" $values.operations
  "min_bytes" (int64 $values.sizes.minBytes)
  "max_bytes" (int64 $values.sizes.maxBytes)
  "step_factor" (int $values.sizes.stepFactor)
  "data_type" $values.dataType
  "iterations" (int $values.iterations)
  "warmup_iterations" (int $values.warmupIterations)
  "check_data" $values.checkData
  "attempts" (int $values.attempts)
  "ssh_port" (int $values.network.sshPort)
  "root_communication_port" (int $values.network.rootCommunicationPort)
  "start_timeout_seconds" (int $values.timeouts.startSeconds)
  "operation_timeout_seconds" (int $values.timeouts.operationSeconds)
  "pairs_seconds" (int $values.timeouts.pairsSeconds)
  "pushgateway_url" $values.metrics.pushgatewayUrl
  "floors" $values.floors
| toPrettyJson -}}
{{- end -}}
