/**
 * The editable fields of a mission and of its flights, one row each. The input schemas, an edit with its audit and its
 * order changes, and the client's forms walk these tables, so a field that one of them lacks is a type error.
 */
import { BRIEFING_NOTES_MAX_LENGTH } from './limits.ts';

interface ChangeRules {
  /** the field's name in sentences about a change */
  words: string;
  /** material: an accepted seat must be accepted again; small: the pilot is only notified; null: orders do not mention it */
  orders: 'material' | 'small' | null;
  /** a time that moves by fewer minutes is a small change */
  materialMinutes?: number;
  /** true when it can change after the mission has started */
  isEditableUnderWay: boolean;
  /** text typed by people, which the audit log quotes */
  isFreeText?: true;
}

interface TextRules extends ChangeRules {
  isFreeText: true;
  /** code points */
  maxLength: number;
  /** height of the text area, lines */
  rows: number;
}

/** The keys of a table, typed. */
export const keysOf = <K extends string>(table: Record<K, unknown>) => Object.keys(table) as K[];

/** A mission's optional texts in Markdown: null when blank, entered in a text area. */
export const MISSION_TEXTS = {
  notes: {
    words: 'Notes',
    orders: 'small',
    isEditableUnderWay: true,
    isFreeText: true,
    maxLength: BRIEFING_NOTES_MAX_LENGTH,
    rows: 3,
  },
} as const satisfies Record<string, TextRules>;

/** A mission's own text fields. Its times are entered as two wall times and a zone and stored as two instants. */
const MISSION_FIELDS = {
  name: { words: 'Name', orders: null, isEditableUnderWay: false, isFreeText: true },
  theater: { words: 'Theater', orders: null, isEditableUnderWay: false },
  ...MISSION_TEXTS,
} as const satisfies Record<string, ChangeRules>;

const TIMES = {
  start: { words: 'Start', orders: 'material', isEditableUnderWay: false },
  end: { words: 'End', orders: 'material', isEditableUnderWay: true },
} as const satisfies Record<string, ChangeRules>;

/**
 * Changes of a flight that its orders mention, in display order. A callsign changes with its flight, or when it clashes at
 * the new times. An order shows the notes of the flight and of its mission as one line.
 */
const FLIGHT_CHANGES = {
  side: { words: 'Side', orders: 'material', isEditableUnderWay: false },
  aircraft: { words: 'Aircraft', orders: 'material', isEditableUnderWay: false },
  role: { words: 'Role', orders: 'material', isEditableUnderWay: false },
  callsign: { words: 'Callsign', orders: 'small', isEditableUnderWay: true },
  radio: { words: 'Radio', orders: 'small', isEditableUnderWay: true },
  notes: MISSION_TEXTS.notes,
} as const satisfies Record<string, ChangeRules>;

/** What an admin plans for a flight and its package apart from its nature. A flight has the times of its role without. */
const PLAN_CHANGES = {
  launch: { words: 'Launch', orders: 'material', materialMinutes: 15, isEditableUnderWay: false },
  tot: { words: 'TOT', orders: 'material', materialMinutes: 15, isEditableUnderWay: true },
  package: { words: 'Package', orders: 'small', isEditableUnderWay: true },
  objective: { words: 'Objective', orders: 'small', isEditableUnderWay: true, isFreeText: true },
} as const satisfies Record<string, ChangeRules>;

/** Everything that can change about a mission, by the name stored in the audit log and in orders. */
export const CHANGES = {
  ...TIMES,
  ...FLIGHT_CHANGES,
  ...PLAN_CHANGES,
  ...MISSION_FIELDS,
  /** the mission's links, a list */
  links: { words: 'Links', orders: 'small', isEditableUnderWay: true, isFreeText: true },
  /** an order moved to another seat, or its pilot removed */
  seat: { words: 'Seat', orders: 'small', isEditableUnderWay: false },
  /** the size of a flight */
  seats: { words: 'Seats', orders: null, isEditableUnderWay: false },
  /** a flight added or removed */
  flight: { words: 'Flight', orders: null, isEditableUnderWay: false },
  /** whether the sides are secret from one another */
  secretSides: { words: 'Secret sides', orders: null, isEditableUnderWay: true },
  /** the Discord servers that show the mission */
  servers: { words: 'Discord servers', orders: null, isEditableUnderWay: true },
} as const satisfies Record<string, ChangeRules>;

