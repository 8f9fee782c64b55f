import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A family of the product in all its weights, in the page itself: it loads nothing. */
function family(name: string, file: string): string {
  const font = readFileSync(path.join(process.cwd(), 'node_modules/geist/dist/fonts', file))
  return `@font-face{font-family:${name};font-weight:100 900;font-display:swap;src:url(data:font/woff2;base64,${font.toString('base64')}) format("woff2")}`
}

let made: string | undefined

/** The style sheet of an exported page, about 190 kB, nearly all of it letters; dark where the reader's system is. */
export function pageStyle(): string {
  made ??= `${family('Geist', 'geist-sans/Geist-Variable.woff2')}\n${family('"Geist Mono"', 'geist-mono/GeistMono-Variable.woff2')}${rules}`
  return made
}

const rules = `
:root{color-scheme:light dark;--canvas:#fbfaf8;--raised:#fff;--ink:#1f1d1a;--muted:#57524b;--faint:#6b655d;--line:#e3dfd8;--strong:#c9c3b9;--accent:#1d6b4e;--soft:#f1efea;--danger:#b3261e;
--l0:#2b5bb7;--l1:#ab5004;--l2:#a56abc;--l3:#737373;--l4:#993191;--l5:#3c8bdd;--l6:#4a4955;--l7:#908b4c}
@media screen and (prefers-color-scheme:dark){:root{--canvas:#161513;--raised:#242320;--ink:#eceae6;--muted:#b0aba2;--faint:#98938a;--line:#32302c;--strong:#4b4842;--accent:#63c299;--soft:#1e1d1a;--danger:#f2b8b5;
--l0:#6fade7;--l1:#df7649;--l2:#937ffa;--l3:#ddad50;--l4:#f080cf;--l5:#c7c9e1;--l6:#98988b;--l7:#e0d949}}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:16px/1.6 Geist,ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:46rem;margin:0 auto;padding:0 1rem}
header{padding-top:2.5rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .25rem;text-wrap:balance}
h2{font-size:1.125rem;margin:3rem 0 .25rem;padding-top:1rem;border-top:1px solid var(--line)}
.facts,.from{color:var(--muted);font-size:.875rem;margin:0}
nav{margin:1.25rem 0;font-size:.875rem}
nav ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}
a{color:var(--accent)}
.graph{margin:1.5rem auto 0;max-width:72rem;padding:0 1rem}
.graph>div{overflow:auto;max-height:70vh;border:1px solid var(--line);border-radius:.75rem;background:var(--raised)}
svg{display:block;font-size:12px}svg svg{overflow:hidden}
svg text{fill:var(--ink)}svg text.faint{fill:var(--faint)}svg a{text-decoration:none}
svg a:hover .said,svg a:focus .said{fill:var(--accent)}
svg .edge{fill:none;stroke-width:1.5}svg .merge{stroke-dasharray:5 4}svg .square{fill:var(--raised);stroke-width:2.5}
svg .name{font-size:11px}
${[0, 1, 2, 3, 4, 5, 6, 7]
  .map(
    (lane) =>
      `svg .edge.lane-${lane},svg .square.lane-${lane}{stroke:var(--l${lane})}svg .dot.lane-${lane},svg text.lane-${lane}{fill:var(--l${lane})}`,
  )
  .join('\n')}
article{margin:1.5rem 0;scroll-margin-top:1rem}
article:target{outline:2px solid var(--accent);outline-offset:.5rem;border-radius:.5rem}
article>h3{font-size:.875rem;margin:0 0 .25rem;display:flex;flex-wrap:wrap;gap:.125rem .75rem;align-items:baseline}
article>h3 small{font-weight:400;color:var(--faint)}
.user .said{background:var(--soft);border:1px solid var(--line);border-radius:.75rem;padding:.625rem .875rem;white-space:pre-wrap}
.said>:first-child{margin-top:0}.said>:last-child{margin-bottom:0}
.plain{white-space:pre-wrap}
pre{overflow:auto;background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.75rem;font-size:.8125rem;line-height:1.5;max-height:32rem}
code{font-family:"Geist Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--strong);color:var(--muted)}
table{border-collapse:collapse;display:block;overflow:auto}th,td{border:1px solid var(--line);padding:.25rem .625rem;text-align:start}
details{margin:.75rem 0;border:1px solid var(--line);border-radius:.5rem;padding:.375rem .75rem;font-size:.875rem}
summary{cursor:pointer;color:var(--muted)}
img{max-width:100%;height:auto;border-radius:.5rem}
.file,.mark{display:inline-block;border:1px solid var(--line);border-radius:.5rem;padding:.125rem .5rem;font-size:.8125rem;color:var(--muted)}
.failed{color:var(--danger)}
footer{color:var(--faint);font-size:.8125rem;padding-top:2rem;padding-bottom:3rem}
@media print{body{background:none;font-size:11pt}.graph>div,pre{max-height:none;overflow:visible}pre{white-space:pre-wrap}details::details-content{content-visibility:visible;display:block}h2,article>h3{break-after:avoid}img,tr{break-inside:avoid}}
`
