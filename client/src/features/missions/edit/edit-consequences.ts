/** Consequences of an edit for the mission's pilots, shown before it is saved. */
import {
  CHANGES,
  FLIGHT_FIELDS,
  isOrderChange,
  MISSION_ORDER_FIELDS,
  PACKAGE_FIELDS,
  type ChangeField,
  type OrderChangeField,
} from '#shared/mission-fields.ts';
import { asksAgain, isMaterial } from '#shared/order-changes.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import { count } from '#shared/plural.ts';
import { countSeats } from '#client/features/missions/create/mission-draft.ts';
import { areLinksChanged, changedFields, changedPackageFields, type EditDraft } from './mission-edit.ts';
import { groupOf } from '#client/features/missions/seats/order-groups.ts';

export interface Consequences {
  /** pilots who must answer again, how many of them had accepted, and the changes that cause it */
  askedAgain: { pilots: number; accepted: number; because: string[] };
  /** pilots who keep their answer and are notified */
  told: { pilots: number; because: string[] };
  /** pilots who lose their seat */
  freed: { pilots: number; because: string[] };
  /** new seats, for which orders go out */
  seatsAdded: number;
}

interface Change {
  field: OrderChangeField;
  words: string;
  /** of a launch or TOT, which asks again only when it moves far */
  from?: string;
  to?: string;
}

/** The change as a list; [] for one that orders do not mention, such as a flight's size. */
function changeOf(field: ChangeField, callsign?: string): Change[] {
  const of = callsign === undefined ? '' : `${callsign} `;
  return isOrderChange(field) ? [{ field, words: `${of}${CHANGES[field].words.toLowerCase()}` }] : [];
}

/**
 * Consequences by the server's rule: after a material change, accepted and pending pilots must answer again; other changes,
 * and pilots on standby, only get a notification. Name and theater affect no order.
 * @param orders all orders of the mission
 * @param isUnderWay whether the mission has launched: nobody has to answer again then
 * @param lost ids of the orders whose pilots no longer fit, and are not kept; those are listed by name
 */
export function findConsequences(
  before: EditDraft,
  after: EditDraft,
  orders: readonly MissionOrderDto[],
  { isUnderWay, now, lost }: { isUnderWay: boolean; now: Date; lost: ReadonlySet<string> },
): Consequences {
  const live = orders.filter((order) => ['accepted', 'pending', 'standby'].includes(groupOf(order, now)));
  const earlier = new Map(before.flights.map((flight) => [flight.id, flight]));
  const later = new Map(after.flights.map((flight) => [flight.id, flight]));
  const ofMission = missionChanges(before, after);

  const asked = { pilots: 0, accepted: 0, because: new Set<string>() };
  const told = { pilots: 0, because: new Set<string>() };
  const freed = { pilots: 0, because: new Set<string>() };
  for (const order of live) {
    if (lost.has(order.id)) continue;
    const flight = later.get(order.flightId);
    const isGone = flight !== undefined && (flight.isRemoved || order.seatIndex >= flight.sizeCap);
    if (order.holdsSeat && isGone) {
      freed.pilots += 1;
      freed.because.add(`${flight.callsign} ${flight.isRemoved ? 'is removed' : 'has fewer seats'}`);
      continue;
    }
    const changes = [
      ...ofMission,
      ...packageChanges(before, after, order.flightId),
      ...flightChanges(earlier.get(order.flightId), flight),
    ];
    const asks = asksAgain(order, changes, { isUnderWay });
    if (changes.length > 0) {
      const group = asks ? asked : told;
      group.pilots += 1;
      asked.accepted += asks && order.rsvp === 'accepted' ? 1 : 0;
      for (const { words } of asks ? changes.filter(isMaterial) : changes) {
        group.because.add(words);
      }
    }
  }
  const grown = after.flights.reduce((sum, { id, sizeCap, isRemoved }) => {
    const size = earlier.get(id)?.sizeCap ?? sizeCap;
    return sum + (isRemoved ? 0 : Math.max(sizeCap - size, 0));
  }, 0);
  return {
    askedAgain: { ...asked, because: [...asked.because] },
    told: { ...told, because: [...told.because] },
    freed: { ...freed, because: [...freed.because] },
    seatsAdded: grown + countSeats([...after.added]),
  };
}

