/** Personal strings taken out of stored JSON. */

export interface Personal {
  /** names: replaced where they are the whole value, since a call sign may also be an ordinary word */
  names: ReadonlySet<string>;
  /** addresses and ids, replaced wherever they occur */
  marks: readonly string[];
}

/** The value with `substitute` in place of every personal string, keys included. The value itself is not changed. */
export function redact(value: unknown, personal: Personal, substitute: string): unknown {
  if (typeof value === 'string') {
    if (personal.names.has(value)) return substitute;
    return personal.marks.reduce((text, mark) => text.replaceAll(mark, substitute), value);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => redact(item, personal, substitute));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      String(redact(key, personal, substitute)),
      redact(item, personal, substitute),
    ]),
  );
}
