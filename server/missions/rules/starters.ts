/** Starter templates: missions that many communities fly, filled in with the aircraft that this one offers. */
import type { ContentSlot, MissionContent } from '#shared/mission-content.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { StarterId } from '#shared/schemas/mission-templates.ts';
import { SIDES, type MissionRole, type Side, type Theater } from '#shared/vocabulary.ts';

export interface StarterAircraft {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
}

interface StarterSlot {
  /** codes of the catalogue; the first that is offered is taken */
  codes: readonly [string, ...string[]];
  slotCount: number;
  role: MissionRole;
  side: Side;
}

interface Starter {
  name: string;
  theater: Theater;
  startLocal: string;
  minutes: number;
  notes: string;
  slots: readonly StarterSlot[];
}

const FIGHTERS_WEST = ['F-16C_50', 'FA-18C_hornet', 'F-15C', 'F-14B', 'M-2000C'] as const;
const FIGHTERS_EAST = ['Su-27', 'MiG-29S', 'J-11A', 'JF-17', 'MiG-21Bis'] as const;

const STARTERS: Record<StarterId, Starter> = {
  'starter-training': {
    name: '4-ship training',
    theater: 'Caucasus',
    startLocal: '20:00',
    minutes: 120,
    notes: 'Formation, intercepts and a debrief. Beginners are welcome.',
    slots: [
      { codes: ['F-16C_50', 'FA-18C_hornet', 'L-39ZA', 'MB-339A'], slotCount: 4, role: 'Training', side: SIDES.blue },
    ],
  },
  'starter-flag': {
    name: '8v8 capture the flag',
    theater: 'Persian Gulf',
    startLocal: '20:00',
    minutes: 150,
    notes: 'Each side holds one airfield and takes the other. Land at the enemy field to capture it.',
    slots: [
      { codes: FIGHTERS_WEST, slotCount: 8, role: 'CAP', side: SIDES.blue },
      { codes: FIGHTERS_EAST, slotCount: 8, role: 'CAP', side: SIDES.red },
    ],
  },
  'starter-strike': {
    name: 'Strike night ops',
    theater: 'Syria',
    startLocal: '20:00',
    minutes: 180,
    notes: 'A night strike with escort and SEAD. Lights out after push.',
    slots: [
      { codes: ['F-15ESE', 'FA-18C_hornet', 'F-16C_50', 'AJS37'], slotCount: 4, role: 'Strike', side: SIDES.blue },
      { codes: ['F-16C_50', 'FA-18C_hornet', 'JF-17', 'F-4E-45MC'], slotCount: 2, role: 'SEAD', side: SIDES.blue },
      { codes: ['F-14B', 'F-15C', 'FA-18C_hornet', 'F-16C_50'], slotCount: 4, role: 'CAP', side: SIDES.blue },
      { codes: ['GCI', 'C-130J-30'], slotCount: 1, role: 'AWACS', side: SIDES.blue },
    ],
  },
};

export const seatsIn = (slots: readonly { slotCount: number }[]): number =>
  slots.reduce((sum, { slotCount }) => sum + slotCount, 0);

/** A starter with this community's aircraft. A slot none of whose types is offered keeps the first one. */
export function starterContent(id: StarterId, aircraft: readonly StarterAircraft[], timeZone: string): MissionContent {
  const { name, theater, startLocal, minutes, notes, slots } = STARTERS[id];
  const find = (codes: readonly string[]): StarterAircraft | undefined => {
    const known = codes.flatMap((code) => aircraft.find((one) => one.code === code) ?? []);
    return known.find(({ active }) => active) ?? known[0];
  };
  return {
    ...eachField(MISSION_TEXT_KEYS, () => null),
    name,
    theater,
    startLocal,
    minutes,
    timeZone,
    notes,
    links: [],
    guildIds: null,
    secretSides: null,
    slots: slots.map(({ codes, ...slot }): ContentSlot => {
      const type = find(codes);
      return { ...slot, aircraftId: type?.id ?? 0, aircraftName: type?.name ?? codes[0], additionalNotes: null };
    }),
    flights: [],
    packages: [],
  };
}
