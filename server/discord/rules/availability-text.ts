/** Message that lists a pilot's availability, day by day in the pilot's own zone. */
import { ANY_AIRCRAFT_ID } from '#shared/limits.ts';
import type { AvailabilityWindowDto } from '#shared/schemas/availability.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { fitLines, nameText } from './markdown.ts';
import { buttonRow, linkButton } from './parts.ts';

const LIST_MAX = 3500;

type Day = AvailabilityWindowDto['days'][number];

/** `Mon, Nov 23` for a date without a time zone. */
function dayWords(dateLocal: string): string {
  const noon = Date.parse(`${dateLocal}T12:00:00Z`);
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' }).format(
    noon,
  );
}

function slotWords(
  { startLocal, endLocal, aircraftCodeId, source }: Day['slots'][number],
  aircraftNames: ReadonlyMap<number, string>,
): string {
  const times = startLocal === '00:00' && endLocal === '24:00' ? 'all day' : `${startLocal}–${endLocal}`;
  const name = aircraftCodeId === ANY_AIRCRAFT_ID ? undefined : aircraftNames.get(aircraftCodeId);
  const kind = source === 'status' ? 'Available Now' : name === undefined ? null : nameText(name);
  return kind === null ? times : `${times} (${kind})`;
}

/** @param aircraftNames by id; a window for any aircraft names none */
export function availabilityMessage(
  { timeZone, days }: AvailabilityWindowDto,
  aircraftNames: ReadonlyMap<number, string>,
  publicUrl: string,
): DiscordMessage {
  const lines = days.map(({ dateLocal, slots }) => {
    const words = slots.map((slot) => slotWords(slot, aircraftNames)).join(', ');
    return `**${dayWords(dateLocal)}** ${words === '' ? '—' : words}`;
  });
  return {
    embeds: [
      {
        title: 'Your coming week',
        description: fitLines(lines, LIST_MAX, (left) => `… and ${left} more days on the site`),
        footer: { text: `Local time in ${timeZone}` },
      },
    ],
    components: [buttonRow(linkButton('Change it on the site', `${publicUrl}/availability`))],
  };
}
