#include "presentation/html/page_sections.h"

namespace opbench {
namespace {

constexpr const char* kColoursStyle = R"css(
:root{color-scheme:light dark;--paper:#fff;--ink:#1a1f24;--dim:#586069;--rule:#d8dee4;--soft:#f4f6f8;
--accent:#0b5cad;--faster:#0a6a3c;--slower:#a8321c;--doubt:#6d5200;--old:#6a737d;
--h0:#f3f7fb;--h1:#dbe8f5;--h2:#b9d3ec;--h3:#f6d9a8;--h4:#f3b489;
--t0:#d6e6f5;--t1:#f6e3c4;--t2:#d9ecd9;--t3:#ecdcef;--t4:#f5d9d3;--t5:#e3e3d0}
@media screen and (prefers-color-scheme:dark){:root{--paper:#14181c;--ink:#e4e8ec;--dim:#a3adb8;--rule:#333b44;
--soft:#1c2228;--accent:#7db9f5;--faster:#66d19a;--slower:#ff9d87;--doubt:#e3c462;--old:#98a2ad;
--h0:#1b2229;--h1:#1f3142;--h2:#22425f;--h3:#5a431a;--h4:#6f3620;
--t0:#21384d;--t1:#4a3a1c;--t2:#234029;--t3:#40304a;--t4:#4d2c25;--t5:#3b3b26}}
)css";

constexpr const char* kTextStyle = R"css(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.45 system-ui,"Segoe UI","DejaVu Sans",sans-serif;
font-variant-numeric:tabular-nums}
main,header,nav{max-width:1240px;margin:0 auto;padding:0 20px}
header{padding-top:24px}
h1{font-size:22px;line-height:1.25;margin:0 0 2px;overflow-wrap:anywhere}
h2{font-size:17px;margin:32px 0 4px;padding-bottom:6px;border-bottom:2px solid var(--ink)}
h3{font-size:15px;margin:0;display:inline}
h4{font-size:13px;margin:16px 0 6px}
p{margin:6px 0;max-width:90ch;overflow-wrap:anywhere}
.dim,small{color:var(--dim)}
small{display:block;font-size:12px;font-weight:400;line-height:1.35;overflow-wrap:anywhere}
.bad{color:var(--slower)}
.lead{font-size:15px}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;padding-top:10px;padding-bottom:10px;font-size:13px}
a{color:var(--accent)}
#tools{display:flex;gap:12px;align-items:center;margin:4px 0 0;min-height:1px}
input{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--old);border-radius:4px;padding:5px 9px;
width:min(360px,100%)}
details.section{border-top:1px solid var(--rule);padding:10px 0 14px}
summary{cursor:pointer;padding:2px 0}
summary:focus-visible,input:focus-visible,button:focus-visible,.graph:focus-visible,a:focus-visible{
outline:2px solid var(--accent);outline-offset:2px}
details.part{margin:6px 0}
.notes{margin:8px 0;padding-left:18px;font-size:13px}
.notes li{overflow-wrap:anywhere}
code{font:12px/1.45 ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere;white-space:pre-wrap}
code.command{user-select:all;background:var(--soft);padding:1px 4px;border-radius:3px}
pre{margin:6px 0;white-space:pre-wrap}
.findings{padding-left:22px;margin:6px 0}.findings li{margin:0 0 12px}
.finding{display:flex;flex-wrap:wrap;gap:2px 12px}.gain{margin-left:auto;font-weight:600}
)css";

constexpr const char* kTableStyle = R"css(
table{border-collapse:collapse;width:100%;font-size:13px;margin:6px 0}
table.narrow{width:auto}
th,td{text-align:left;vertical-align:top;padding:5px 8px 5px 0;border-bottom:1px solid var(--rule)}
thead th{border-bottom:1px solid var(--old);font-weight:600;vertical-align:bottom}
tbody th{font-weight:400}
th.n,td.n{text-align:right;padding-left:8px;white-space:nowrap}
th.n{white-space:normal}
.units tbody th{width:30%;min-width:240px}
.units tbody th b{overflow-wrap:anywhere}
.no{color:var(--dim);padding-right:4px}
.bar{display:block;height:4px;margin-top:3px;min-width:56px;background:var(--soft);border:1px solid var(--rule)}
.bar span{display:block;height:100%;background:var(--accent)}
.v{font-weight:600;white-space:nowrap}
.faster{color:var(--faster)}.slower{color:var(--slower)}.inconclusive{color:var(--doubt)}.same{color:var(--dim)}
thead button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}
thead button:hover{text-decoration:underline}
[aria-sort=descending] button::after{content:" ▾"}[aria-sort=ascending] button::after{content:" ▴"}
table.facts th{width:230px;overflow-wrap:anywhere}
table.facts td{overflow-wrap:anywhere}
table.repeat th{width:270px}
[hidden]{display:none!important}
@media screen and (max-width:860px){
.figures,.figures tbody,.figures tr,.figures td,.figures tbody th{display:block;width:100%;max-width:none}
.figures thead{display:none}
.figures tr{padding:8px 0;border-bottom:1px solid var(--rule)}
.figures td,.figures tbody th,.figures td.n{border:0;padding:1px 0;white-space:normal}
.figures tr{display:grid;grid-template-columns:1fr 1fr 1fr;gap:2px 14px}
.figures tbody th{grid-column:1/-1}
.figures td,.figures td.n{text-align:left;min-width:0;overflow-wrap:anywhere}
.figures td::before{content:attr(data-l);display:block;font-size:12px;color:var(--dim)}
.figures td:not([data-l=verdict]) small::before{content:"base "}
.bar{width:80px}
table.facts tr,table.facts th,table.facts td{display:block;width:100%}
table.facts thead{display:none}
table.facts th{border:0;padding-bottom:0;color:var(--dim)}
}
)css";