/** A flight's fields by their names in an edit, mapped to the change they make, in the order of the form. */
export const FLIGHT_FIELDS = {
  callsign: 'callsign',
  aircraftId: 'aircraft',
  role: 'role',
  sizeCap: 'seats',
  side: 'side',
  launchMinutes: 'launch',
  totMinutes: 'tot',
  radioFreq: 'radio',
  notes: 'notes',
} as const satisfies Record<string, ChangeField>;

/** The same for a package. */
export const PACKAGE_FIELDS = {
  callsign: 'package',
  objective: 'objective',
} as const satisfies Record<string, ChangeField>;

/** Changes of a flight, which mean nothing to an order of another one; its notes share a field with the mission's. */
export const FLIGHT_ONLY_CHANGES: readonly ChangeField[] = [...keysOf(FLIGHT_CHANGES), ...keysOf(PLAN_CHANGES)].filter(
  (field) => field !== 'notes',
);

/** Changes that only the readers of a side's plan see. */
export const PLAN_ONLY_CHANGES: readonly ChangeField[] = ['radio', 'tot', 'objective'];

export type MissionTextKey = keyof typeof MISSION_TEXTS;
export type MissionField = keyof typeof MISSION_FIELDS;
export type FlightField = keyof typeof FLIGHT_FIELDS;
export type PackageField = keyof typeof PACKAGE_FIELDS;
export type FlightChangeField = keyof typeof FLIGHT_CHANGES;
export type ChangeField = keyof typeof CHANGES;
/** Changes that an admin can make to a frag order after it was issued. */
export type OrderChangeField = {
  [K in ChangeField]: (typeof CHANGES)[K]['orders'] extends null ? never : K;
}[ChangeField];

/** True for a change that orders mention. */
export const isOrderChange = <K extends ChangeField>(field: K): field is K & OrderChangeField =>
  CHANGES[field].orders !== null;

/** True for a field that can change now: before the start all can, under way some. */
export const isEditable = (field: ChangeField, { isUnderWay }: { isUnderWay: boolean }): boolean =>
  !isUnderWay || CHANGES[field].isEditableUnderWay;

export const MISSION_TEXT_KEYS = keysOf(MISSION_TEXTS);
export const MISSION_FIELD_KEYS = keysOf(MISSION_FIELDS);
export const FLIGHT_FIELD_KEYS = keysOf(FLIGHT_FIELDS);
export const PACKAGE_FIELD_KEYS = keysOf(PACKAGE_FIELDS);
export const FLIGHT_CHANGE_FIELDS = keysOf(FLIGHT_CHANGES);
export const ORDER_CHANGE_FIELDS = keysOf(CHANGES).filter(isOrderChange);
/** Free text fields, which the audit log quotes. */
export const FREE_TEXT_CHANGES = keysOf(CHANGES).filter((field) => 'isFreeText' in CHANGES[field]);
/** The mission's own fields that orders mention. */
export const MISSION_ORDER_FIELDS = MISSION_FIELD_KEYS.filter(isOrderChange);

/** Builds a record with a value for each of these fields. */
export function eachField<K extends string, V>(keys: readonly K[], read: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<K, V>;
}

/** Picks the fields that have a value; an edit omits unchanged fields or sends undefined for them. */
export function givenOf<T extends object, K extends keyof T>(
  values: T,
  keys: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  const given = keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]);
  return Object.fromEntries(given) as { [P in K]?: Exclude<T[P], undefined> };
}
