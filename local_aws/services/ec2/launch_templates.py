"""Launch templates: known ids and versions, own tags that stay out of the data and can change, all listed in pages."""

from __future__ import annotations

import sys
from typing import Any

from moto.core.responses import ActionResult
from moto.ec2.models.launch_templates import LaunchTemplate, LaunchTemplateBackend
from moto.ec2.responses.launch_templates import LaunchTemplates

from local_aws.api_errors import api_error
from local_aws.services.overrides import override
from local_aws.services.paging import page

LISTED_AT_ONCE = 200
"""https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeLaunchTemplates.html, MaxResults."""


@override(LaunchTemplateBackend, "create_launch_template")
def create_launch_template(original: Any, _backend: Any, *arguments: Any) -> Any:
    """moto adds the template's own tags to those that instances will get."""
    name, description, template_data, tag_spec = arguments
    specifications = [
        each for each in template_data.get("TagSpecifications", []) if each["ResourceType"] != "launch-template"
    ]
    data = {name: value for name, value in template_data.items() if name != "TagSpecifications"}
    if specifications:
        data["TagSpecifications"] = specifications
    return original(name, description, data, tag_spec)


@override(LaunchTemplates, "describe_launch_templates")
def describe_launch_templates(original: Any, response: Any) -> Any:
    """moto stops at 15 templates, without a token for the rest."""
    size = min(int(response.params.get("MaxResults", LISTED_AT_ONCE)), LISTED_AT_ONCE)
    response.params = {**response.params, "MaxResults": sys.maxsize}
    rows = original().result["LaunchTemplates"]
    refusal = api_error("ec2.page_token")
    found, token = page(rows, size, response.params.get("NextToken"), refusal)
    return ActionResult({"LaunchTemplates": found, "NextToken": token} if token else {"LaunchTemplates": found})


# moto notes them once, at the creation; they are asked for instead.
LaunchTemplate.tags = property(lambda template: template.get_tags(), lambda *_: None)  # type: ignore[assignment]
