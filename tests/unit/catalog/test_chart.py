"""Charts: a closed list of values, pinned images, what each gives and needs, and where the chart itself lies."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.source_data import CatalogError, read_rows
from neuron_cluster.catalog.version import version_key
from tests.every_case import every_case

CATALOG = load_catalog()

EVERY_CHART = every_case("row", CATALOG.charts.rows, ids=lambda row: row.name)


def known(name: str) -> Chart:
    found = CATALOG.charts.get(name)
    assert found is not None
    return found


@EVERY_CHART
def test_nothing_floats(row: Chart) -> None:
    assert row.version
    assert all(image.tag and image.tag != "latest" for image in row.images)


@EVERY_CHART
def test_an_image_from_the_registry_of_eks_is_a_path_inside_it(row: Chart) -> None:
    assert all(("." in image.repository.split("/")[0]) is (image.registry == "public") for image in row.images)


@EVERY_CHART
def test_a_file_holds_the_one_chart_whose_name_it_bears(row: Chart) -> None:
    assert list(read_rows(CATALOG.charts.place / f"{row.name}.yaml", Chart)) == [row.name]


def test_a_chart_is_found_by_its_whole_name_alone() -> None:
    assert CATALOG.charts.get("kueu") is None
    assert CATALOG.charts.get("../regions") is None


def test_values_are_asked_by_dotted_path() -> None:
    neuron = known("neuron-helm-chart")
    assert neuron.value_kind("devicePlugin.enabled") == "boolean"
    assert neuron.value_kind("devicePlugin.enabledd") is None
    assert neuron.similar_values("devicePlugin.enabledd")[0] == "devicePlugin.enabled"


@EVERY_CHART
def test_a_key_is_either_a_value_or_holds_others(row: Chart) -> None:
    groups = {path[:end] for path in row.values for end in range(len(path)) if path[end] == "."}
    assert not groups & set(row.values)


def test_the_kinds_of_values_are_few() -> None:
    kinds = {kind for row in CATALOG.charts for kind in row.values.values()}
    assert kinds == {"boolean", "integer", "string", "list", "mapping"}


@EVERY_CHART
def test_what_a_chart_needs_is_a_chart_that_is_known_and_not_itself(row: Chart) -> None:
    assert all(need.chart in CATALOG.charts and need.chart != row.name for need in row.needs)


def test_what_charts_need_is_no_circle() -> None:
    """Only needs that are there whatever the values say: the others are the choice of who sets the switch."""
    always = {row.name: {need.chart for need in row.needs if need.when is None} for row in CATALOG.charts}
    while always:
        ready = {name for name, needs in always.items() if not needs & set(always)}
        assert ready, always
        always = {name: needs for name, needs in always.items() if name not in ready}


def test_no_two_charts_provide_the_same_kind_unless_a_switch_tells_them_apart() -> None:
    provided = [(str(kind), row.name) for row in CATALOG.charts for kind in row.provides if kind.when is None]
    assert len({kind for kind, _ in provided}) == len(provided)


def test_kinds_of_jobs_and_queues_have_a_chart() -> None:
    provided = {str(kind): row.name for row in CATALOG.charts for kind in row.provides}
    assert provided["kueue.x-k8s.io/v1beta2 ClusterQueue"] == "kueue"
    assert provided["leaderworkerset.x-k8s.io/v1 LeaderWorkerSet"] == "lws"
    assert provided["trainer.kubeflow.org/v1alpha1 TrainJob"] == "kubeflow-trainer"
    assert provided["keda.sh/v1alpha1 ScaledObject"] == "keda"


@EVERY_CHART
def test_who_has_webhooks_has_pods_that_answer_them(row: Chart) -> None:
    assert not row.has_webhooks or row.service_accounts


def test_versions_that_the_authors_of_a_chart_test_have_two_ends() -> None:
    tested = known("keda").kubernetes_tested
    assert tested is not None
    assert [tested.has(version) for version in ("1.32", "1.33", "1.35", "1.36")] == [False, True, True, False]


def test_a_chart_that_contradicts_itself_is_refused(tmp_path) -> None:
    text = (CATALOG.charts.place / "jobset.yaml").read_text()
    for old, new, reason in (
        ("certManager.enable: boolean", "certManager.enable: string", "certManager.enable is not a boolean"),
        ("image.tag: string", "image.tag: integer", "image.tag is not in values"),
        ("location: oci", "location: repository", "does not fit location"),
    ):
        assert old in text
        (tmp_path / "jobset.yaml").write_text(text.replace(old, new))
        with pytest.raises(CatalogError, match=reason):
            read_rows(tmp_path / "jobset.yaml", Chart)


def test_a_chart_of_a_commit_has_a_version_of_its_own_and_one_place_in_each_account(tmp_path) -> None:
    row = known("hyperpod-helm-chart")
    assert row.git is not None
    assert row.address_in("registry.example") == "oci://registry.example/hyperpod-helm-chart"
    assert known("jobset").address_in("registry.example") == known("jobset").repository
    text = (CATALOG.charts.place / "hyperpod-helm-chart.yaml").read_text()
    for old, new, reason in (
        (f"commit: {row.git.commit}", f"commit: {'b' * 40}", r"version: is not 0.1.0\+bbbbbbbbbbbb"),
        (f"commit: {row.git.commit}", "commit: 011ca927123e", "is not a whole commit"),
        ("location: git", "location: repository", "git: does not fit location"),
        ("ecr_repository: hyperpod-helm-chart", "ecr_repository: charts", "does not end with the name of the chart"),
        ("registry: accounts", "registry: public", "do not fit its registry"),
    ):
        assert old in text
        (tmp_path / "hyperpod-helm-chart.yaml").write_text(text.replace(old, new))
        with pytest.raises(CatalogError, match=reason):
            read_rows(tmp_path / "hyperpod-helm-chart.yaml", Chart)


def test_an_image_in_one_text_keeps_a_tag_that_is_given() -> None:
    (image,) = known("hyperpod-helm-chart").images
    assert image.values_for("mirror.example/x") == {image.value_path: f"mirror.example/x:{image.tag}"}
    assert image.values_for("mirror.example/x", "2") == {image.value_path: "mirror.example/x:2"}


def test_a_mirror_is_set_where_the_chart_reads_registry_and_repository() -> None:
    whole, apart = known("jobset").images[0], known("keda").images[0]
    mirror = "123456789012.dkr.ecr.us-west-2.amazonaws.com/mirror/x"
    assert whole.values_for(mirror) == {"image.repository": mirror}
    assert apart.values_for(mirror) == {
        "image.keda.registry": "123456789012.dkr.ecr.us-west-2.amazonaws.com",
        "image.keda.repository": "mirror/x",
    }


def test_the_neuron_chart_uses_a_namespace_that_it_does_not_make() -> None:
    assert known("neuron-helm-chart").further_namespaces == ("neuron-healthcheck-system",)


def test_the_neuron_chart_pulls_the_recovery_with_the_detector() -> None:
    switches = {image.value_path: image.switches for image in known("neuron-helm-chart").images}
    assert switches["npd.nodeRecovery.image"] == switches["npd.nodeProblemDetector.image"] == {"npd.enabled": True}


def test_the_efa_chart_tolerates_no_neuron_taint_by_itself() -> None:
    assert known("aws-efa-k8s-device-plugin").default_tolerations == {"tolerations": ()}


def test_the_device_plugin_tolerates_the_neuron_taint() -> None:
    tolerations = known("neuron-helm-chart").default_tolerations["devicePlugin.tolerations"]
    assert "aws.amazon.com/neuron" in {toleration.key for toleration in tolerations}


def test_kueue_has_the_corrections_of_jobs_that_exceed_a_quota() -> None:
    """A LeaderWorkerSet that grows after admission and adopted groups of pods (kueue CHANGELOG-0.19.md)."""
    assert version_key(known("kueue").version) >= (0, 19, 2)
