/**
 * Drawing elements of a kneeboard card: boxes of fixed height and lines that truncate themselves, so that no content
 * can push another off the card; the colours of both schemes.
 */
import { SIDES, type KneeboardScheme, type Side } from '#shared/vocabulary.ts';

export const CARD_SIZE = { width: 768, height: 1024 } as const;

/** Day is kneeboard paper, night the cockpit panel; the client's theme has the same values, and a test compares them. */
export const CARD_COLOURS = {
  day: {
    paper: '#fbfaf6',
    ink: '#23221d',
    dimmed: '#5e5c55',
    line: '#7e7c74',
    rule: '#dfdcd2',
    course: '#9d2192',
    blue: '#1860b5',
    red: '#b51723',
  },
  night: {
    paper: '#0c1519',
    ink: '#dee4e7',
    dimmed: '#a4aeb3',
    line: '#5c6a71',
    rule: '#1e2a2f',
    course: '#fc9bef',
    blue: '#9bc5ff',
    red: '#ffa8a0',
  },
} as const;
export type Colours = (typeof CARD_COLOURS)[KneeboardScheme];

export type Style = Record<string, string | number>;
/** An element for the renderer: React's shape, without React. */
export interface CardNode {
  type: string;
  key: null;
  props: { style?: Style; children?: (CardNode | string)[] } & Record<string, unknown>;
}

export const PLATE = "'Plate', 'Plate Ext', 'Body', 'Body Ext'";
export const BODY = "'Body', 'Body Ext'";
export const DATA = "'Data', 'Body', 'Body Ext'";

export const MARGIN = 24;
export const WIDTH = CARD_SIZE.width - 2 * MARGIN;
export const FRAME = 2;
/** between the frame's lines */
export const INNER = WIDTH - 2 * FRAME;
export const PAD = 12;

export function box(style: Style, ...children: (CardNode | string)[]): CardNode {
  return { type: 'div', key: null, props: { style: { display: 'flex', boxSizing: 'border-box', ...style }, children } };
}

/**
 * Up to `count` lines, the last one cut with an ellipsis. Never use `overflow: hidden`: each such box becomes a mask as large
 * as the card, and rasterizing these takes three times as long as everything else.
 */
export function lines(text: string, count: number, style: Style): CardNode {
  return box({ display: 'block', lineClamp: count, wordBreak: 'break-word', lineHeight: 1.15, ...style }, text);
}

/** One line, cut with an ellipsis where its box ends. */
export function line(text: string, style: Style): CardNode {
  return lines(text, 1, {
    wordBreak: 'break-all',
    lineHeight: 1.2,
    flexShrink: 1,
    minWidth: 0,
    maxWidth: '100%',
    ...style,
  });
}

export type SizeSteps = readonly (readonly [upTo: number, size: number])[];

/** A font size at which the text probably fits: the size of the first step whose length it does not exceed. */
export function sizeFor(text: string, ...steps: SizeSteps): number {
  const { length } = Array.from(text);
  const step = steps.find(([upTo]) => length <= upTo) ?? steps.at(-1);
  return step?.[1] ?? 16;
}

export function mark(path: string, colour: string, size: number): CardNode {
  return {
    type: 'svg',
    key: null,
    props: {
      width: size,
      height: size,
      viewBox: '0 0 20 20',
      style: { flexShrink: 0 },
      children: [
        { type: 'path', key: null, props: { d: path, fill: 'none', stroke: colour, 'stroke-width': 2.25 } },
      ] as CardNode[],
    },
  };
}

export const FRAMES: Record<Side, string> = {
  [SIDES.blue]: 'M2 4.5h16v11H2z',
  [SIDES.red]: 'm10 2 8 8-8 8-8-8z',
};
export const WAYPOINT = 'm10 3 7 7-7 7-7-7z';

/** The label above a value, in small capitals. */
export function plate(text: string, colours: Colours): CardNode {
  return line(text.toUpperCase(), {
    fontFamily: PLATE,
    fontSize: 15,
    fontWeight: 600,
    letterSpacing: 1,
    color: colours.dimmed,
  });
}

export function cell(width: number, label: string, colours: Colours, ...content: CardNode[]): CardNode {
  return box(
    { flexDirection: 'column', width, height: '100%', padding: `8px ${PAD}px 0`, flexShrink: 0 },
    plate(label, colours),
    ...content,
  );
}

export function row(height: number, colours: Colours, ...children: CardNode[]): CardNode {
  return box({ width: '100%', height, flexShrink: 0, borderBottom: `1px solid ${colours.line}` }, ...children);
}

/** Cells side by side, with a seam between them. */
export function cells(height: number, colours: Colours, ...children: CardNode[]): CardNode {
  const seam = box({ width: 1, height, flexShrink: 0, backgroundColor: colours.line });
  return row(height, colours, ...children.flatMap((child, index) => (index === 0 ? [child] : [seam, child])));
}
