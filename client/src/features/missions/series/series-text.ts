/** Sentences of series and mission templates. */
import { formatCalendarDate } from '#client/lib/time.ts';
import type { MissionSeriesDto, OccurrenceDto } from '#shared/schemas/series.ts';
import { seriesWords } from '#shared/labels.ts';
import type { OccurrenceState } from '#shared/vocabulary.ts';
import { count } from '#shared/plural.ts';

export const seriesCopy = {
  loading: 'Loading series...',
  loadFailed: 'Error loading series: ',
  empty: 'No series yet',
  emptyMeaning:
    'Open a mission and choose Repeat, or repeat a template below. Marshal then makes the next ones automatically.',
  templatesLoading: 'Loading templates...',
  templatesFailed: 'Error loading templates: ',
  made: 'The series is made. Its next missions follow in a moment.',
  changed: 'The series is changed.',
  skipped: 'The date is skipped.',
  moved: 'The mission is moved.',
  takenOver: 'These are your missions now.',
  templateRenamed: 'Template renamed',
  templateDeleted: 'Template deleted',
  skipMeaning: 'There is no mission on this date, and none will be made. Pilots with an order are told.',
  ownMeaning: 'Missions that were edited by themselves stay as they are. Pilots are asked again as by every edit.',
  daysMeaning: 'Drafts on dates that the series no longer has go. Published missions there stay, on their own.',
  endDrafts: 'Its coming drafts go.',
  zoneMeaning: (zone: string) => `Stays at this ${zone} time when the clocks change.`,
} as const;

/** `Every Wednesday at 1900L (Europe/Berlin), published 3 days ahead` */
export function ruleWords(series: MissionSeriesDto): string {
  const words = seriesWords(series);
  const { publishDays, lastDate } = series;
  const until = lastDate === null ? '' : `, until ${formatCalendarDate(lastDate)}`;
  const ahead =
    publishDays === null
      ? 'kept as drafts'
      : publishDays === 0
        ? 'published on the day'
        : `published ${count(publishDays, 'day')} ahead`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${until}, ${ahead}`;
}

/** State of a date, with its signal. */
export const STATE_WORDS = {
  planned: { word: 'Planned', signal: 'gray' },
  draft: { word: 'Draft', signal: 'gray' },
  published: { word: 'Published', signal: 'cyan' },
  skipped: { word: 'Skipped', signal: 'red' },
  cancelled: { word: 'Cancelled', signal: 'red' },
} as const satisfies Record<OccurrenceState, unknown>;

/** What ending a series does, as a sentence. */
export function endWords(occurrences: readonly OccurrenceDto[], cancelPublished: boolean): string {
  const published = occurrences.filter(({ state }) => state === 'published').length;
  if (published === 0) return seriesCopy.endDrafts;
  const missions = published === 1 ? '1 published mission' : `${published} published missions`;
  const verb = published === 1 ? 'stays' : 'stay';
  return cancelPublished
    ? `${seriesCopy.endDrafts} ${missions} will be cancelled, and pilots with an order are told.`
    : `${seriesCopy.endDrafts} ${missions} ${verb}, with ${published === 1 ? 'its' : 'their'} orders.`;
}
