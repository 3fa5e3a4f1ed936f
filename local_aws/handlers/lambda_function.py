"""AWS::Lambda::Function: received and kept; its code runs for custom resources and Invoke."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.engine.status_reasons import not_stabilized
from local_aws.handlers.generic import GenericHandler
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call

INLINE_RUNTIMES = ("nodejs", "python")


class Function(GenericHandler):
    type_name = "AWS::Lambda::Function"

    def given(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        return {**super().given(context, properties), "Code": _code(properties)}

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new["Code"] != old["Code"] or new.get("Architectures") != old.get("Architectures"):
            code = {**_code(new), **present(new, "Architectures")}
            call(self.client(context), "UpdateFunctionCode", {"FunctionName": physical_id, **code})
        default_log = {"LogFormat": "Text", "LogGroup": f"/aws/lambda/{physical_id}"}
        logging = {"LoggingConfig": default_log} if "LoggingConfig" in old else {}
        super().change(context, physical_id, old, {**logging, **new})


def _code(properties: Properties) -> dict[str, Any]:
    """Inline source becomes the zip that CloudFormation makes of it: ``index.py`` or ``index.js``."""
    code = dict(properties["Code"])
    if "ZipFile" in code:
        runtime = str(properties.get("Runtime", ""))
        if not runtime.startswith(INLINE_RUNTIMES):
            # Source: aws-cloudformation/cloudformation-coverage-roadmap#495, where the message lists the versions
            raise not_stabilized("ZipFile can only be used when Runtime is set to Node.js or Python.", "InvalidRequest")
        name = "index.py" if runtime.startswith("python") else "index.js"
        with io.BytesIO() as buffer:
            with zipfile.ZipFile(buffer, "w") as archive:
                archive.writestr(zipfile.ZipInfo(name), code["ZipFile"])
            code["ZipFile"] = buffer.getvalue()
    return code
