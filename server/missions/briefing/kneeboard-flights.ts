/** The package on a kneeboard card: every flight with its radio frequency, and pilots as far as there is room. */
import type { CardFlight } from '#shared/kneeboard-content.ts';
import {
  BODY,
  box,
  DATA,
  INNER,
  line,
  mark,
  PAD,
  row,
  WAYPOINT,
  type CardNode,
  type Colours,
} from './kneeboard-elements.ts';

/** Flights with their pilots: tall rows for up to five, shorter ones for up to seven; more become a list of frequencies. */
const ROOMY = { most: 5, height: 62 } as const;
const CLOSE = { most: 7, height: 48 } as const;
const LISTED = { most: 16, height: 27 } as const;

/** Marks the pilot's own flight: the magenta line with a waypoint, so that colour is not the only sign. */
function ownMark({ isOwn }: CardFlight, colours: Colours): CardNode {
  return box(
    {
      width: 32,
      height: '100%',
      alignItems: 'center',
      justifyContent: 'center',
      borderLeft: isOwn ? `6px solid ${colours.course}` : `6px solid ${colours.paper}`,
      flexShrink: 0,
    },
    ...(isOwn ? [mark(WAYPOINT, colours.course, 16)] : []),
  );
}

function seats(flight: CardFlight, size: number, colours: Colours): CardNode {
  // a flight of two has twice the room for each name
  const width = (INNER - 32 - PAD) / Math.max(1, flight.seats.length);
  return box(
    { width: '100%' },
    ...flight.seats.map((pilot, index) =>
      box(
        { width, gap: 6, alignItems: 'center' },
        line(String(index + 1), { fontFamily: DATA, fontSize: size - 2, color: colours.dimmed, flexShrink: 0 }),
        line(pilot ?? '—', {
          width: width - 26,
          fontFamily: BODY,
          fontSize: size,
          fontWeight: flight.isOwn ? 700 : 400,
          color: pilot === null ? colours.dimmed : colours.ink,
        }),
      ),
    ),
  );
}

function crew(flight: CardFlight, height: number, colours: Colours): CardNode {
  const size = height === ROOMY.height ? 20 : 17;
  // a long callsign takes room from the aircraft's name
  const named = Math.min(320, Math.max(220, Math.ceil(flight.callsign.length * size * 0.65)));
  return row(
    height,
    colours,
    ownMark(flight, colours),
    box(
      { flexDirection: 'column', width: INNER - 32 - PAD, height: '100%', justifyContent: 'center' },
      box(
        { width: '100%', alignItems: 'center' },
        line(flight.callsign, { width: named, fontFamily: DATA, fontWeight: 700, fontSize: size, flexShrink: 0 }),
        line(flight.aircraft, {
          width: 520 - named,
          fontFamily: BODY,
          fontSize: size,
          color: colours.dimmed,
          flexShrink: 0,
        }),
        line(flight.radio ?? '—', {
          width: INNER - 32 - PAD - 520,
          textAlign: 'right',
          fontFamily: BODY,
          fontWeight: 700,
          fontSize: size,
          flexShrink: 0,
        }),
      ),
      seats(flight, size - 1, colours),
    ),
  );
}

/** Two flights of a large package in one row, with callsign and frequency. */
function listed(pair: readonly CardFlight[], colours: Colours): CardNode {
  const width = INNER / 2;
  return row(
    LISTED.height,
    colours,
    ...pair.map((flight) =>
      box(
        { width, padding: `0 ${PAD}px`, alignItems: 'center' },
        line(flight.callsign, { width: 134, fontFamily: DATA, fontSize: 15, flexShrink: 0 }),
        line(flight.aircraft, { width: 98, fontFamily: BODY, fontSize: 16, color: colours.dimmed, flexShrink: 0 }),
        line(flight.radio ?? '—', {
          width: width - 2 * PAD - 236,
          textAlign: 'right',
          fontFamily: BODY,
          fontWeight: 700,
          fontSize: 16,
          flexShrink: 0,
        }),
      ),
    ),
  );
}

/**
 * @param flights the pilot's own one first
 * @returns the rows and their total height in px
 */
export function drawFlights(flights: readonly CardFlight[], colours: Colours): { rows: CardNode[]; height: number } {
  const size = flights.length <= ROOMY.most ? ROOMY : flights.length <= CLOSE.most ? CLOSE : null;
  if (size) {
    return {
      rows: flights.map((flight) => crew(flight, size.height, colours)),
      height: flights.length * size.height,
    };
  }
  const [first, ...rest] = flights;
  const shown = rest.length <= LISTED.most ? rest : rest.slice(0, LISTED.most - 2);
  const pairs = Array.from({ length: Math.ceil(shown.length / 2) }, (_, index) =>
    shown.slice(2 * index, 2 * index + 2),
  );
  const rows = [
    ...(first ? [crew(first, ROOMY.height, colours)] : []),
    ...pairs.map((pair) => listed(pair, colours)),
    ...(shown.length < rest.length
      ? [
          row(
            LISTED.height,
            colours,
            line(`+${rest.length - shown.length} more flights`, {
              padding: `3px ${PAD}px`,
              fontFamily: BODY,
              fontSize: 16,
              color: colours.dimmed,
            }),
          ),
        ]
      : []),
  ];
  return { rows, height: ROOMY.height + (rows.length - 1) * LISTED.height };
}
