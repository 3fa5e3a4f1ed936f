"""One module for each bundled chart: the values that depend on the environment."""

from neuron_cluster.schedulers.kubernetes.workloads.recipes.batch_inference import BATCH_INFERENCE
from neuron_cluster.schedulers.kubernetes.workloads.recipes.collectives_check import COLLECTIVES_CHECK
from neuron_cluster.schedulers.kubernetes.workloads.recipes.compile_cache_warmer import COMPILE_CACHE_WARMER
from neuron_cluster.schedulers.kubernetes.workloads.recipes.model_store import MODEL_STORE
from neuron_cluster.schedulers.kubernetes.workloads.recipes.neuron_explorer import NEURON_EXPLORER
from neuron_cluster.schedulers.kubernetes.workloads.recipes.neuron_serving import NEURON_SERVING
from neuron_cluster.schedulers.kubernetes.workloads.recipes.neuron_training import NEURON_TRAINING
from neuron_cluster.schedulers.kubernetes.workloads.recipes.serving_check import SERVING_CHECK

RECIPES = {
    recipe.chart: recipe
    for recipe in (
        BATCH_INFERENCE,
        COLLECTIVES_CHECK,
        COMPILE_CACHE_WARMER,
        MODEL_STORE,
        NEURON_EXPLORER,
        NEURON_SERVING,
        NEURON_TRAINING,
        SERVING_CHECK,
    )
}
"""Recipes by the chart's name, which is also that of its folder in ``charts/``."""
