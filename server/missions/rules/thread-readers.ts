/** Who reads and writes which comments of a mission's thread, and which changes it tells them. */
import type { SideView } from '#server/planning/rules/side-rule.ts';
import { FREE_TEXT_CHANGES, PLAN_ONLY_CHANGES } from '#shared/mission-fields.ts';
import type { Side } from '#shared/vocabulary.ts';

const SIDES = [0, 1] as const satisfies readonly Side[];

/** Whom a comment is for: a side, or all who see who flies. */
type Audience = Side | null;

/** Somebody who opens the thread. */
export interface ThreadReader {
  readonly isAdmin: boolean;
  /** side of the seat that the reader holds in the mission; null without one */
  readonly seatSide: Side | null;
  /** how much the reader sees of each side that the mission has (`viewOfSide`) */
  readonly views: ReadonlyMap<Side, SideView>;
  /** the sides are secret from one another now */
  readonly isSecret: boolean;
}

/**
 * The comments that a reader sees. One for a side is part of its plan, also after the sides have stopped being secret; one for all can be
 * read by whoever sees the crews of a side.
 */
export function readableAudiences({ isAdmin, views }: ThreadReader): Audience[] {
  if (isAdmin) return [null, ...SIDES];
  const ofPlan = SIDES.filter((side) => views.get(side) === 'plan');
  return [...([...views.values()].some((view) => view === 'plan' || view === 'roster') ? [null] : []), ...ofPlan];
}

/** Whom a reader can write to, the usual one first: with secret sides one's own, otherwise all. Admins can write to either side, and to both. */
export function writableAudiences(reader: ThreadReader): Audience[] {
  const { isAdmin, seatSide, views, isSecret } = reader;
  if (!isSecret) return readableAudiences(reader).includes(null) ? [null] : [];
  if (!isAdmin) return seatSide === null ? [] : [seatSide];
  const all: Audience[] = [null, ...SIDES.filter((side) => views.has(side))];
  return seatSide === null ? all : [seatSide, ...all.filter((audience) => audience !== seatSide)];
}

type Change = Readonly<Record<string, unknown>>;

/** Where a mission is shown, and who sees what of it. Links are read with a seat only. */
const OF_ADMINS: ReadonlySet<string> = new Set(['secretSides', 'servers', 'links']);
/** Changes of one flight or package, besides all that name a flight. */
const OF_FLIGHTS: ReadonlySet<string> = new Set(['flight', 'seats', 'package', 'objective']);
/** Free texts but the name, which are too long to be told. */
const LONG_TEXTS: ReadonlySet<string> = new Set(FREE_TEXT_CHANGES.filter((field) => field !== 'name'));
const OF_PLANS: ReadonlySet<string> = new Set(PLAN_ONLY_CHANGES);

/**
 * The changes of an edit that a reader is told, without long texts. Pilots hear of flights only where they see both sides, and of nothing
 * that only a plan has.
 * @param changes as the audit log has them
 */
export function toldChanges(changes: unknown, { isAdmin, isSecret }: ThreadReader): Change[] {
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change: unknown): Change[] => {
    if (typeof change !== 'object' || change === null) return [];
    const { field, flight, ...values } = change as Change;
    if (typeof field !== 'string') return [];
    const isOfFlight = flight !== undefined || OF_FLIGHTS.has(field);
    const isPlan = OF_PLANS.has(field) || (field === 'notes' && isOfFlight);
    const isHidden = OF_ADMINS.has(field) || isPlan || (isOfFlight && isSecret);
    if (isHidden && !isAdmin) return [];
    return [{ field, ...(flight !== undefined && { flight }), ...(LONG_TEXTS.has(field) ? {} : values) }];
  });
}
