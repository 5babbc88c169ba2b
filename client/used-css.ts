/** The part of a style sheet that a page's markup uses. */
import postcss, { type Container, type Root } from 'postcss';

/** Class names that an element and those around it must have; not those in brackets, of which one may be enough, or none. */
function classNamesOf(selector: string): string[] {
  let plain = selector;
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/\([^()]*\)/g, '');
  }
  return [...plain.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);
}

/** Removes the selectors with a class name that is not in the markup, and what is empty then. */
function keepUsed(container: Container, classes: ReadonlySet<string>): void {
  // a copy, because nodes are removed
  for (const node of container.nodes?.slice() ?? []) {
    if (node.type === 'rule') {
      const used = node.selectors.filter((selector) => classNamesOf(selector).every((name) => classes.has(name)));
      if (used.length === 0) node.remove();
      else if (used.length < node.selectors.length) node.selectors = used;
    } else if (node.type === 'atrule' && node.nodes && !/^(?:keyframes|font-face)$/.test(node.name)) {
      keepUsed(node, classes);
      if (node.nodes.length === 0) node.remove();
    }
  }
}

/** Removes animations and variables that no other rule names, and no inline style of the markup. */
function dropUnnamed(root: Root, markup: string): void {
  const css = root.toString();
  const isNamed = (name: string) => new RegExp(`${name}(?![\\w-])(?!\\s*[:{])`).test(css) || markup.includes(name);
  root.walkAtRules('keyframes', (rule) => {
    if (!isNamed(rule.params)) rule.remove();
  });
  root.walkDecls(/^--/, (declaration) => {
    if (!isNamed(declaration.prop)) declaration.remove();
  });
}

/**
 * @param css without nested rules (`&`)
 * @param markup of the page, before any script has changed it
 */
export function usedCss(css: string, markup: string): string {
  const classes = new Set([...markup.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const root = postcss.parse(css);
  keepUsed(root, classes);
  dropUnnamed(root, markup);
  // a variable may be named by one that is gone now
  dropUnnamed(root, markup);
  return root.toString();
}
