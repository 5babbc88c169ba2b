/** The part of a style sheet that a page's markup uses. */

interface Rule {
  /** selector, or an at-rule such as `@media print` */
  head: string;
  /** declarations; null for an at-rule that holds other rules, and for a statement without a block */
  body: string | null;
  rules: Rule[];
}

const HOLDS_RULES = /^@(?:media|supports|layer|container)\b/;

/** Index of the bracket that closes the one at `open`; minified style sheets have no comments. */
function closingOf(css: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let at = open; at < css.length; at += 1) {
    const sign = css.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}' && (depth -= 1) === 0) return at;
  }
  throw new Error('A style sheet has a rule without an end.');
}

function parse(css: string): Rule[] {
  const rules: Rule[] = [];
  let at = 0;
  for (;;) {
    const open = css.indexOf('{', at);
    const statement = css.indexOf(';', at);
    if (statement >= 0 && (open < 0 || statement < open)) {
      rules.push({ head: css.slice(at, statement).trim(), body: null, rules: [] });
      at = statement + 1;
      continue;
    }
    if (open < 0) return rules;
    const end = closingOf(css, open);
    const head = css.slice(at, open).trim();
    const body = css.slice(open + 1, end);
    rules.push(HOLDS_RULES.test(head) ? { head, body: null, rules: parse(body) } : { head, body, rules: [] });
    at = end + 1;
  }
}

function write({ head, body, rules }: Rule): string {
  if (body !== null) return `${head}{${body}}`;
  return rules.length > 0 ? `${head}{${rules.map(write).join('')}}` : `${head};`;
}

/** The selectors of a list; a comma in brackets does not separate two. */
function selectorsOf(head: string): string[] {
  const selectors = [''];
  let depth = 0;
  for (const sign of head) {
    if (sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    if (sign === ',' && depth === 0) selectors.push('');
    else selectors.push(`${selectors.pop()}${sign}`);
  }
  return selectors;
}

/** Class names that an element and those around it must have; not those in brackets, of which one may be enough, or none. */
function classNamesOf(selector: string): string[] {
  let plain = selector;
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/\([^()]*\)/g, '');
  }
  return [...plain.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);
}

/** The rules with a selector whose class names are all in the markup. */
function keepUsed(rules: readonly Rule[], classes: ReadonlySet<string>): Rule[] {
  return rules.flatMap((rule) => {
    if (rule.body === null) {
      const inside = keepUsed(rule.rules, classes);
      return rule.rules.length > 0 && inside.length === 0 ? [] : [{ ...rule, rules: inside }];
    }
    if (rule.head.startsWith('@')) return [rule];
    const used = selectorsOf(rule.head).filter((selector) => classNamesOf(selector).every((name) => classes.has(name)));
    return used.length > 0 ? [{ ...rule, head: used.join(',') }] : [];
  });
}

/** Removes animations and variables that no other rule names, and no inline style of the markup. */
function withoutUnnamed(css: string, markup: string): string {
  const isNamed = (name: string) => new RegExp(`${name}(?![\\w-])(?!\\s*[:{])`).test(css) || markup.includes(name);
  return css
    .replaceAll(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g, (rule, name: string) => (isNamed(name) ? rule : ''))
    .replaceAll(/(?<=[{;])(--[\w-]+):[^;{}]*(;|(?=\}))/g, (declaration, name: string) =>
      isNamed(name) ? declaration : '',
    );
}

/**
 * @param css minified, without nested rules (`&`)
 * @param markup of the page, before any script has changed it
 */
export function usedCss(css: string, markup: string): string {
  const classes = new Set([...markup.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const kept = keepUsed(parse(css), classes).map(write).join('');
  // a variable may be named by one that is removed
  const once = withoutUnnamed(kept, markup);
  return withoutUnnamed(once, markup);
}
