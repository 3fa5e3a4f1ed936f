{{/* The program of the ranks and its arguments, as JSON: the user's, or the example of the front end. */}}
{{- define "neuron-training.program" -}}
{{- $v := .Values -}}
{{- $examples := dict
  "jax" (list "/opt/neuron-training/example_jax.py")
  "nxd" (list "/opt/neuron-training/example_nxd.py")
  "torchtitan" (include "neuron-training.torchtitan" . | fromJsonArray)
-}}
{{- concat ($v.trainer.program | default (get $examples $v.frontEnd)) $v.trainer.args | toJson -}}
{{- end -}}

{{/* The configuration of the Neuron tutorial: 64 cores, those of a trn2.48xlarge. The README has the source. */}}
{{- define "neuron-training.torchtitan" -}}
{{- list
  "-m"
  "torchtitan.train"
  "--module=torchtitan_neuron.models.qwen3"
  "--config=qwen3_8b_tp4_fsdp16_sac"
  (printf "--dump_folder=%s" (ternary "$(CHECKPOINT_DIRECTORY)" "/tmp/torchtitan" (ne "" .Values.checkpoints.claim)))
  "--checkpoint.interval=100"
| toJson -}}
{{- end -}}
