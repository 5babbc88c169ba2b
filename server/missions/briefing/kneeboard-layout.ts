/** The layout of a kneeboard card: long content shrinks, is cut with an ellipsis, or is counted ("+3 more flights"). */
import { CARD_HEADINGS, type KneeboardCard } from '#shared/kneeboard-content.ts';
import { sideName } from '#shared/labels.ts';
import { markdownLines } from '#shared/markdown.ts';
import { keysOf } from '#shared/mission-fields.ts';
import { linkWords } from '#shared/mission-links.ts';
import { NOT_ASSIGNED } from '#shared/order-facts.ts';
import { SIDES, type KneeboardScheme } from '#shared/vocabulary.ts';
import {
  BODY,
  box,
  CARD_COLOURS,
  CARD_SIZE,
  cell,
  cells,
  DATA,
  FRAME,
  FRAMES,
  INNER,
  line,
  lines,
  MARGIN,
  mark,
  PAD,
  PLATE,
  plate,
  row,
  sizeFor,
  WAYPOINT,
  WIDTH,
  type CardNode,
  type Colours,
  type SizeSteps,
} from './kneeboard-elements.ts';
import { drawFlights } from './kneeboard-flights.ts';

/** characters of a zone's name beside its date */
const ZONE_ROOM = 20;
/** one ruled line of the notes */
const RULE = 28;
/** minimum number of characters that fit into a line of the notes */
const NOTES_LINE = 60;
/** maximum number of characters in a line of the notes: layout takes time for those that are cut, too */
const NOTES_LINE_MOST = 140;
/** A word that is broken is measured a little shorter than it is drawn. */
const LONG_WORD = /\S{50}/;
const LONG_WORD_SLACK = 36;
const HEIGHTS = { head: 48, title: 86, dates: 34, times: 104, seat: 78, radio: 92, heading: 30, footer: 34 } as const;
function head(card: KneeboardCard, colours: Colours): CardNode {
  const side = card.side === SIDES.blue ? colours.blue : colours.red;
  return box(
    {
      width: '100%',
      height: HEIGHTS.head,
      flexShrink: 0,
      alignItems: 'center',
      backgroundColor: colours.ink,
      color: colours.paper,
    },
    line(card.label, { fontFamily: DATA, fontWeight: 700, fontSize: 30, padding: `0 ${PAD}px`, letterSpacing: 1 }),
    line(`${card.theater} · ${card.role}`, {
      fontFamily: PLATE,
      fontWeight: 600,
      fontSize: 22,
      flexGrow: 1,
      padding: `0 ${PAD}px`,
    }),
    box(
      {
        height: HEIGHTS.head - 4,
        marginRight: 2,
        padding: `0 ${PAD}px`,
        alignItems: 'center',
        gap: 8,
        backgroundColor: colours.paper,
        color: side,
        flexShrink: 0,
      },
      mark(FRAMES[card.side], side, 24),
      line(sideName(card.side).toUpperCase(), { fontFamily: PLATE, fontWeight: 600, fontSize: 22, letterSpacing: 1 }),
    ),
  );
}

function title(card: KneeboardCard, colours: Colours): CardNode {
  const fontSize = sizeFor(card.mission, [32, 42], [42, 34], [Infinity, 29]);
  return row(
    HEIGHTS.title,
    { ...colours },
    box(
      { width: '100%', alignItems: 'center', padding: `0 ${PAD}px` },
      lines(card.mission, fontSize > 30 ? 1 : 2, {
        width: INNER - 2 * PAD,
        fontFamily: PLATE,
        fontWeight: 600,
        fontSize,
      }),
    ),
  );
}

/** `Europe/Berlin`; for long names only the place. */
function zoneName(zone: string): string {
  const words = zone.replaceAll('_', ' ');
  return words.length <= ZONE_ROOM ? words : (words.split('/').at(-1) ?? words);
}

