"""The main job from end to end on the local AWS, with every result checked. Run by `make demo`."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hinted_command import mending_commands, run_hinted

from neuron_cluster.aws import cloudformation, eks
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_server import running_endpoint
from neuron_cluster.deploy.stack_names import stack_states
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.stack_table import stack_keys

PROJECT = Path(__file__).parents[1]
COMMAND = Path(sys.executable).parent / "neuron-cluster"
ENVIRONMENT = "train-trn1"
EDITED = PROJECT / ".local" / "demo" / f"{ENVIRONMENT}.yaml"
OBJECT, CONTENT = "checkpoints/step-1000.txt", b"weights of step 1000"
QUOTAS = {"L-1216C47A", "L-2C3B7624"}
"""Running On-Demand Standard and Trn instances: what the environment needs more of than a new account has."""
START_SECONDS = 30


class DemoError(Exception):
    """A result is not what the demo says it is."""


def main() -> int:
    began = time.monotonic()
    try:
        run("validate", ENVIRONMENT)
        run("plan", ENVIRONMENT)
        with local_aws() as endpoint:
            Demo(endpoint).run()
    except DemoError as error:
        say(f"The demo failed: {error}")
        return 1
    say(f"Everything above was checked. {time.monotonic() - began:.0f} seconds.")
    return 0


def say(text: str) -> None:
    print(f"\n# {text}", flush=True)


def run(*arguments: str, with_validation: bool = False) -> None:
    """Runs the command as a user would, and shows it."""
    # CDK's validation takes as long as the rest of a synthesis. The first deploy has it; later ones of the same file
    # copy its assembly, and the one of the edited file leaves it out.
    variables = os.environ if with_validation else {**os.environ, "CDK_VALIDATION": "false"}
    print(f"\n$ neuron-cluster {shlex.join(arguments)}", flush=True)
    status = subprocess.run([COMMAND, *arguments], cwd=PROJECT, env=variables, check=False).returncode
    if status != 0:
        raise DemoError(f"the command ended with exit status {status}")


@contextlib.contextmanager
def local_aws() -> Iterator[str]:
    """`neuron-cluster local` in the background, ended with the block: an account that was never used."""
    arguments = ["local", "--port", "0", "--fresh-account"]
    print(f"\n$ neuron-cluster {shlex.join(arguments)} &", flush=True)
    server = subprocess.Popen([COMMAND, *arguments], cwd=PROJECT, stdout=subprocess.DEVNULL)
    try:
        yield endpoint_of(server)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def endpoint_of(server: subprocess.Popen[bytes]) -> str:
    """Waits until the local AWS answers."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise DemoError("the local AWS did not start")
        endpoint = running_endpoint(PROJECT)
        if endpoint is not None:
            return endpoint
        time.sleep(0.2)
    raise DemoError(f"the local AWS did not answer within {START_SECONDS} seconds")


