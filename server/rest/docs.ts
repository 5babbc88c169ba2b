/** API reference page, rendered from the OpenAPI document: no scripts, one inline style sheet, shapes as in TypeScript. */

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** The document with every reference replaced by what it refers to; no schema refers to itself. */
function resolve(node: unknown, document: Json): unknown {
  if (Array.isArray(node)) return node.map((one) => resolve(one, document));
  if (!isObject(node)) return node;
  if (typeof node.$ref === 'string') {
    const target = node.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => objectOf(at)[key], document);
    return resolve(target, document);
  }
  return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, resolve(one, document)]));
}

/** A schema of a single value: `string (date-time)`, `integer 1 to 64`. */
function describeValue(schema: Json): string {
  const type = listOf(schema.type).length > 0 ? listOf(schema.type).join(' | ') : textOf(schema.type) || 'any';
  const format = schema.format === undefined ? '' : ` (${textOf(schema.format)})`;
  const { minimum, maximum } = schema;
  const range = typeof minimum === 'number' && typeof maximum === 'number' ? ` ${minimum} to ${maximum}` : '';
  return `${type}${format}${range}`;
}

/** A JSON schema as a TypeScript type, over several lines if it has fields. @param indent of the lines after the first */
function writeShape(schema: unknown, indent = ''): string {
  const json = objectOf(schema);
  if ('const' in json) return JSON.stringify(json.const);
  if (Array.isArray(json.enum)) return json.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = [...listOf(json.anyOf), ...listOf(json.oneOf)];
  if (choices.length > 0) return [...new Set(choices.map((choice) => writeShape(choice, indent)))].join(' | ');
  if (json.type === 'array') {
    const items = writeShape(json.items, indent);
    return items.includes(' | ') && !items.includes('\n') ? `(${items})[]` : `${items}[]`;
  }
  if (!isObject(json.properties)) return describeValue(json);
  const required = new Set(listOf(json.required));
  const inner = `${indent}  `;
  const fields = Object.entries(json.properties).map(
    ([name, field]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${writeShape(field, inner)}`,
  );
  return `{\n${fields.join('\n')}\n${indent}}`;
}

const plate = (title: string, shape: string): string => `<h4>${title}</h4><pre tabindex="0">${escapeHtml(shape)}</pre>`;

function renderParameters(parameters: readonly Json[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><th scope="row"><code>${escapeHtml(textOf(name))}</code></th><td>${escapeHtml(textOf(place))}</td>` +
      `<td>${required === true ? 'required' : 'optional'}</td><td><code>${escapeHtml(writeShape(schema))}</code></td></tr>`,
  );
  return `<h4>Parameters</h4><table><tbody>${rows.join('')}</tbody></table>`;
}

/** The first content type and its schema. */
function contentOf(holder: unknown): { type: string; schema: unknown } | null {
  const [entry] = Object.entries(objectOf(objectOf(holder).content));
  return entry ? { type: entry[0], schema: objectOf(entry[1]).schema } : null;
}

function renderOperation(method: string, path: string, operation: Json): string {
  const success = Object.entries(objectOf(operation.responses)).find(([status]) => status !== 'default');
  const body = contentOf(operation.requestBody);
  const answer = success ? contentOf(success[1]) : null;
  const id = escapeHtml(textOf(operation.operationId));
  const procedure = escapeHtml(textOf(operation['x-procedure']));
  return (
    `<details id="${id}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>` +
    `<span>${escapeHtml(textOf(operation.summary))}</span></summary>` +
    (procedure === '' ? '' : `<p>By tRPC: <code>${procedure}</code></p>`) +
    renderParameters(listOf(operation.parameters).filter(isObject)) +
    (body ? plate('Body', writeShape(body.schema)) : '') +
    (success && answer
      ? plate(
          `Answer ${success[0]}${answer.type === 'application/json' ? '' : `, ${answer.type}`}`,
          writeShape(answer.schema),
        )
      : '') +
    '</details>'
  );
}

const STYLE = `
:root{color-scheme:light dark;--ink:#23221d;--dim:#5e5c55;--seam:#cac7bd;--panel:#fbfaf6;--ground:#f5f3ed;--accent:#9d2192}
@media(prefers-color-scheme:dark){:root{--ink:#dee4e7;--dim:#a4aeb3;--seam:#323e43;--panel:#131d22;--ground:#0c1519;--accent:#f176e3}}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:70rem;margin:auto;padding:1.5rem 1rem 4rem}
a{color:var(--accent)}h2{margin:2rem 0 .5rem;font-size:1.25rem}h4{margin:.75rem 0 .25rem;font-size:.875rem}
code,pre{font-family:ui-monospace,monospace;font-size:.875rem;overflow-wrap:anywhere}
details{background:var(--panel);border:1px solid var(--seam);border-radius:3px;margin:.25rem 0;padding:0 .75rem}
details[open]{padding-bottom:.75rem}summary{padding:.625rem 0;cursor:pointer}summary span{color:var(--dim);margin-left:.75rem}
b{display:inline-block;min-width:4rem}pre{overflow-x:auto;margin:0;padding:.5rem;border:1px solid var(--seam)}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top;border-top:1px solid var(--seam)}
p{max-width:68ch}`;

/** @param document from `createOpenApi` @param nonce of the page's style, as in the Content-Security-Policy */
export function renderDocs(document: Json, nonce: string): string {
  const operations = Object.entries(objectOf(resolve(document.paths, document))).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, operation]) => ({ method, path, operation: objectOf(operation) })),
  );
  const groups = Map.groupBy(operations, ({ path }) => path.split('/')[1] ?? '');
  const sections = [...groups].map(
    ([name, calls]) =>
      `<section aria-labelledby="group-${name}"><h2 id="group-${name}">${escapeHtml(name)}</h2>` +
      calls.map(({ method, path, operation }) => renderOperation(method, path, operation)).join('') +
      '</section>',
  );
  const links = [...groups.keys()].map((name) => `<a href="#group-${name}">${escapeHtml(name)}</a>`).join(' · ');
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><title>Marshal API reference</title>' +
    `<style nonce="${escapeHtml(nonce)}">${STYLE}</style></head><body><main><h1>Marshal API reference</h1>` +
    '<p>All calls are under <code>/api/v1</code> and use JSON. An error is <code>{code, message}</code> with its status; ' +
    'validation errors add <code>issues</code>. Writes must come from this site or carry a bearer token. Also available as ' +
    '<a href="/api/v1/openapi.json">an OpenAPI 3.1 document</a>.</p>' +
    `<nav aria-label="Groups">${links}</nav>${sections.join('')}</main></body></html>`
  );
}
