/** Mission content: a mission without its date, as templates and series keep it. */
import type { MissionTextKey } from './mission-fields.ts';
import type { MissionLink } from './schemas/mission-links.ts';
import type { MissionRole, Side, Theater } from './vocabulary.ts';

/** What an admin planned for one flight. The n-th of a type, role and side belongs to the n-th such flight of a mission. */
export interface FlightDetails {
  aircraftId: number;
  role: MissionRole;
  side: Side;
  callsign: string;
  /** as stored: `251.000 AM` */
  radioFreq: string | null;
  /** minutes after the start; null: the usual time of the role */
  launchMinutes: number | null;
  totMinutes: number | null;
}

/** What an admin planned for one package, which one of its roles and its side identify. */
export interface PackageDetails {
  role: MissionRole;
  side: Side;
  callsign: string;
  /** null: it names the roles of the flights and the theater */
  objective: string | null;
}

export interface ContentSlot {
  aircraftId: number;
  /** in case the type is deleted */
  aircraftName: string;
  slotCount: number;
  role: MissionRole;
  side: Side;
  additionalNotes: string | null;
}

export interface MissionContent extends Record<MissionTextKey, string | null> {
  /** of the mission, which can differ from the template's */
  name: string;
  theater: Theater;
  /** `HH:mm` in `timeZone` */
  startLocal: string;
  /** elapsed time from start to end */
  minutes: number;
  timeZone: string;
  links: MissionLink[];
  /** null for all Discord servers */
  guildIds: string[] | null;
  /** null for the default: secret when both sides have seats */
  secretSides: boolean | null;
  slots: ContentSlot[];
  flights: FlightDetails[];
  packages: PackageDetails[];
}
