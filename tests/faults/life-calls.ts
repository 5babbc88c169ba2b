/** Record of calls to the service and their answers, kept by the callers. */
import type { MissionRole, ProficiencyLevel, RsvpResponse, Side, StatusState } from '#shared/vocabulary.ts';

/** The changes of a mission edit; absent fields are kept. */
export interface Wish {
  startMs?: number;
  notes?: string;
  flightId?: string;
  sizeCap?: number;
  aircraftId?: number;
  role?: MissionRole;
  side?: Side;
  /** MHz with three decimals */
  radioFreq?: string;
  dropsFlight?: boolean;
  addsFlight?: boolean;
}

interface Place {
  missionId: string;
  flightId: string;
  seatIndex: number;
}

interface Acts {
  /** the name is unique to this mission; a call with the same key repeats the request */
  create: { name: string; publish: boolean; startMs: number; key: string | null; slots: object[] };
  publish: { missionId: string };
  cancel: { missionId: string };
  edit: { missionId: string; wish: Wish };
  assign: Place & { pilotId: string; replace: boolean };
  remove: Place;
  answer: { orderId: string; pilotId: string; response: RsvpResponse };
  /** the standby queue, without an order */
  join: { missionId: string; pilotId: string };
  quit: { missionId: string; pilotId: string };
  inbox: { pilotId: string };
  suspend: { pilotId: string };
  restore: { pilotId: string };
  availability: { pilotId: string; isFree: boolean };
  status: { pilotId: string; state: StatusState };
  /** both dates included */
  leave: { pilotId: string; firstDate: string; lastDate: string };
  back: { pilotId: string };
  level: { pilotId: string; aircraftId: number; level: ProficiencyLevel };
}
export type ActKind = keyof Acts;
export type Act<Kind extends ActKind = ActKind> = { [Name in Kind]: { kind: Name } & Acts[Name] }[Kind];

interface Heard {
  startedMs: number;
  endedMs: number;
  /** done, refused with a sentence, or unknown: the server was lost or timed out */
  outcome: 'ok' | 'refused' | 'unknown';
  /** 0 without a response */
  status: number;
  message: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- each act has an answer of its own
  body: any;
}
export type Call<Kind extends ActKind = ActKind> = { [Name in Kind]: Heard & { act: Act<Name> } }[Kind];

/** Tolerance between clocks, since some have fractions of milliseconds and others do not. */
export const CLOCK_MS = 5;

export const isOf = <Kind extends ActKind>(call: Call, kind: Kind): call is Extract<Call, { act: { kind: Kind } }> =>
  call.act.kind === kind;

/** True if a call may have caused a transaction. */
export const covers = (call: Call, { beganMs, lastMs }: { beganMs: number; lastMs: number }): boolean =>
  call.outcome !== 'refused' && call.startedMs - CLOCK_MS <= lastMs && call.endedMs + CLOCK_MS >= beganMs;

/** The versions of a row that a call may have seen. */
export const during = <Version extends { fromMs: number; untilMs: number }>(
  { startedMs, endedMs }: Pick<Call, 'startedMs' | 'endedMs'>,
  versions: readonly Version[] = [],
): Version[] =>
  versions.filter(({ fromMs, untilMs }) => fromMs <= endedMs + CLOCK_MS && untilMs >= startedMs - CLOCK_MS);

/** True if the call must have seen this version and no other. */
export const mustMeet = (
  { startedMs, endedMs }: Pick<Call, 'startedMs' | 'endedMs'>,
  { sureFromMs, sureUntilMs }: { sureFromMs: number; sureUntilMs: number },
): boolean => sureFromMs < startedMs - CLOCK_MS && sureUntilMs > endedMs + CLOCK_MS;