constexpr const char* kChartStyle = R"css(
.chart{padding:22px 14px 42px 52px}
.chart svg{display:block;overflow:visible}
svg text{font:12px system-ui,"DejaVu Sans",sans-serif;fill:var(--ink)}
svg text.tick{fill:var(--dim)}
.end{text-anchor:end}.middle{text-anchor:middle}
.grid{stroke:var(--rule)}.axis{stroke:var(--old)}
.roof{stroke:var(--ink);stroke-width:1.75}.roof.old{stroke:var(--old);stroke-dasharray:6 4}
.dot{fill:var(--accent);fill-opacity:.55;stroke:var(--accent)}
.dot.old{fill:none;stroke:var(--old);stroke-dasharray:3 2}
.move{stroke:var(--old)}
svg text.number{font-weight:600}
.curve{fill:none;stroke:var(--accent);stroke-width:2;vector-effect:non-scaling-stroke}
.curve.old{stroke:var(--old);stroke-dasharray:6 4}
.timeline{list-style:none;margin:4px 0 12px;padding:0}
.timeline li{display:grid;grid-template-columns:76px minmax(0,1fr);align-items:center;margin:3px 0}
.at{font-size:12px;color:var(--dim)}
.line{display:flex;height:26px;min-width:0;background:var(--soft)}
.line span{flex:0 1 0;min-width:0;overflow:hidden;white-space:nowrap;font-size:12px;line-height:24px;
border:solid var(--paper);border-width:1px 1px 1px 0;text-indent:4px}
.line .rest{background:none;border:0}
.t0{background:var(--t0)}.t1{background:var(--t1)}.t2{background:var(--t2)}.t3{background:var(--t3)}
.t4{background:var(--t4)}.t5{background:var(--t5)}
.tx{background:repeating-linear-gradient(45deg,var(--rule) 0 3px,transparent 3px 6px)}
.graph{overflow:auto;max-height:640px;border:1px solid var(--rule);margin:8px 0}
.graph svg{display:block;margin:0 auto}
.box{stroke:var(--old)}.h0{fill:var(--h0)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}
.fill{fill:var(--ink)}.way{fill:none;stroke:var(--old)}
.strips{list-style:none;margin:0;padding:0}
.strips li{display:grid;grid-template-columns:230px minmax(0,1fr) 330px;gap:4px 18px;align-items:start;
border-bottom:1px solid var(--rule);padding:7px 0;font-size:13px}
.strip-name,.strip-text{overflow-wrap:anywhere}
.strip-text{font-size:12px;color:var(--dim)}.strip-text span{display:block}
.strip svg{display:block;background:var(--soft)}
.ends{display:flex;justify-content:space-between;font-size:12px;color:var(--dim)}
.pts{stroke:var(--accent);stroke-width:5;stroke-linecap:round;vector-effect:non-scaling-stroke}
.pts.old{stroke:var(--old);stroke-linecap:square}
.band{fill:var(--old);fill-opacity:.25}
.med{stroke:var(--ink);stroke-width:1.5;vector-effect:non-scaling-stroke}
@media screen and (max-width:860px){main,header,nav{padding-left:12px;padding-right:12px}
.strips li{grid-template-columns:minmax(0,1fr)}
.timeline li{grid-template-columns:minmax(0,1fr)}
.chart{padding-left:44px;padding-right:6px}}
)css";

constexpr const char* kPrintStyle = R"css(
@page{size:A4 landscape;margin:12mm}
@media print{
body{font-size:10.5pt}
nav,#tools{display:none}
main,header{max-width:none;padding:0}
details::details-content{content-visibility:visible!important;display:block!important;block-size:auto!important}
details>*{display:revert}
.graph{overflow:visible;max-height:none;border:0}
.graph svg{max-width:100%;height:auto}
h2,h3,h4{break-after:avoid}
tr,.strips li,.chart,.findings li{break-inside:avoid}
.bar,.bar span,.line span,.box,.fill,.band{print-color-adjust:exact;-webkit-print-color-adjust:exact}
table{font-size:9pt}
}
)css";

}  // namespace

std::string page_style() {
  return std::string(kColoursStyle) + kTextStyle + kTableStyle + kChartStyle + kPrintStyle;
}

}  // namespace opbench