function dates(card: KneeboardCard, colours: Colours): CardNode {
  const date = (label: string, value: string) =>
    box(
      { width: INNER / 2, padding: `0 ${PAD}px`, gap: 10, alignItems: 'center' },
      box({ flexShrink: 0, maxWidth: 172 }, plate(label, colours)),
      line(value, { fontFamily: BODY, fontWeight: 700, fontSize: 18, flexShrink: 0 }),
    );
  return row(
    HEIGHTS.dates,
    colours,
    date(CARD_HEADINGS.dateZulu, card.dateZulu),
    date(zoneName(card.zone), card.dateLocal),
  );
}

function times(card: KneeboardCard, colours: Colours): CardNode {
  const width = INNER / card.times.length - 1;
  return cells(
    HEIGHTS.times,
    colours,
    ...card.times.map(({ label, zulu, local, shift }) =>
      cell(
        width,
        label,
        colours,
        line(zulu, { fontFamily: DATA, fontWeight: 700, fontSize: 40, lineHeight: 1.1 }),
        box(
          { alignItems: 'center', gap: 8 },
          line(local, { fontFamily: DATA, fontSize: 23, color: colours.dimmed }),
          ...(shift === '' ? [] : [line(shift, { fontFamily: DATA, fontWeight: 700, fontSize: 20, flexShrink: 0 })]),
        ),
      ),
    ),
  );
}

/** Boxes for the pilot's own seat: how wide each is, and how its value is set. */
const SEAT_BOXES: Record<keyof KneeboardCard['seat'], { width: number; fontFamily: string; sizes: SizeSteps }> = {
  flightCallsign: {
    width: 270,
    fontFamily: DATA,
    sizes: [
      [11, 32],
      [14, 25],
      [Infinity, 21],
    ],
  },
  seatIndex: { width: 150, fontFamily: DATA, sizes: [[Infinity, 30]] },
  aircraftName: {
    width: 294,
    fontFamily: BODY,
    sizes: [
      [16, 30],
      [22, 24],
      [Infinity, 20],
    ],
  },
};

function seat(card: KneeboardCard, colours: Colours): CardNode {
  return cells(
    HEIGHTS.seat,
    colours,
    ...keysOf(SEAT_BOXES).map((fact) => {
      const { width, fontFamily, sizes } = SEAT_BOXES[fact];
      const { label, value } = card.seat[fact];
      const text = value ?? NOT_ASSIGNED;
      return cell(
        width,
        label,
        colours,
        line(text, { fontFamily, fontWeight: 700, fontSize: sizeFor(text, ...sizes) }),
      );
    }),
  );
}

/** `251.000 AM`: the number to dial large, the modulation beside it. */
function frequency(text: string): CardNode {
  const [number = text, ...rest] = text.split(' ');
  return box(
    { alignItems: 'baseline', gap: 8 },
    line(number, { fontFamily: BODY, fontWeight: 700, fontSize: 48, lineHeight: 1.1 }),
    ...(rest.length === 0 ? [] : [line(rest.join(' '), { fontFamily: BODY, fontSize: 24, flexShrink: 0 })]),
  );
}

/** Boxes of the radio and the package: how wide each is, and how its value is drawn. */
const RADIO_BOXES: Record<
  keyof KneeboardCard['radio'],
  { width: number; draw: (value: string, width: number) => CardNode }
> = {
  radioFreq: { width: 270, draw: frequency },
  package: {
    width: 445,
    draw: (objective, width) =>
      lines(objective, 2, {
        width,
        fontFamily: BODY,
        fontWeight: 700,
        fontSize: sizeFor(objective, [24, 29], [Infinity, 24]),
      }),
  },
};

function radio(card: KneeboardCard, colours: Colours): CardNode {
  return cells(
    HEIGHTS.radio,
    colours,
    ...keysOf(RADIO_BOXES).map((fact) => {
      const { width, draw } = RADIO_BOXES[fact];
      const { label, value } = card.radio[fact];
      const content =
        value === null
          ? line(NOT_ASSIGNED, { fontFamily: BODY, fontSize: 28, color: colours.dimmed, lineHeight: 1.6 })
          : draw(value, width - 2 * PAD);
      return cell(width, label, colours, content);
    }),
  );
}