function missionChanges(before: EditDraft, after: EditDraft): Change[] {
  return [
    ...(before.startLocal === after.startLocal ? [] : changeOf('start')),
    ...(before.endLocal === after.endLocal ? [] : changeOf('end')),
    ...MISSION_ORDER_FIELDS.flatMap((field) => (before[field].trim() === after[field].trim() ? [] : changeOf(field))),
    ...(areLinksChanged(before, after) ? changeOf('links') : []),
  ];
}

function flightChanges(
  before: EditDraft['flights'][number] | undefined,
  after: EditDraft['flights'][number] | undefined,
): Change[] {
  if (before === undefined || after === undefined) {
    return [];
  }
  return changedFields(before, after).flatMap((field) => {
    const changes = changeOf(FLIGHT_FIELDS[field], after.callsign);
    if (field !== 'launchMinutes' && field !== 'totMinutes') return changes;
    const [from, to] = [before.stored[field], after[field].trim()];
    if (from === null || to === '') return changes;
    return changes.map((change) => ({ ...change, from: clockOf(from), to: clockOf(Number(to)) }));
  });
}

const DAY_MINUTES = 24 * 60;
/** Minutes after the start as a time such as `0035Z`, as if the start was at midnight: only the distance counts. */
const clockOf = (minutes: number): string => {
  const ofDay = minutes % DAY_MINUTES;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}${String(ofDay % 60).padStart(2, '0')}Z`;
};

/** Changes of the package that a flight is in. */
function packageChanges({ packages }: EditDraft, after: EditDraft, flightId: string): Change[] {
  const from = packages.find(({ flightIds }) => flightIds.includes(flightId));
  const to = after.packages.find(({ id }) => id === from?.id);
  if (from === undefined || to === undefined) return [];
  return changedPackageFields(from, to).flatMap((field) => changeOf(PACKAGE_FIELDS[field], from.callsign));
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** `Start and end changed.` */
function sayChanged(because: readonly string[]): string {
  const words = `${LIST.format(because)} changed.`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Sentences about the consequences; a single sentence when there are none. */
export function sayConsequences({ askedAgain, told, freed, seatsAdded }: Consequences, isDraft: boolean): string[] {
  if (isDraft) {
    return ['This is a draft, so no pilots are notified.'];
  }
  const sentences = [
    ...(askedAgain.pilots > 0 ? [sayAsked(askedAgain)] : []),
    ...(told.pilots > 0 ? [`${sayChanged(told.because)} ${count(told.pilots, 'pilot')} will be notified.`] : []),
    ...(freed.pilots > 0
      ? [
          `${count(freed.pilots, 'pilot')} will lose their ${freed.pilots === 1 ? 'seat' : 'seats'}: ${freed.because.join(', ')}.`,
        ]
      : []),
    ...(seatsAdded > 0
      ? [
          `${count(seatsAdded, 'seat')} ${seatsAdded === 1 ? 'is' : 'are'} added; orders will go out to suitable pilots.`,
        ]
      : []),
  ];
  return sentences.length > 0 ? sentences : ['No pilots are affected.'];
}

function sayAsked({ pilots, accepted, because }: Consequences['askedAgain']): string {
  const why = sayChanged(because);
  if (pilots === 1) {
    return `${why} 1 pilot, who ${accepted === 1 ? 'had' : "hadn't"} accepted, will be asked again.`;
  }
  const had = accepted === 0 ? 'none' : accepted === pilots ? 'all' : String(accepted);
  return `${why} ${pilots} pilots will be asked again; ${had} had accepted.`;
}

/** Sentence about the result of saving, with the server's counts. */
export function sayDone({ askedAgain, told, freed }: { askedAgain: number; told: number; freed: number }): string {
  const parts = [
    ...(askedAgain > 0 ? [`${count(askedAgain, 'pilot')} asked again`] : []),
    ...(told > 0 ? [`${count(told, 'pilot')} notified`] : []),
    ...(freed > 0 ? [`${count(freed, 'seat')} freed`] : []),
  ];
  return parts.length === 0 ? 'Saved.' : `Saved: ${parts.join(', ')}.`;
}
