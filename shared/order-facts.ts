/**
 * The facts of a frag order, and the surfaces that show each one: the order page, the cards on /home, the direct message
 * in Discord, the kneeboard and the calendar entry. Every surface is made from the order as the API returns it.
 */
import { MISSION_TEXT_KEYS, MISSION_TEXTS } from './mission-fields.ts';
import type { AcceptedMissionDto } from './schemas/pilot.ts';

/** Fields with an order's identity and state; each surface has its own words and buttons for them. */
type StateField =
  | 'id'
  | 'seq'
  | 'label'
  | 'missionId'
  | 'isPractice'
  | 'status'
  | 'statusReason'
  | 'rsvp'
  | 'expiresAt'
  | 'confirmedAt'
  | 'asksConfirmation'
  | 'standbyPosition'
  | 'changedAt';

/** `texts` are the notes of the flight and all `MISSION_TEXTS`, see `orderTexts`. */
type OrderFact = Exclude<keyof AcceptedMissionDto, StateField | 'notes' | 'missionTexts'> | 'texts';

/** `inbox` and `tile` are the cards of pending and accepted orders; `kneeboard` is both the image and the printed sheet. */
export type Surface = 'page' | 'inbox' | 'tile' | 'dm' | 'kneeboard' | 'calendar';

/** The surfaces of each fact. A new field of an order does not compile without a row here or in `StateField`. */
export const SURFACES = {
  missionName: { page: true, inbox: true, tile: true, dm: true, kneeboard: true, calendar: true },
  /** role, aircraft and seat in a few words */
  title: { page: true, inbox: true, tile: true, dm: false, kneeboard: false, calendar: false },
  theater: { page: true, inbox: true, tile: true, dm: false, kneeboard: true, calendar: true },
  flightCallsign: { page: true, inbox: true, tile: true, dm: true, kneeboard: true, calendar: true },
  seatIndex: { page: true, inbox: false, tile: false, dm: true, kneeboard: true, calendar: true },
  aircraftName: { page: true, inbox: true, tile: true, dm: true, kneeboard: true, calendar: true },
  role: { page: true, inbox: false, tile: false, dm: true, kneeboard: true, calendar: true },
  side: { page: true, inbox: true, tile: true, dm: true, kneeboard: true, calendar: true },
  level: { page: true, inbox: false, tile: true, dm: false, kneeboard: false, calendar: false },
  startUtc: { page: true, inbox: true, tile: true, dm: true, kneeboard: true, calendar: true },
  launchUtc: { page: true, inbox: true, tile: true, dm: true, kneeboard: true, calendar: true },
  totUtc: { page: true, inbox: false, tile: true, dm: true, kneeboard: true, calendar: true },
  endUtc: { page: true, inbox: false, tile: false, dm: false, kneeboard: true, calendar: true },
  radioFreq: { page: true, inbox: false, tile: true, dm: true, kneeboard: true, calendar: true },
  package: { page: true, inbox: false, tile: true, dm: true, kneeboard: true, calendar: true },
  texts: { page: true, inbox: false, tile: true, dm: true, kneeboard: true, calendar: true },
  links: { page: true, inbox: false, tile: true, dm: true, kneeboard: true, calendar: true },
  reasons: { page: true, inbox: true, tile: true, dm: true, kneeboard: false, calendar: false },
  changes: { page: true, inbox: true, tile: true, dm: true, kneeboard: false, calendar: false },
  issuedAt: { page: true, inbox: false, tile: false, dm: false, kneeboard: true, calendar: false },
} as const satisfies Record<OrderFact, Record<Surface, boolean>>;

/** The facts that a surface shows. Its renderers are a record of these, so a missing one does not compile. */
export type ShownOn<S extends Surface> = {
  [F in OrderFact]: true extends (typeof SURFACES)[F][S] ? F : never;
}[OrderFact];

/** An order with the facts that its row has: all except the pilot's level and the package. */
export type OrderFacts = Omit<AcceptedMissionDto, 'level' | 'package'>;

/** An order with its package, as messages show it. */
export type PackagedOrder = Omit<AcceptedMissionDto, 'level'>;

/** Labels of the facts that are shown as boxes or rows. */
export const FACT_LABELS = {
  flightCallsign: 'Flight',
  seatIndex: 'Seat',
  aircraftName: 'Aircraft',
  role: 'Role',
  side: 'Side',
  level: 'Level',
  startUtc: 'Brief',
  launchUtc: 'Launch',
  totUtc: 'TOT',
  endUtc: 'End',
  radioFreq: 'Radio',
  links: 'Links',
  reasons: 'Why you',
  changes: 'What changed',
} as const satisfies Partial<Record<OrderFact, string>>;

/** Shown for a radio without a frequency. */
export const NOT_ASSIGNED = 'not assigned';

interface OrderText {
  key: (typeof MISSION_TEXT_KEYS)[number];
  label: string;
  /** Markdown, one text per author's field, since two joined texts would read differently */
  parts: string[];
}

type Texts = Pick<OrderFacts, 'notes' | 'missionTexts'>;

/**
 * The texts that admins wrote for a pilot: the mission's with their labels, and the notes, the flight's before the
 * mission's. Notes come last, since they may be long and some surfaces cut them.
 */
export function orderTexts({ notes, missionTexts }: Texts): OrderText[] {
  return MISSION_TEXT_KEYS.toSorted((a, b) => Number(a === 'notes') - Number(b === 'notes')).flatMap((key) => {
    const texts = [key === 'notes' ? notes : null, missionTexts[key]].filter((text) => text !== null);
    return texts.length === 0 ? [] : [{ key, label: MISSION_TEXTS[key].words, parts: texts }];
  });
}

/** The same for below a heading "Notes": the other texts follow their labels. Markdown, [] if there are no texts. */
export function notesOf(order: Texts): string[] {
  return orderTexts(order).flatMap(({ label, parts }) =>
    label === MISSION_TEXTS.notes.words ? parts : parts.map((text) => `${label}: ${text}`),
  );
}
