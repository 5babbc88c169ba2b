/** HTML of the API reference: a quick start that needs no scripts, and the place of the viewer. */
import { panelPath } from '#shared/profile-sections.ts';
import { writeQuickStart } from './quick-start.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const code = (text: string): string => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;

/** A sample that opens alone: the elements of one name close each other, without a script. */
const sample = (title: string, text: string, { open = false, note = '' } = {}): string =>
  `<details name="sample"${open ? ' open' : ''}><summary>${title}</summary>${note}${code(text)}</details>`;

/**
 * @param publicUrl the server's public address, without a trailing slash
 * @param assets path of the page's files, without a trailing slash
 */
export function renderDocs(publicUrl: string, assets: string): string {
  const { curl, typescript, python, lua } = writeQuickStart(publicUrl);
  return `<!doctype html>
<html lang="en" data-public-url="${escapeHtml(publicUrl)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Marshal API reference</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<link rel="stylesheet" href="${assets}/docs.css">
<script src="${assets}/scheme.js"></script>
<script src="${assets}/swagger-ui-bundle.js" defer></script>
<script src="${assets}/viewer.js" type="module"></script>
</head>
<body>
<header>
<h1>Marshal API reference</h1>
<p><a href="/">Marshal</a> · <a href="#reference">Reference</a> · <a href="/api/v1/openapi.json">OpenAPI document</a></p>
</header>
<main>
<section class="quick-start" aria-labelledby="quick-start">
<h2 id="quick-start">Quick start</h2>
<div class="steps">
<ol>
<li><p><b>Create a token</b> in <a href="${panelPath('tokens')}">your profile</a>. It is shown once and begins with <code>mrsh_</code>. The scope
<code>read</code> only reads, <code>pilot</code> also answers and edits for you, <code>admin</code> runs missions.</p></li>
<li><p><b>Make the first call.</b> A call with a token needs no cookie and no <code>Origin</code>.</p>${code(curl)}</li>
<li><p><b>Know the rules.</b></p>
<dl>
<dt>Errors</dt><dd>are <code>{code, message}</code>, with <code>issues</code> for invalid fields. Decide by <code>code</code>; the message may be
reworded. After 429 and 503, wait for the seconds in <code>Retry-After</code>.</dd>
<dt>Pages</dt><dd>long lists take <code>page</code> (from 1) and <code>pageSize</code> (up to 100) and answer <code>total</code>.</dd>
<dt>Repeats</dt><dd>send a new <code>Idempotency-Key</code> with a POST that creates or answers an order, and the same one to repeat it: it runs once.</dd>
<dt>Times</dt><dd>fields that end in <code>Utc</code> end in Z; those in <code>Local</code> are in the zone of the answer. Say the zone in what you send.</dd>
</dl></li>
</ol>
<div>
${sample('TypeScript', typescript, { open: true, note: '<p>With the package <code>marshal-client</code>: every call typed, with retries.</p>' })}
${sample('Python', python, { note: '<p>With the standard library.</p>' })}
${sample('Lua, in a DCS server', lua, {
  note: '<p>LuaSocket speaks plain http only: use Marshal’s address on the same machine or in a private network. Needs a token with the scope <code>admin</code>.</p>',
})}
</div>
</div>
</section>
<section aria-labelledby="reference">
<h2 id="reference">Reference</h2>
<noscript><p>The reference needs JavaScript. <a href="/api/v1/openapi.json">The OpenAPI document</a> describes every call, too.</p></noscript>
<form id="token-form" hidden>
<label for="token">Token for “Try it out”</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="mrsh_…">
<button type="submit">Use</button> <button type="reset">Forget</button>
<output id="caller" for="token"></output>
</form>
<div id="viewer"></div>
</section>
</main>
</body>
</html>`;
}
