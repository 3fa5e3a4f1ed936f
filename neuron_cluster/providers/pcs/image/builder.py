"""The AMI of Slurm nodes for `neuron-cluster image build`: its recipe, and its entry in the lock."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.slurm_software import AGENT
from neuron_cluster.image.clients import client_titles
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.operations import ImageBuilder, ImageRecipe
from neuron_cluster.providers.pcs.config.section import SLURM_SECTION
from neuron_cluster.providers.pcs.image.recipe import slurm_recipe
from neuron_cluster.providers.pcs.image.stack_key import IMAGE_STACK
from neuron_cluster.providers.pcs.lock_part import PART, LockedSlurmImage, with_built_image
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan


class SlurmImageBuilder(ImageBuilder):
    stack_key = IMAGE_STACK
    section_key = SLURM_SECTION.key
    lock_part = PART.key

    def recipe(self, plan: ClusterPlan, catalog: Catalog) -> ImageRecipe | None:
        slurm = plan.provider(SlurmPlan)
        if slurm is None:
            return None
        image = _image(slurm)
        titles = [f"{catalog.slurm_software[name].title} ({version})" for name, version in image.software.items()]
        return ImageRecipe(
            name=image.name,
            version=slurm_recipe(image, catalog).version,
            parent=image.parent,
            parent_kind=image.dlami,
            instance_type=image.instance_type,
            contents=[*titles, *client_titles(image), "scripts that Slurm runs"],
            missing=image.missing,
            own_image=image.own_image,
        )

    def locked(self, lock: Lock | None, plan: ClusterPlan, image_id: str, catalog: Catalog) -> Lock:
        slurm = plan.provider(SlurmPlan)
        if slurm is None:
            raise LookupError(f"{plan.name} has no Slurm cluster")
        image = _image(slurm)
        built = LockedSlurmImage(
            image_id=image_id,
            parent=image.parent or "",
            dlami=image.dlami,
            slurm_version=image.slurm_version,
            agent_version=image.software[AGENT],
            recipe_version=slurm_recipe(image, catalog).version,
        )
        lock = lock or Lock(plan.name, plan.account, plan.region, None)
        size = lock.root_volume_gib(built.parent)  # the recipe sets none
        amis = {**lock.amis, image_id: size} if size is not None else lock.amis
        return replace(with_built_image(lock, built), amis=amis)


def _image(slurm: SlurmPlan) -> SlurmImagePlan:
    if slurm.image is None:
        raise LookupError(f"the catalog has no installer of Slurm {slurm.version} (`slurm.version`)")
    return slurm.image
