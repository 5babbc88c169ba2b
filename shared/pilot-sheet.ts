/** The spreadsheet of pilots: its columns, their headers and spellings, and the rows of the template file. */

/** Columns by key, in the order of the file. Each header is recognized by its letters alone, in any case. */
export const PILOT_COLUMNS = {
  callSign: { header: 'Call sign', alsoKnownAs: ['callsign', 'pilot', 'nickname', 'name'] },
  email: { header: 'Email', alsoKnownAs: ['emailaddress', 'mail'] },
  timeZone: { header: 'Time zone', alsoKnownAs: ['zone', 'tz'] },
  aircraft: { header: 'Aircraft', alsoKnownAs: ['airframes', 'modules', 'planes'] },
  weeklyTimes: { header: 'Weekly times', alsoKnownAs: ['times', 'availability', 'weeklyavailability'] },
  discordId: { header: 'Discord id', alsoKnownAs: ['discord', 'discorduserid'] },
} as const satisfies Record<string, { header: string; alsoKnownAs: readonly string[] }>;

export type PilotColumn = keyof typeof PILOT_COLUMNS;
/** The cells of one row as text; '' for a blank one. */
export type PilotCells = Record<PilotColumn, string>;

export const PILOT_COLUMN_KEYS = Object.keys(PILOT_COLUMNS) as [PilotColumn, ...PilotColumn[]];

export const PILOT_HEADERS: readonly string[] = PILOT_COLUMN_KEYS.map((key) => PILOT_COLUMNS[key].header);

/** What a function makes of each column. */
export const byColumn = <Value>(valueOf: (column: PilotColumn) => Value): Record<PilotColumn, Value> =>
  Object.fromEntries(PILOT_COLUMN_KEYS.map((column) => [column, valueOf(column)])) as Record<PilotColumn, Value>;

/** The rows of the template file, which show every column at work. */
export const PILOT_EXAMPLES: readonly PilotCells[] = [
  {
    callSign: 'Viper',
    email: 'viper@example.org',
    timeZone: 'Europe/Berlin',
    aircraft: 'F-16C Viper: expert; A-10C II Warthog: learning',
    weeklyTimes: 'Mon 19:00-22:00; Sat 20:00-01:00; Sun 18:00-20:00 F-16C Viper',
    discordId: '',
  },
  {
    callSign: 'Magpie',
    email: '',
    timeZone: 'America/New_York',
    aircraft: 'F/A-18C Hornet: proficient',
    weeklyTimes: 'Mon-Fri 20:00-23:00',
    discordId: '700800900100200300',
  },
];
