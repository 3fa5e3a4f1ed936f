"""The style of pictures: shapes and colours for a light and a dark screen."""

from __future__ import annotations

STYLE = """\
.picture{--ink:#16202c;--dim:#4a5563;--paper:#fff;--edge:#7a8794;--region:#f7f8fa;--vpc:#fff;--zone:#f3f6f9;
--subnet:#fff;--group:#e8f1fb;--group-edge:#2f6fb3;--data:#fdf0dc;--data-edge:#9c640a;--team:#eaf5ea;--team-edge:#3f7d3f;
--plain:#eef0f3;--mark:#1f5f9f}
@media (prefers-color-scheme:dark){.picture{--ink:#e6ebf0;--dim:#b3c0cc;--paper:#12181f;--edge:#7d8c9c;--region:#171e27;
--vpc:#12181f;--zone:#1a222c;--subnet:#141b23;--group:#17293d;--group-edge:#6aa7e8;--data:#352812;--data-edge:#d9a04a;
--team:#18301b;--team-edge:#6fb876;--plain:#232c37;--mark:#8cc0f5}}
.picture text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
fill:var(--ink)}
.picture .title{font-size:18px;font-weight:600}
.picture .name{font-size:14px;font-weight:600}
.picture .kind{font-size:12px;fill:var(--dim)}
.picture rect{stroke:var(--edge);fill:var(--plain)}
.picture .region{fill:var(--region)}
.picture .vpc{fill:var(--vpc);stroke-width:2}
.picture .zone{fill:var(--zone);stroke-dasharray:5 4}
.picture .public,.picture .private,.picture .secondary,.picture .several_zones{fill:var(--subnet)}
.picture .storage,.picture .teams,.picture .flows{fill:var(--region)}
.picture .group,.picture .workstation{fill:var(--group);stroke:var(--group-edge)}
.picture .data,.picture .copy{fill:var(--data);stroke:var(--data-edge)}
.picture .data{stroke-width:2.5}
.picture .copy{stroke-dasharray:6 3}
.picture .team{fill:var(--team);stroke:var(--team-edge)}
.picture .full{fill:var(--mark);stroke:var(--mark)}
.picture .empty{fill:none;stroke:var(--mark)}
.picture .arrow{stroke:var(--dim);stroke-width:1.6;fill:none}
.picture .head{fill:var(--dim)}
"""
