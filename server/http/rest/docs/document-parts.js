// The parts of the OpenAPI document that a call refers to, so that Swagger UI need not read the whole document to resolve a call.

/** @typedef {Record<string, any>} Json */

/**
 * Addresses that a value refers to, at any depth: `#/components/schemas/User` is ['components', 'schemas', 'User'].
 * @param {unknown} value
 * @returns {string[][]}
 */
function referencesIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.split('/').slice(1)] : referencesIn(inner),
  );
}

/**
 * The document with one path or component, and with the components that it refers to.
 * @param {Json} document whose references are all `#/components/…`
 * @param {readonly string[]} address of a value in the document
 * @returns {Json} a document in which this address resolves as in the whole
 */
export function cutDocument(document, address) {
  /** @type {Json} */
  const cut = { ...document, paths: {}, components: {} };
  const open = [address];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [part = '', group = '', name = ''] = next;
    const whole = document[part]?.[group];
    const isComponent = part === 'components' && name !== '';
    const known = isComponent ? cut.components[group]?.[name] : cut[part]?.[group];
    if (known !== undefined || whole === undefined) continue;
    const found = isComponent ? { [name]: whole[name] } : whole;
    cut[part] = { ...cut[part], [group]: { ...cut[part]?.[group], ...found } };
    open.push(...referencesIn(found));
  }
  return cut;
}
