/**
 * Aircraft types of the simulator that people can fly, by the type ids of its mission editor. The ids are those of DCS World 2.9
 * as the public library pydcs lists them (`dcs/planes.py`, `dcs/helicopters.py`, `flyable = True`); crew stations are from the
 * modules' manuals. The catalogue of `server/accounts/pilots/rules/aircraft-catalogue.ts` has the same ids as codes, so this table only
 * names what it lacks: variants of a catalogue type, and types that a community can add.
 */
import type { MissionRole } from '#shared/vocabulary.ts';

/** Variants that fly as a type of the catalogue, with the code of that type. */
const VARIANTS: Readonly<Record<string, string>> = {
  'A-10C': 'A-10C_2',
  'C-101EB': 'C-101CC',
  'F-14A-135-GR': 'F-14B',
  'F-14A-135-GR-Early': 'F-14B',
  'F-14A-95-GR': 'F-14B',
  'F-5E-3_FC': 'F-5E-3',
  'Ka-50': 'Ka-50_3',
  'L-39C': 'L-39ZA',
  'MB-339APAN': 'MB-339A',
  'MiG-29 Fulcrum': 'MiG-29S',
  'MiG-29A': 'MiG-29S',
  'MiG-29G': 'MiG-29S',
  'Mirage-F1BE': 'Mirage-F1CE',
  'Mirage-F1EE': 'Mirage-F1CE',
  SA342L: 'SA342M',
  SA342Minigun: 'SA342M',
  SA342Mistral: 'SA342M',
};

export interface KnownType {
  readonly name: string;
  readonly seats: number;
  readonly roles: readonly MissionRole[];
}

const FIGHTER: readonly MissionRole[] = ['CAP', 'Intercept', 'CAS'];
const ATTACK: readonly MissionRole[] = ['CAS', 'Strike'];
const TRAINER: readonly MissionRole[] = ['Training'];

/** Types that the catalogue has no place for; a community that flies them adds them. */
const OTHERS: Readonly<Record<string, KnownType>> = {
  'A-10A': { name: 'A-10A Thunderbolt II', seats: 1, roles: ATTACK },
  'A-4E-C': { name: 'A-4E Skyhawk', seats: 1, roles: ATTACK },
  'Bf-109K-4': { name: 'Bf 109 K-4', seats: 1, roles: FIGHTER },
  'Christen Eagle II': { name: 'Christen Eagle II', seats: 2, roles: TRAINER },
  'F-86F Sabre': { name: 'F-86F Sabre', seats: 1, roles: FIGHTER },
  'F-86F_FC': { name: 'F-86F Sabre (FC)', seats: 1, roles: FIGHTER },
  'F4U-1D': { name: 'F4U-1D Corsair', seats: 1, roles: FIGHTER },
  'FW-190A8': { name: 'Fw 190 A-8', seats: 1, roles: FIGHTER },
  'FW-190D9': { name: 'Fw 190 D-9', seats: 1, roles: FIGHTER },
  Hawk: { name: 'Hawk T.1A', seats: 2, roles: TRAINER },
  'I-16': { name: 'I-16', seats: 1, roles: FIGHTER },
  'La-7': { name: 'La-7', seats: 1, roles: FIGHTER },
  'MiG-15bis': { name: 'MiG-15bis', seats: 1, roles: FIGHTER },
  'MiG-15bis_FC': { name: 'MiG-15bis (FC)', seats: 1, roles: FIGHTER },
  'MiG-19P': { name: 'MiG-19P Farmer', seats: 1, roles: FIGHTER },
  'P-47D-30': { name: 'P-47D-30 Thunderbolt', seats: 1, roles: [...FIGHTER, 'Strike'] },
  'P-47D-30bl1': { name: 'P-47D-30 (early) Thunderbolt', seats: 1, roles: [...FIGHTER, 'Strike'] },
  'P-47D-40': { name: 'P-47D-40 Thunderbolt', seats: 1, roles: [...FIGHTER, 'Strike'] },
  'P-51D': { name: 'P-51D-25 Mustang', seats: 1, roles: FIGHTER },
  'P-51D-30-NA': { name: 'P-51D-30 Mustang', seats: 1, roles: FIGHTER },
  SpitfireLFMkIX: { name: 'Spitfire LF Mk. IX', seats: 1, roles: FIGHTER },
  SpitfireLFMkIXCW: { name: 'Spitfire LF Mk. IX CW', seats: 1, roles: FIGHTER },
  'Su-25': { name: 'Su-25 Frogfoot', seats: 1, roles: ATTACK },
  'TF-51D': { name: 'TF-51D Mustang', seats: 1, roles: TRAINER },
  'Yak-52': { name: 'Yak-52', seats: 2, roles: TRAINER },
};

/** The code under which a catalogue may have this type: its own, or the code of the type it is a variant of. */
export function codesOfType(type: string): readonly string[] {
  const base = VARIANTS[type];
  return base === undefined ? [type] : [type, base];
}

/** What is known about a type that a community may add. */
export function knownType(type: string): KnownType {
  return OTHERS[type] ?? { name: type, seats: 1, roles: [] };
}
