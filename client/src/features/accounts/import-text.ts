import { IMPORT_ROWS_MAX, PASSWORD_LINK_DAYS } from '#shared/limits.ts';
import { PILOT_COLUMN_KEYS, PILOT_COLUMNS, type PilotColumn } from '#shared/pilot-sheet.ts';
import type { PreviewRowDto } from '#shared/schemas/spreadsheet.ts';
import type { ImportState } from '#shared/vocabulary.ts';

/** Sentences of /admin/users/import and of the dialog that adds one pilot. */
export const importCopy = {
  lead: 'From a spreadsheet. You see every change before anything is stored.',
  fileHint: `CSV, up to ${IMPORT_ROWS_MAX.toLocaleString('en-US')} pilots`,
  pasteHint: 'Copy the cells with their header row, and paste them here.',
  workbook: 'This is an Excel workbook. Save it as “CSV UTF-8”, or copy its cells and paste them below.',
  notUtf8: 'This file is not UTF-8. In Excel, save it as “CSV UTF-8”, or copy its cells and paste them below.',
  previewFailed: 'The file could not be checked: ',
  importFailed: 'The import stopped: ',
  resumed: 'Rows that are already imported are unchanged below. Import the rest when you are ready.',
  changed: 'Something has changed since the preview, so the rows were checked again.',
  nothing: 'Nothing to import: Marshal has everything in this file.',
  leave: 'The import stops. Rows that are already imported stay; the same file brings in the rest.',
  noPassword: `Give each pilot a personal link to set one. It works once, within ${PASSWORD_LINK_DAYS} days, and replaces earlier links.`,
  known: 'A pilot with this email or Discord id already exists.',
  byDiscord: 'This pilot has no email and signs in through Discord.',
  linksQueued: 'On their way. /admin/settings shows those that fail.',
  mailFailed: 'The links could not be sent: ',
  linksFailed: 'The links could not be made: ',
} as const;

/** Meaning of each column, for the help beside the file. */
const MEANINGS: Record<PilotColumn, { meaning: string; example: string }> = {
  callSign: { meaning: 'If blank, the pilot chooses it.', example: 'Viper' },
  email: { meaning: 'Each pilot needs this or a Discord id.', example: 'viper@example.org' },
  timeZone: { meaning: 'If blank: UTC.', example: 'Europe/Berlin' },
  aircraft: {
    meaning: 'With a level: basic, learning, proficient or expert.',
    example: 'F-16C: expert; A-10C II: learning',
  },
  weeklyTimes: {
    meaning: "In the pilot's own time zone.",
    example: 'Mon 19:00-22:00; Sat 20:00-01:00; Sun 18:00-20:00 F-16C',
  },
  discordId: {
    meaning: 'The number, not the name. Format the column as text.',
    example: '700800900100200300',
  },
};
export const COLUMN_HELP = PILOT_COLUMN_KEYS.map((key) => ({ header: PILOT_COLUMNS[key].header, ...MEANINGS[key] }));

export const STATE_NAMES: Record<ImportState, string> = {
  create: 'New',
  update: 'Changed',
  unchanged: 'Unchanged',
  bad: 'Problem',
};

/** `26 new`, `4 problems` */
export function countText(state: ImportState, count: number): string {
  const name = STATE_NAMES[state].toLowerCase();
  return `${count.toLocaleString('en-US')} ${state === 'bad' && count !== 1 ? `${name}s` : name}`;
}

/** `Time zone: UTC → Europe/Berlin`; the former value only where there is one. */
export function changeText({ column, from, to }: PreviewRowDto['changes'][number]): string {
  return `${PILOT_COLUMNS[column].header}: ${from === '' ? to : `${from} → ${to}`}`;
}

export const rowName = ({ cells }: PreviewRowDto): string =>
  cells.callSign || cells.email || (cells.discordId === '' ? 'No name' : `Discord ${cells.discordId}`);
