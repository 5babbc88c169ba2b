/** The depth of JSON, found in its text: parsing thousands of lists within one another costs more than all other input. */

const [QUOTE = 0, BACKSLASH = 0, LIST = 0, LIST_END = 0, OBJECT = 0, OBJECT_END = 0] = Array.from('"\\[]{}', (sign) =>
  sign.charCodeAt(0),
);

/** @param json text that may not be JSON at all @param most lists and objects within one another */
export function isNestedBeyond(json: string, most: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (isText && sign === BACKSLASH) at += 1;
    else if (sign === QUOTE) isText = !isText;
    else if (isText) continue;
    else if (sign === LIST || sign === OBJECT) depth += 1;
    else if (sign === LIST_END || sign === OBJECT_END) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
