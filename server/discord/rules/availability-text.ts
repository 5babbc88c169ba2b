/** Message that lists a pilot's availability, day by day in the pilot's own zone. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import { ANY_AIRCRAFT_ID } from '#shared/limits.ts';
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import type { AvailabilityWindowDto } from '#shared/schemas/availability.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { fitLines, nameText } from './markdown.ts';
import { actionButton } from './parts.ts';
import { type DatedTime, packIds } from './quick-times.ts';

const LIST_MAX = 3500;

type Day = AvailabilityWindowDto['days'][number];
type Slot = Day['slots'][number];

/** `Mon, Nov 23` for a date without a time zone. */
function dayWords(dateLocal: string, texts: Texts): string {
  const noon = Date.parse(`${dateLocal}T12:00:00Z`);
  return new Intl.DateTimeFormat(texts.language === 'en' ? 'en-US' : texts.language, {
    timeZone: 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  }).format(noon);
}

function slotWords(
  { startLocal, endLocal, aircraftCodeId, source }: Slot,
  aircraftNames: ReadonlyMap<number, string>,
  texts: Texts,
): string {
  const times =
    startLocal === '00:00' && endLocal === '24:00' ? texts('availability.allDay') : `${startLocal}–${endLocal}`;
  const name = aircraftCodeId === ANY_AIRCRAFT_ID ? undefined : aircraftNames.get(aircraftCodeId);
  const kind = source === 'status' ? texts('status.now') : name === undefined ? null : nameText(name);
  return kind === null ? times : `${times} (${kind})`;
}

/** True if nothing of a time is missing in another one, for the same aircraft or any. */
const covers = (one: Slot, other: Slot): boolean =>
  one.startLocal <= other.startLocal &&
  one.endLocal >= other.endLocal &&
  (one.aircraftCodeId === ANY_AIRCRAFT_ID || one.aircraftCodeId === other.aircraftCodeId);

/** The times, leaving out any that another one covers; the first of several equal times is kept. */
const withoutCovered = (slots: readonly Slot[]): Slot[] =>
  slots.filter(
    (slot, index) =>
      slot.source === 'status' ||
      !slots.some(
        (other, place) =>
          place !== index &&
          other.source !== 'status' &&
          covers(other, slot) &&
          (place < index || !covers(slot, other)),
      ),
  );

/** What a button has just done to the times. */
export interface TimesChange {
  /** `added` also for times that the pilot had entered before */
  kind: 'added' | 'removed';
  times: readonly DatedTime[];
  /** the overrides that "Undo" would remove; [] for none */
  undoIds: readonly string[];
}

/** `Added: Tue, Nov 24 19:00–23:00. Missions that fit ask you.` */
function changeWords({ kind, times }: TimesChange, texts: Texts): string {
  if (kind === 'removed') return texts('availability.removed');
  const words = times.map(
    ({ dateLocal, startLocal, endLocal }) =>
      `${dayWords(dateLocal, texts)} ${startLocal}–${endLocal === '00:00' ? '24:00' : endLocal}`,
  );
  return texts('availability.added', { times: words.join(texts('availability.and')) });
}

/**
 * The coming week, with buttons that add times to it.
 * @param aircraftNames by id; a window for any aircraft names none
 * @param change what a button has just done; null for nothing
 */
export function availabilityMessage(
  { timeZone, days }: AvailabilityWindowDto,
  aircraftNames: ReadonlyMap<number, string>,
  publicUrl: string,
  change: TimesChange | null = null,
  texts: Texts,
): DiscordMessage {
  const lines = days.map(({ dateLocal, slots }) => {
    const words = withoutCovered(slots)
      .map((slot) => slotWords(slot, aircraftNames, texts))
      .join(', ');
    return `**${dayWords(dateLocal, texts)}** ${words === '' ? '—' : words}`;
  });
  return {
    ...(change === null ? {} : { content: changeWords(change, texts) }),
    embeds: [
      {
        title: texts('availability.title'),
        description: fitLines(lines, LIST_MAX, (left) => texts('availability.moreDays', { left })),
        footer: { text: texts('availability.zone', { zone: timeZone }) },
      },
    ],
    components: [
      buttonRow(
        actionButton(texts('availability.tonight'), 'add-times', 'tonight', 'primary'),
        actionButton(texts('availability.weekend'), 'add-times', 'weekend', 'primary'),
        ...(change === null || change.undoIds.length === 0
          ? []
          : [actionButton(texts('availability.undo'), 'undo-times', packIds(change.undoIds))]),
        linkButton(texts('availability.change'), `${publicUrl}/availability`),
      ),
    ],
  };
}