/** Keeps line breaks if there is room for all lines; otherwise one run of text, which visibly ends in an ellipsis. */
function fitNotes(paragraphs: readonly string[], count: number): string {
  const needed = paragraphs.reduce((sum, one) => sum + Math.max(1, Math.ceil(one.length / NOTES_LINE)), 0);
  if (needed <= count) return paragraphs.join('\n');
  const written = paragraphs.filter((one) => one.trim() !== '');
  if (written.length < paragraphs.length) return fitNotes(written, count);
  const run = written.join(' / ');
  return run.slice(0, count * NOTES_LINE_MOST);
}

/** Ruled lines down to the foot of the card: the order's notes, then space for pencil notes. */
function notes(card: KneeboardCard, height: number, colours: Colours): CardNode {
  const count = Math.floor(height / RULE);
  const paragraphs = [...card.notes.flatMap((one) => markdownLines(one)), ...card.links.map(linkWords)];
  const text = fitNotes(paragraphs, count);
  const rules = Array.from({ length: count }, (_, index) =>
    box({
      position: 'absolute',
      left: 0,
      top: (index + 1) * RULE,
      width: INNER,
      height: 1,
      backgroundColor: colours.rule,
    }),
  );
  return box(
    { position: 'relative', width: '100%', height },
    ...rules,
    ...(text === ''
      ? []
      : [
          lines(text, count, {
            width: INNER - 2 * PAD - (LONG_WORD.test(text) ? LONG_WORD_SLACK : 0),
            margin: `0 ${PAD}px`,
            fontFamily: BODY,
            fontSize: 20,
            lineHeight: `${RULE}px`,
            whiteSpace: 'pre-wrap',
          }),
        ]),
  );
}

function heading(text: string, colours: Colours): CardNode {
  return row(
    HEIGHTS.heading,
    colours,
    box({ padding: `0 ${PAD}px`, alignItems: 'center', width: '100%' }, plate(text, colours)),
  );
}

function footer({ footer: { pilot, issued, host } }: KneeboardCard, colours: Colours): CardNode {
  const word = { fontFamily: BODY, fontSize: 16, color: colours.dimmed };
  return box(
    { width: WIDTH, height: HEIGHTS.footer, alignItems: 'center', gap: 12 },
    mark(WAYPOINT, colours.course, 15),
    line('MARSHAL', { ...word, fontFamily: PLATE, fontWeight: 600, letterSpacing: 1, flexShrink: 0 }),
    line(pilot, { ...word, color: colours.ink, width: 260, flexGrow: 1 }),
    line(issued, { ...word, flexShrink: 0 }),
    line(host, { ...word, maxWidth: 200, flexShrink: 0 }),
  );
}

/** The card as a tree of boxes, 768 x 1024 px. */
export function layOutCard(card: KneeboardCard, scheme: KneeboardScheme): CardNode {
  const colours = CARD_COLOURS[scheme];
  const flights = drawFlights(card.flights, colours);
  const above =
    HEIGHTS.head +
    HEIGHTS.title +
    HEIGHTS.dates +
    HEIGHTS.times +
    HEIGHTS.seat +
    HEIGHTS.radio +
    2 * HEIGHTS.heading +
    flights.height;
  const form = CARD_SIZE.height - MARGIN - HEIGHTS.footer;
  return box(
    {
      ...CARD_SIZE,
      flexDirection: 'column',
      padding: `${MARGIN}px ${MARGIN}px 0`,
      backgroundColor: colours.paper,
      color: colours.ink,
    },
    box(
      {
        flexDirection: 'column',
        width: WIDTH,
        height: form,
        border: `${FRAME}px solid ${colours.line}`,
      },
      head(card, colours),
      title(card, colours),
      dates(card, colours),
      times(card, colours),
      seat(card, colours),
      radio(card, colours),
      heading(CARD_HEADINGS.flights, colours),
      ...flights.rows,
      heading(CARD_HEADINGS.notes, colours),
      notes(card, form - 2 * FRAME - above, colours),
    ),
    footer(card, colours),
  );
}
