"""The program of charts/neuron-monitor that publishes a node's EFA counters."""

import sys
import threading
import urllib.request
from http.server import ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "charts" / "neuron-monitor" / "files"))

from efa_counters import Metrics, page, readings

from neuron_cluster.catalog.catalog import load_catalog


def device(root: Path, name: str, **counters: str) -> Path:
    folder = root / name / "ports" / "1" / "hw_counters"
    folder.mkdir(parents=True)
    for counter, text in counters.items():
        (folder / counter).write_text(f"{text}\n")
    return root


def test_counters_of_all_devices_stand_together_by_name(tmp_path: Path) -> None:
    """As the text format wants it: a type once, then its samples."""
    device(tmp_path, "rdmap16s27", rx_bytes="12", rx_drops="0")
    device(tmp_path, "rdmap32s27", rx_bytes="34", rx_drops="5")
    assert page(tmp_path).splitlines() == [
        "# TYPE efa_devices gauge",
        "efa_devices 2",
        "# TYPE efa_rx_bytes_total counter",
        'efa_rx_bytes_total{device="rdmap16s27",port="1"} 12',
        'efa_rx_bytes_total{device="rdmap32s27",port="1"} 34',
        "# TYPE efa_rx_drops_total counter",
        'efa_rx_drops_total{device="rdmap16s27",port="1"} 0',
        'efa_rx_drops_total{device="rdmap32s27",port="1"} 5',
    ]


def test_a_node_without_efa_says_so(tmp_path: Path) -> None:
    assert page(tmp_path / "nowhere") == "# TYPE efa_devices gauge\nefa_devices 0\n"


def test_what_cannot_be_read_as_a_number_is_left_out(tmp_path: Path) -> None:
    """A counter that the device lacks answers with an error or words; lifespan is a setting."""
    device(tmp_path, "rdmap16s27", lifespan="10", retrans_pkts="not supported", tx_bytes="7")
    assert [(counter, value) for counter, _, _, value in readings(tmp_path)] == [("tx_bytes", 7)]


def test_the_names_are_those_that_dashboard_and_catalog_use(tmp_path: Path) -> None:
    wanted = [metric.prometheus for metric in load_catalog().neuron_metrics if metric.is_of_efa and metric.prometheus]
    counters = {name.removeprefix("efa_").removesuffix("_total"): "1" for name in wanted}
    device(tmp_path, "rdmap16s27", **counters)
    assert [name for name in wanted if f"\n{name}{{" not in page(tmp_path)] == []


def test_it_answers_over_http() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Metrics)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/metrics", timeout=5) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            assert answer.read().startswith(b"# TYPE efa_devices gauge\nefa_devices ")
    finally:
        server.shutdown()
        server.server_close()
