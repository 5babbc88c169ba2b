/** The public facts of a mission, and its scheduled event in Discord. */
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import type { Theater } from '#shared/vocabulary.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { escapeMarkdown } from './markdown.ts';

/** The public facts of a mission. Instants are epoch milliseconds. */
export interface MissionFacts {
  id: string;
  name: string;
  theater: Theater;
  startMs: number;
  endMs: number;
  isCancelled: boolean;
  /** one entry per aircraft, the one with the most seats first */
  aircraft: readonly { name: string; seats: number }[];
}

/** Discord's constants. */
const GUILD_ONLY = 2;
const EXTERNAL = 3;
const NAME_LENGTH = 100;
const DESCRIPTION_LENGTH = 1000;
const LOCATION_LENGTH = 100;
/** At most this many aircraft are named in an event. */
const AIRCRAFT_NAMED = 12;
const AIRCRAFT_LENGTH = 600;

/** The request body of a scheduled event. */
export interface EventBody {
  name: string;
  description: string;
  scheduled_start_time: string;
  scheduled_end_time: string;
  privacy_level: typeof GUILD_ONLY;
  entity_type: typeof EXTERNAL;
  entity_metadata: { location: string };
}

/** Truncate to `length` of Discord's characters, never within a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters: string[] = [];
  let used = 1;
  for (const character of text) {
    used += character.length;
    if (used > length) break;
    characters.push(character);
  }
  return `${characters.join('')}…`;
}

const countSeats = ({ aircraft }: MissionFacts) => aircraft.reduce((sum, { seats }) => sum + seats, 0);

/** `4 × F-16C Viper, 2 × A-10C` */
export function aircraftWords({ aircraft }: MissionFacts, texts: Texts): string {
  const named = aircraft.slice(0, AIRCRAFT_NAMED).map(({ name, seats }) => `${seats} × ${escapeMarkdown(name)}`);
  return cut(
    [...named, ...(aircraft.length > AIRCRAFT_NAMED ? [texts('aircraft.more')] : [])].join(', '),
    AIRCRAFT_LENGTH,
  );
}

/** The event's location: the mission's address, whose id also identifies the event. */
function eventLocation(missionId: string, publicUrl: string): string {
  const link = `${publicUrl}/missions/${missionId}`;
  return link.length <= LOCATION_LENGTH ? link : missionId;
}

/** True if an event in Discord's list belongs to this mission. */
export function isEventOf(missionId: string, location: string | null | undefined): boolean {
  return location?.endsWith(missionId) ?? false;
}

/** The scheduled event of a mission. Everybody in the server sees it, so it contains neither pilots nor notes. */
export function missionEvent(mission: MissionFacts, publicUrl: string, texts: Texts): EventBody {
  const { id, name, theater, startMs, endMs } = mission;
  return {
    name: cut(name.replaceAll(/\s+/g, ' ').trim() || texts('event.mission'), NAME_LENGTH),
    description: cut(
      texts('event.text', {
        theater,
        when: zuluDayWords(startMs),
        seats: countSeats(mission),
        aircraft: aircraftWords(mission, texts),
        url: `${publicUrl}/missions/${id}`,
      }),
      DESCRIPTION_LENGTH,
    ),
    scheduled_start_time: new Date(startMs).toISOString(),
    scheduled_end_time: new Date(endMs).toISOString(),
    privacy_level: GUILD_ONLY,
    entity_type: EXTERNAL,
    entity_metadata: { location: eventLocation(id, publicUrl) },
  };
}
