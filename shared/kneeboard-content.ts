/** The text of a kneeboard card, for both the image and the printed sheet. */
import { dateShift, dateShiftMark, formatDate, formatLocal, formatZulu, isZuluZone } from './clock.ts';
import { NAMELESS } from './labels.ts';
import { eachField, keysOf, MISSION_TEXTS } from './mission-fields.ts';
import type { MissionLink } from './schemas/mission-links.ts';
import { FACT_LABELS, notesOf, type ShownOn } from './order-facts.ts';
import type { AcceptedMissionDto } from './schemas/pilot.ts';
import type { Side } from './vocabulary.ts';

/** One instant: `1905Z`, `2005L`, and `+1` or `−1` when the local date is not the Zulu date. */
export interface CardTime {
  label: string;
  zulu: string;
  local: string;
  shift: string;
}

/** A labelled value; null if it is not assigned. */
export interface CardBox {
  label: string;
  value: string | null;
}

export interface CardFlight {
  callsign: string;
  aircraft: string;
  radio: string | null;
  isOwn: boolean;
  /** call sign of the pilot who accepted each seat; null if nobody has */
  seats: (string | null)[];
}

type CardFact = ShownOn<'kneeboard'>;
type TimeFact = Extract<CardFact, `${string}Utc`>;
/** Facts that are boxes: all except in the header, the notes and the footer. */
type BoxFact = Exclude<
  CardFact,
  TimeFact | 'missionName' | 'theater' | 'role' | 'side' | 'texts' | 'links' | 'issuedAt'
>;
type Box = (order: AcceptedMissionDto) => CardBox;

/** All text on a card, formatted, from top to bottom; cards with equal text are the same image. */
export interface KneeboardCard {
  label: string;
  mission: string;
  theater: string;
  role: string;
  side: Side;
  dateZulu: string;
  dateLocal: string;
  zone: string;
  times: CardTime[];
  seat: Record<keyof typeof SEAT_ROW, CardBox>;
  radio: Record<keyof typeof RADIO_ROW, CardBox>;
  /** flights of the package, the pilot's own first */
  flights: CardFlight[];
  /** Markdown */
  notes: string[];
  links: MissionLink[];
  footer: { pilot: string; issued: string; host: string };
}

/** Headings of a card's parts; the local date is headed by its zone. */
export const CARD_HEADINGS = {
  dateZulu: 'Zulu',
  flights: 'Package flights',
  notes: MISSION_TEXTS.notes.words,
} as const satisfies Partial<Record<keyof KneeboardCard, string>>;

const TIME_LABELS: Record<TimeFact, string> = {
  startUtc: FACT_LABELS.startUtc,
  launchUtc: FACT_LABELS.launchUtc,
  totUtc: FACT_LABELS.totUtc,
  endUtc: FACT_LABELS.endUtc,
};

const ownFlight = ({ package: { composition }, flightCallsign }: AcceptedMissionDto) =>
  composition.find(({ callsign }) => callsign === flightCallsign);

const SEAT_ROW = {
  flightCallsign: ({ flightCallsign }) => ({ label: FACT_LABELS.flightCallsign, value: flightCallsign }),
  seatIndex: (order) => ({
    label: FACT_LABELS.seatIndex,
    value: `${order.seatIndex + 1} of ${ownFlight(order)?.seats ?? order.seatIndex + 1}`,
  }),
  aircraftName: ({ aircraftName }) => ({ label: FACT_LABELS.aircraftName, value: aircraftName }),
} satisfies Record<string, Box>;

const RADIO_ROW = {
  radioFreq: ({ radioFreq }) => ({ label: FACT_LABELS.radioFreq, value: radioFreq }),
  package: ({ package: { callsign, objective } }) => ({ label: `Package ${callsign}`, value: objective }),
} satisfies Record<string, Box>;

const BOXES: Record<BoxFact, Box> = { ...SEAT_ROW, ...RADIO_ROW };

function timesOf(order: AcceptedMissionDto, zone: string): CardTime[] {
  return keysOf(TIME_LABELS).flatMap((fact) => {
    const instant = order[fact];
    if (instant === null) return [];
    const shift = dateShiftMark(dateShift(instant, zone));
    const local = isZuluZone(zone) ? '' : formatLocal(instant, zone);
    return [{ label: TIME_LABELS[fact], zulu: formatZulu(instant), local, shift }];
  });
}

function flightsOf({ package: { composition }, flightCallsign }: AcceptedMissionDto): CardFlight[] {
  return composition
    .map(({ callsign, aircraftName, radioFreq, pilots }) => ({
      callsign,
      aircraft: aircraftName,
      radio: radioFreq,
      isOwn: callsign === flightCallsign,
      seats: pilots,
    }))
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn));
}

/**
 * The text of the card of an accepted order.
 * @param zone time zone of the `L` times
 * @param host the site's address, in the footer
 */
export function describeKneeboard(order: AcceptedMissionDto, zone: string, host: string): KneeboardCard {
  const { startUtc, issuedAt } = order;
  return {
    label: order.label,
    mission: order.missionName,
    theater: order.theater,
    role: order.role,
    side: order.side,
    dateZulu: formatDate(startUtc, 'UTC'),
    dateLocal: formatDate(startUtc, zone),
    zone,
    times: timesOf(order, zone),
    seat: eachField(keysOf(SEAT_ROW), (fact) => BOXES[fact](order)),
    radio: eachField(keysOf(RADIO_ROW), (fact) => BOXES[fact](order)),
    flights: flightsOf(order),
    notes: notesOf(order),
    links: order.links,
    footer: {
      pilot: ownFlight(order)?.pilots[order.seatIndex] ?? NAMELESS,
      issued: `issued ${formatDate(issuedAt, 'UTC')}, ${formatZulu(issuedAt)}`,
      host,
    },
  };
}
