"""The build of a wheel: files outside of packages that the toolkit reads become data of the package ``neuron_cluster``.

Everything else about the distribution is in ``pyproject.toml``.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
BUNDLE = Path("neuron_cluster", "bundle")
FOLDERS = ("charts", "functions", "environments/bases")
DOCUMENTATION = "docs"
FILES = ("cdk.json", "package.json", "package-lock.json", "environments/locks/existing-vpc.yaml")


class BuildWithBundle(build_py):
    """Copies to where ``neuron_cluster.toolkit_files`` looks; an editable install has the files of the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        bundle = Path(self.build_lib) / BUNDLE
        shutil.rmtree(bundle, ignore_errors=True)  # build/ may have the files of an earlier build
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, bundle / folder, ignore=shutil.ignore_patterns("__pycache__"))
        for page in (ROOT / DOCUMENTATION).rglob("*.md"):  # what messages name, without what only the site needs
            copy = bundle / page.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(page, copy)
        environments = bundle / "environments"
        (environments / "locks").mkdir()
        for file in (ROOT / "environments").iterdir():
            if file.is_file():  # locks belong to an account, but for the example in FILES
                shutil.copy2(file, environments)
        for name in FILES:
            shutil.copy2(ROOT / name, bundle / name)


setup(cmdclass={"build_py": BuildWithBundle})