@dataclass
class Demo:
    """The steps that need the local AWS."""

    endpoint: str

    def __post_init__(self) -> None:
        self.plan = check_environment(PROJECT / "environments" / f"{ENVIRONMENT}.yaml").require_plan()
        self.target = LocalTarget(self.plan.region, self.plan.account, self.endpoint)
        self.names = [self.plan.stack_name(stack_key) for stack_key in self.plan.stacks]

    def run(self) -> None:
        self.set_up_account()
        self.deploy()
        bucket = self.write_object()
        self.deploy_without_change()
        self.deploy_an_edit()
        self.destroy()
        say("Deploying again: the data is still there.")
        run("deploy", "--local", ENVIRONMENT, "--yes", with_validation=True)
        self.find_object(bucket)
        self.destroy_with_data(bucket)

    def set_up_account(self) -> None:
        say("An account that was never used: the deploy is refused before its first resource, and says what to run.")
        print(f"\n$ neuron-cluster deploy --local {ENVIRONMENT}", flush=True)
        refused = subprocess.run(
            [COMMAND, "deploy", "--local", ENVIRONMENT],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        print(refused.stdout, flush=True)
        expect(refused.returncode == 1, f"the deploy ended with exit status {refused.returncode}")
        expect(self.present() == [], f"the refused deploy made {self.present()}")
        commands = mending_commands(refused.stdout)
        asked = {code for each in commands for code in QUOTAS if code in each}
        expect(asked == QUOTAS, f"the commands are {commands}")
        say("Running them. AWS grants quotas in minutes or days, the local AWS at once.")
        destination = local_destination(self.endpoint, self.plan.account, self.plan.region)
        for command in commands:
            print(f"$ {command}", flush=True)
            run_hinted(command, PROJECT, destination)

    def deploy(self) -> None:
        say("Now it is deployed.")
        run("deploy", "--local", ENVIRONMENT, "--yes", with_validation=True)
        states = dict(stack_states(self.target, self.names))
        expect(set(states.values()) == {"CREATE_COMPLETE"}, f"the stacks are {states}")

    def write_object(self) -> str:
        storage = cloudformation.resources(self.target, self.plan.stack_name("storage"))
        buckets = [resource.physical_id for resource in storage if resource.type == "AWS::S3::Bucket"]
        expect(len(buckets) == 1, f"the storage stack holds the buckets {buckets}")
        say(f"Writing s3://{buckets[0]}/{OBJECT} with boto3.")
        client(self.target, "s3").put_object(Bucket=buckets[0], Key=OBJECT, Body=CONTENT)
        return buckets[0]

    def deploy_without_change(self) -> None:
        say("Deploying again: nothing changes.")
        before = self.last_events()
        run("deploy", "--local", ENVIRONMENT, "--yes", with_validation=True)
        expect(self.last_events() == before, "a deploy of the same file touched a stack")

    def deploy_an_edit(self) -> None:
        original = (PROJECT / "environments" / f"{ENVIRONMENT}.yaml").read_text(encoding="utf-8")
        edited = original.replace("desired: 16", "desired: 8")
        expect(edited != original, "the environment has no `desired: 16` to edit")
        EDITED.parent.mkdir(parents=True, exist_ok=True)
        EDITED.write_text(edited, encoding="utf-8")
        say("An edit: count.desired of trn1 from 16 to 8, in a copy of the file.")
        before = self.last_events()
        run("deploy", "--local", str(EDITED.relative_to(PROJECT)), "--yes")
        touched = [name for name, event in self.last_events().items() if event != before[name]]
        expect(touched == [self.plan.stack_name("nodes")], f"the edit touched {touched}")
        desired = {group.name.rpartition("-")[0]: group.desired for group in eks.node_groups(self.target, ENVIRONMENT)}
        expect(desired == {"system": 2, "trn1": 8}, f"the node groups have the desired counts {desired}")
        say(f"Only {touched[0]} changed; trn1 has 8 machines now.")

    def destroy(self) -> None:
        say("Destroying: what holds data stays.")
        run("destroy", "--local", ENVIRONMENT, "--yes")
        left = self.present()
        expect(left == ["network", "storage"], f"the stacks that are left are {left}")

    def find_object(self, bucket: str) -> None:
        found = client(self.target, "s3").get_object(Bucket=bucket, Key=OBJECT)["Body"].read()
        expect(found == CONTENT, f"s3://{bucket}/{OBJECT} holds {found!r}")
        states = dict(stack_states(self.target, self.names))
        expect(all(state.endswith("_COMPLETE") for state in states.values()), f"the stacks are {states}")
        say(f"s3://{bucket}/{OBJECT} still holds: {found.decode()}")

    def destroy_with_data(self, bucket: str) -> None:
        say("Destroying with the data: nothing is left.")
        run("destroy", "--local", ENVIRONMENT, "--yes", "--delete-data", ENVIRONMENT)
        expect(self.present() == [], f"the stacks that are left are {self.present()}")
        buckets = [row["Name"] for row in client(self.target, "s3").list_buckets()["Buckets"]]
        expect(bucket not in buckets, f"the bucket {bucket} is still there")

    def last_events(self) -> dict[str, str | None]:
        """Id of the last event of each stack."""
        return {name: cloudformation.newest_event(self.target, name) for name in self.names}

    def present(self) -> list[str]:
        """Parts that have a stack."""
        return [
            stack_key
            for stack_key in stack_keys()
            if cloudformation.stack(self.target, self.plan.stack_name(stack_key)) is not None
        ]


def expect(is_so: bool, otherwise: str) -> None:
    """Raises ``DemoError`` unless it is so."""
    if not is_so:
        raise DemoError(otherwise)


if __name__ == "__main__":
    sys.exit(main())
