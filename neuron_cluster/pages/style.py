"""The style of every page: light and dark, narrow and wide screens, paper."""

from __future__ import annotations

STYLE = """\
:root{color-scheme:light dark;--text:#1b2733;--soft:#4a5a6a;--back:#fff;--box:#f2f5f8;--line:#aebac6;--link:#0b57b0}
@media (prefers-color-scheme:dark){:root{--text:#e6ebf0;--soft:#b3c0cc;--back:#12181f;--box:#1d2630;--line:#56667a;
--link:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:66rem;padding:1rem;font:1rem/1.55 system-ui,sans-serif;color:var(--text);
background:var(--back);overflow-wrap:break-word}
h1{font-size:1.7rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.25rem;margin:2rem 0 .6rem;padding-top:.8rem;border-top:1px solid var(--line)}
.lead{color:var(--soft);margin-top:0}
a{color:var(--link)}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
nav ul{columns:2 14rem;padding-left:1.2rem}
code,pre{font:.875rem/1.5 ui-monospace,monospace}
code{background:var(--box);padding:.05rem .25rem;border-radius:.2rem;overflow-wrap:anywhere}
pre{background:var(--box);border:1px solid var(--line);border-radius:.4rem;padding:.7rem;overflow-x:auto}
pre code{padding:0;background:none}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse}
caption{text-align:left;font-weight:600;padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border:1px solid var(--line)}
th code,td code{overflow-wrap:normal;white-space:nowrap}
td{min-width:6rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
thead th{background:var(--box)}
ol>li{margin:.8rem 0}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.6rem;margin:1rem 0}
dl.facts div{background:var(--box);border:1px solid var(--line);border-radius:.4rem;padding:.5rem .7rem}
dl.facts dt{color:var(--soft);font-size:.875rem}
dl.facts dd{margin:0;font-weight:600}
ul.items{list-style:none;padding:0}
ul.items li{background:var(--box);border:1px solid var(--line);border-radius:.4rem;padding:.6rem .8rem;margin:.6rem 0}
.drawing{margin:1rem 0}
details{margin:1rem 0}
summary{cursor:pointer;font-weight:600;padding:.2rem 0}
@media (max-width:40rem){body{padding:.7rem}h1{font-size:1.4rem}th,td{padding:.3rem .4rem}}
@media print{nav,.skip{display:none}pre{white-space:pre-wrap}.scroll{overflow:visible}
table{font-size:.75rem;min-width:100%!important}td{min-width:0}tr{break-inside:avoid}h2{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}}
"""
