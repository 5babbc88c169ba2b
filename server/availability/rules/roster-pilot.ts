/** A pilot of the roster, and its packed form: of 100,000 pilots, whole objects with a list of slots each take 50 MB more. */
import type { Interval } from '#server/time/intervals.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import { NEVER_BUSY } from './busy-minutes.ts';
import type { WeeklySlot } from './dated-windows.ts';
import { type WeekWindow, windowOf } from './index/week-windows.ts';
import type { PilotAvailability } from './pilot-presences.ts';

/** A seat that the pilot holds: until its order expires, if it is pending. */
export type HeldSeat = Interval & { readonly expiresAtMs: number | null };

/** A weekly slot with its window of the week, because parsing wall times takes longer than comparing them. */
export type RosterSlot = WeeklySlot & WeekWindow;

export function rosterSlot({ weekday, startLocal, endLocal, aircraftId, notes }: WeeklySlot): RosterSlot {
  const { start, length } = windowOf({ weekday, startLocal, endLocal });
  return { weekday, startLocal, endLocal, aircraftId, notes, start, length };
}

export type RosterPilot = Omit<PilotAvailability, 'slots'> & {
  /** the same object for equal slots */
  readonly slots: readonly RosterSlot[];
  /** as admins see it */
  readonly name: string;
  readonly seats: readonly HeldSeat[];
  /** the pilot's aircraft list; the same object for equal lists */
  readonly levels: ReadonlyMap<number, ProficiencyLevel>;
};

type Rare = Pick<RosterPilot, 'leaveDates' | 'leave' | 'overrides' | 'busy' | 'seats'>;

/** Without the id, which goes with the pilot's number. */
export type PackedPilot = Pick<RosterPilot, 'name' | 'timeZone' | 'isActive' | 'status' | 'levels'> & {
  /** their numbers, one or two characters each */
  readonly slots: string;
  /** what most pilots have nothing of */
  readonly rare: Rare;
};

const NONE: readonly never[] = [];
const NOTHING: Rare = { leaveDates: null, leave: null, overrides: NONE, busy: NEVER_BUSY, seats: NONE };
const CHARACTER_BITS = 16;
/** Numbers below it are one character; others begin with a character from here on, which has their high bits. */
const LONG = 0xf0_00;

export interface PilotPacking {
  pack: (pilot: RosterPilot) => PackedPilot;
  unpack: (pilot: PackedPilot) => Omit<RosterPilot, 'id'>;
  slotsOf: (pilot: PackedPilot) => readonly RosterSlot[];
}

export function createPilotPacking(): PilotPacking {
  const slots: RosterSlot[] = [];
  const numbers = new Map<RosterSlot, number>();

  function numberOf(slot: RosterSlot): number {
    const known = numbers.get(slot);
    if (known !== undefined) return known;
    numbers.set(slot, slots.length);
    return slots.push(slot) - 1;
  }

  function listSlots(packed: string): RosterSlot[] {
    const listed: RosterSlot[] = [];
    for (let at = 0; at < packed.length; at += 1) {
      let number = packed.charCodeAt(at);
      if (number >= LONG) {
        at += 1;
        number = ((number - LONG) << CHARACTER_BITS) | packed.charCodeAt(at);
      }
      const slot = slots[number];
      if (slot) listed.push(slot);
    }
    return listed;
  }

  return {
    pack({ name, timeZone, isActive, status, levels, slots: own, leaveDates, leave = null, overrides, busy, seats }) {
      const codes = own
        .map(numberOf)
        .flatMap((number) => (number < LONG ? number : [LONG + (number >>> CHARACTER_BITS), number & 0xff_ff]));
      const isRare = leaveDates !== null || overrides.length > 0 || busy.length > 0 || seats.length > 0;
      const rare = isRare ? { leaveDates, leave, overrides, busy, seats } : NOTHING;
      return { name, timeZone, isActive, status, levels, slots: String.fromCharCode(...codes), rare };
    },
    unpack({ rare, slots: packed, ...facts }) {
      return { ...facts, ...rare, slots: listSlots(packed) };
    },
    slotsOf: (pilot) => listSlots(pilot.slots),
  };
}
