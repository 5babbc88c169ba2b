/** Renders Markdown as React elements: no HTML is ever made from the text. */
import type { ReactNode } from 'react';
import { byPlace } from '#client/lib/by-place.ts';
import { readMarkdown, type Block, type Inline } from '#shared/markdown.ts';
import { OutsideLink } from './outside-link.tsx';
import classes from './notes.module.css';

export function MarkdownText({ texts }: { texts: readonly string[] }) {
  return <div className={classes.notes}>{blocksOf(texts.flatMap(readMarkdown))}</div>;
}

const blocksOf = (blocks: readonly Block[]): ReactNode => byPlace(blocks, blockOf);

function blockOf(block: Block): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inlinesOf(block.children)}</p>;
    // not a heading element, since notes stand at any level of a page
    case 'heading':
      return (
        <p>
          <strong>{inlinesOf(block.children)}</strong>
        </p>
      );
    case 'list': {
      const items = byPlace(block.items, (item) => <li>{blocksOf(item)}</li>);
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case 'quote':
      return <blockquote>{blocksOf(block.children)}</blockquote>;
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
  }
}

const inlinesOf = (inlines: readonly Inline[]): ReactNode => byPlace(inlines, inlineOf);

function inlineOf(inline: Inline): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'break':
      return <br />;
    case 'strong':
      return <strong>{inlinesOf(inline.children)}</strong>;
    case 'emphasis':
      return <em>{inlinesOf(inline.children)}</em>;
    case 'link':
      return <OutsideLink url={inline.url}>{inlinesOf(inline.children)}</OutsideLink>;
  }
}
