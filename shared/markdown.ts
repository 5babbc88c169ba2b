/**
 * Notes as Markdown: one parser for every surface, so that all of them read the same text alike. HTML is ordinary text,
 * images become links, and only https links are links.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { isSafeLink } from './mission-links.ts';

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; url: string; children: Inline[] };

export type Block = { /** a blank line stands before it */ isApart: boolean } & (
  | { kind: 'paragraph' | 'heading'; children: Inline[] }
  /** `start` is the first number; null for bullets */
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' }
);

type Tree = ReturnType<typeof fromMarkdown>;
type Node = Tree['children'][number];

/** Lists and quotes inside each other; deeper ones are read as their text. */
const DEPTH_MAX = 5;

/** HTML, and what surprises people who write plain text: indented code, underlined headings, link definitions. */
const PLAIN_TEXT = ['htmlFlow', 'htmlText', 'codeIndented', 'setextUnderline', 'definition'];

/** The text as blocks. Line breaks inside a paragraph are kept. */
export function readMarkdown(text: string): Block[] {
  const tree = fromMarkdown(text, { extensions: [{ disable: { null: PLAIN_TEXT } }] });
  return blocksOf(tree.children, 0);
}

function blocksOf(nodes: readonly Node[], depth: number): Block[] {
  let lastLine = 0;
  return nodes.flatMap((node) => {
    const { start, end } = node.position ?? { start: { line: 1 }, end: { line: 1 } };
    const isApart = lastLine > 0 && start.line > lastLine + 1;
    lastLine = end.line;
    const block = blockOf(node, depth);
    return block === null ? [] : [{ isApart, ...block }];
  });
}

type Bare<B> = B extends Block ? Omit<B, 'isApart'> : never;

function blockOf(node: Node, depth: number): Bare<Block> | null {
  const isDeep = depth >= DEPTH_MAX && 'children' in node;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the rest are extensions, which are off
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return { kind: node.type, children: inlinesOf(node.children, depth) };
    case 'list':
      if (isDeep) return flat(node);
      return {
        kind: 'list',
        start: node.ordered === true ? (node.start ?? 1) : null,
        items: node.children.map((item) => blocksOf(item.children, depth + 1)),
      };
    case 'blockquote':
      return isDeep ? flat(node) : { kind: 'quote', children: blocksOf(node.children, depth + 1) };
    case 'code':
      return { kind: 'code', text: node.value };
    case 'thematicBreak':
      return { kind: 'rule' };
    default:
      return null;
  }
}

/**
 * Turns a block that is nested too deeply into one paragraph of its text. Uses a stack instead of recursion, because 4,000
 * characters can nest thousands of quotes.
 */
function flat(node: Node): Bare<Block> {
  const words: string[] = [];
  const left: Node[] = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('value' in next) words.push(next.value);
    if ('children' in next) left.push(...next.children.toReversed());
  }
  return { kind: 'paragraph', children: linesOf(words.join(' ')) };
}

/** Text with its line breaks, as Discord and chat programs show it. */
function linesOf(text: string): Inline[] {
  return text
    .split('\n')
    .flatMap((line, index): Inline[] => [...(index === 0 ? [] : [BREAK]), ...(line === '' ? [] : [textOf(line)])]);
}

const BREAK: Inline = { kind: 'break' };
const textOf = (text: string): Inline => ({ kind: 'text', text });

function inlinesOf(nodes: readonly Node[], depth: number): Inline[] {
  return nodes.flatMap((node): Inline[] => {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the rest are extensions, which are off
    switch (node.type) {
      case 'text':
        return linesOf(node.value);
      case 'inlineCode':
        return [{ kind: 'code', text: node.value }];
      case 'break':
        return [BREAK];
      case 'strong':
      case 'emphasis':
        return depth >= 2 * DEPTH_MAX
          ? inlinesOf(node.children, depth)
          : [{ kind: node.type, children: inlinesOf(node.children, depth + 1) }];
      case 'link':
        return linkOf(node.url, inlinesOf(node.children, depth));
      case 'image':
        return linkOf(node.url, [textOf(node.alt || node.url)]);
      default:
        return [];
    }
  });
}

/** Other addresses than https stay readable after their words, but are not links. */
function linkOf(url: string, children: Inline[]): Inline[] {
  if (isSafeLink(url)) return [{ kind: 'link', url, children: children.length === 0 ? [textOf(url)] : children }];
  const words = children.length === 1 && children[0]?.kind === 'text' ? children[0].text : null;
  return words === url || `mailto:${words}` === url ? children : [...children, textOf(` (${url})`)];
}

/** How a surface of text lines writes each element. None of these may add or remove a line. */
export interface LineDialect {
  text: (text: string) => string;
  code: (text: string) => string;
  strong: (words: string) => string;
  emphasis: (words: string) => string;
  /** @param plain the words before the dialect's own marks */
  link: (words: string, url: string, plain: string) => string;
  heading: (words: string) => string;
  bullet: string;
  quote: string;
  rule: string;
}

const same = (text: string) => text;

/** Readable text without marks, for the calendar and the kneeboard. */
const PLAIN_LINES: LineDialect = {
  text: same,
  code: same,
  strong: same,
  emphasis: same,
  link: (words, url, plain) => (plain === url ? url : `${words} (${url})`),
  heading: same,
  bullet: '• ',
  quote: '> ',
  rule: '———',
};

/** The text as lines. Lines of all dialects correspond to each other. */
export function markdownLines(text: string, dialect: LineDialect = PLAIN_LINES): string[] {
  return blockLines(readMarkdown(text), dialect);
}

function blockLines(blocks: readonly Block[], dialect: LineDialect): string[] {
  return blocks.flatMap((block) => [...(block.isApart ? [''] : []), ...linesOfBlock(block, dialect)]);
}

function linesOfBlock(block: Block, dialect: LineDialect): string[] {
  const written = (children: readonly Inline[]) => inlineText(children, dialect).split('\n');
  switch (block.kind) {
    case 'paragraph':
      return written(block.children);
    case 'heading':
      return written(block.children).map(dialect.heading);
    case 'code':
      return block.text.split('\n').map((line) => (line === '' ? '' : dialect.code(line)));
    case 'rule':
      return [dialect.rule];
    case 'quote':
      return blockLines(block.children, dialect).map((line) => `${dialect.quote}${line}`);
    case 'list':
      return block.items.flatMap((item, index) => {
        const mark = block.start === null ? dialect.bullet : `${block.start + index}. `;
        const [first = '', ...rest] = blockLines(item, dialect);
        return [`${mark}${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))];
      });
  }
}

/** Marks do not reach over line breaks, so that a text can be cut after any line. */
const perLine = (text: string, mark: (line: string) => string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : mark(line)))
    .join('\n');

function inlineText(inlines: readonly Inline[], dialect: LineDialect): string {
  return inlines
    .map((inline) => {
      switch (inline.kind) {
        case 'text':
          return dialect.text(inline.text);
        case 'code':
          return dialect.code(inline.text);
        case 'break':
          return '\n';
        case 'strong':
        case 'emphasis':
          return perLine(inlineText(inline.children, dialect), dialect[inline.kind]);
        case 'link': {
          const plain = inlineText(inline.children, PLAIN_LINES).replaceAll('\n', ' ');
          return dialect.link(inlineText(inline.children, dialect).replaceAll('\n', ' '), inline.url, plain);
        }
      }
    })
    .join('');
}
