/** Missions in Discord: as a server's scheduled event, as news for those who want them, and a word about closed messages. */
import { BUTTON_STYLES, type DiscordButton, type DiscordMessage } from '#shared/schemas/bot.ts';
import type { Theater } from '#shared/vocabulary.ts';
import { zuluDayWords } from '#server/domain/clock-words.ts';
import { customId } from './custom-id.ts';
import { discordTime, escapeMarkdown } from './markdown.ts';

/** A mission as everybody may know it. Instants are epoch milliseconds. */
export interface MissionFacts {
  id: string;
  name: string;
  theater: Theater;
  startMs: number;
  endMs: number;
  isCancelled: boolean;
  /** in board order, equal ones together */
  aircraft: readonly { name: string; seats: number }[];
}

/** Discord's own numbers. */
const GUILD_ONLY = 2;
const EXTERNAL = 3;
const NAME_LENGTH = 100;
const DESCRIPTION_LENGTH = 1000;
const LOCATION_LENGTH = 100;
/** An event whose names take more than this names fewer aircraft. */
const AIRCRAFT_NAMED = 12;

/** An event as Discord takes it. */
export interface EventBody {
  name: string;
  description: string;
  scheduled_start_time: string;
  scheduled_end_time: string;
  privacy_level: typeof GUILD_ONLY;
  entity_type: typeof EXTERNAL;
  entity_metadata: { location: string };
}

/** Cut to so many of Discord's characters, never within one. */
function cut(text: string, length: number): string {
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
const seatWords = (seats: number) => (seats === 1 ? '1 seat' : `${seats} seats`);

function aircraftWords({ aircraft }: MissionFacts): string {
  const named = aircraft.slice(0, AIRCRAFT_NAMED).map(({ name, seats }) => `${seats} × ${escapeMarkdown(name)}`);
  return [...named, ...(aircraft.length > AIRCRAFT_NAMED ? ['and more'] : [])].join(', ');
}

/** Where pilots find the mission; with its id, by which the event is known among others. */
export function eventLocation(missionId: string, publicUrl: string): string {
  const link = `${publicUrl}/home#${missionId}`;
  return link.length <= LOCATION_LENGTH ? link : missionId;
}

/** Whether an event that Discord lists is the one of this mission. */
export function isEventOf(missionId: string, location: string | null | undefined): boolean {
  return location?.endsWith(missionId) ?? false;
}

/** The scheduled event of a mission: everybody in the server sees it, so it names nobody and holds no notes. */
export function missionEvent(mission: MissionFacts, publicUrl: string): EventBody {
  const { id, name, theater, startMs, endMs } = mission;
  return {
    name: cut(name.replaceAll(/\s+/g, ' ').trim() || 'Mission', NAME_LENGTH),
    description: cut(
      `${theater}, ${zuluDayWords(startMs)}. ${seatWords(countSeats(mission))}: ${aircraftWords(mission)}.\n\nSeats are given on the site: ${publicUrl}/home`,
      DESCRIPTION_LENGTH,
    ),
    scheduled_start_time: new Date(startMs).toISOString(),
    scheduled_end_time: new Date(endMs).toISOString(),
    privacy_level: GUILD_ONLY,
    entity_type: EXTERNAL,
    entity_metadata: { location: eventLocation(id, publicUrl) },
  };
}

/** What else of a mission's title a heading has room for, whatever has to be escaped in it. */
const TITLE_LENGTH = 100;

/**
 * An open mission, for a pilot who asked for such news. How many seats are free is not said: it would soon be wrong.
 * @param rowId of the message, by which it is found again
 */
export function missionNews(mission: MissionFacts, publicUrl: string, rowId: string): DiscordMessage {
  const { name, theater, startMs, isCancelled } = mission;
  const url = `${publicUrl}/home`;
  const open: DiscordButton[] = isCancelled
    ? [
        {
          type: 2,
          style: BUTTON_STYLES.secondary,
          label: 'Cancelled',
          custom_id: customId('inbox', rowId),
          disabled: true,
        },
      ]
    : [{ type: 2, style: BUTTON_STYLES.secondary, label: 'My orders', custom_id: customId('inbox', rowId) }];
  return {
    embeds: [
      {
        title: `Open mission: ${escapeMarkdown(cut(name.replaceAll(/\s+/g, ' '), TITLE_LENGTH))}`,
        url,
        description: isCancelled
          ? 'This mission does not take place.'
          : 'There are free seats, and you have no order in this mission. When you can fly then, say so on the site: seats that fit you are offered there.',
        color: isCancelled ? 0x6b7280 : 0x4a7fb5,
        fields: [
          { name: 'Theater', value: theater, inline: true },
          { name: 'Aircraft', value: cut(aircraftWords(mission), DESCRIPTION_LENGTH) || 'None', inline: true },
          {
            name: 'Start',
            value: `${discordTime(startMs, 'F')} (${discordTime(startMs, 'R')})\n${zuluDayWords(startMs)}`,
          },
        ],
        footer: { text: 'You asked to hear of open missions. Your profile on the site ends it.' },
      },
    ],
    components: [
      {
        type: 1,
        components: [...open, { type: 2, style: BUTTON_STYLES.link, label: 'Open on the site', url }],
      },
    ],
  };
}

/** In public, to somebody who cannot be written to: that there is something, never what. @param rowId of this message */
export function closedDmsMention(discordUserId: string, rowId: string): DiscordMessage {
  return {
    content: `<@${discordUserId}>, Marshal has an order for you, but your direct messages are closed. Allow them in this server's privacy settings, or press the button.`,
    components: [
      {
        type: 1,
        components: [
          { type: 2, style: BUTTON_STYLES.primary, label: 'Show my orders', custom_id: customId('inbox', rowId) },
        ],
      },
    ],
  };
}
