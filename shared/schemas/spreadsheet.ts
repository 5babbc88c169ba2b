/** Schemas of the pilots' spreadsheet: preview, import, export. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { IMPORT_BATCH_ROWS, IMPORT_CELL_LENGTH, IMPORT_FILE_LENGTH, IMPORT_ROWS_MAX } from '#shared/limits.ts';
import { byColumn, PILOT_COLUMN_KEYS, type PilotColumn } from '#shared/pilot-sheet.ts';
import { IMPORT_STATES } from '#shared/vocabulary.ts';
import { count, idInput, rowId, wholeNumber } from './common.ts';

/** The meaning of a column's cells. */
const MEANINGS = {
  callSign: ['Call sign.', 'Viper'],
  email: ['Email address.', 'viper@example.org'],
  timeZone: ['IANA time zone; UTC for a new pilot without one.', 'Europe/Berlin'],
  aircraft: ['Aircraft by name or code, with levels.', 'F-16C Viper: expert; A-10C II Warthog: learning'],
  weeklyTimes: ["Weekly times in the pilot's time zone.", 'Mon 19:00-22:00; Sat 20:00-01:00'],
  discordId: ['Id of the Discord account.', '700800900100200300'],
} as const satisfies Record<PilotColumn, readonly [meaning: string, example: string]>;

const metaOf = (column: PilotColumn) => ({ description: MEANINGS[column][0], examples: [MEANINGS[column][1]] });

/** A pilot as a row of the spreadsheet. */
export const pilotCells = z
  .object(byColumn((name) => z.string().meta(metaOf(name))))
  .meta({ id: 'PilotCells', description: 'A pilot as a row of a spreadsheet. Blank cells are empty texts.' });

export const previewImportInput = z.object({
  text: z
    .string({ error: copy.textMissing })
    .max(IMPORT_FILE_LENGTH, copy.importFileTooLong)
    .meta({
      description:
        'The file as text: CSV with commas or semicolons, or cells copied from a sheet. The first row names the columns.',
      examples: ['Call sign,Email,Time zone\nViper,viper@example.org,Europe/Berlin'],
    }),
});

const ROW = { description: 'Number of the row in the spreadsheet; the header is row 1.', examples: [7] };
const row = z.int().min(1).meta(ROW);
const rowInput = wholeNumber(1, 1_000_000, copy.invalidInput).meta(ROW);
const digest = z.string().meta({
  description: 'Identifies what the import would do with the row.',
  pattern: '^[0-9a-f]{16}$',
  examples: ['5f0e8a4b6c017a11'],
});
const column = z.enum(PILOT_COLUMN_KEYS).meta({ description: 'The column.' });

const previewRow = z
  .object({
    row,
    state: z.enum(IMPORT_STATES).meta({
      description:
        '`create` a pilot, `update` one, `unchanged`: the pilot has all of it already, `bad`: `problem` says why.',
    }),
    problem: z
      .string()
      .nullable()
      .meta({
        description: 'Why the row cannot be imported, as a sentence; null when it can.',
        examples: ["“Europe/Berln” isn't a time zone. Did you mean Europe/Berlin?"],
      }),
    cells: pilotCells.meta({ description: 'The cells as they are in the file.' }),
    changes: z
      .array(
        z.object({
          column,
          from: z.string().meta({ description: 'Present value as a cell; empty for none.', examples: ['UTC'] }),
          to: z.string().meta({ description: 'New value as a cell.', examples: ['Europe/Berlin'] }),
        }),
      )
      .meta({ description: 'What would change.' }),
    userId: rowId.nullable().meta({ description: 'Id of the account; null for a new pilot and a bad row.' }),
    needsPassword: z.boolean().meta({
      description: 'True for a pilot with an email who has no password yet, and so needs a personal link.',
    }),
    digest,
  })
  .meta({ id: 'PreviewRow', description: 'A row of a spreadsheet, and what its import would do.' });
export type PreviewRowDto = z.infer<typeof previewRow>;

export const importPreview = z
  .object({
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the file cannot be read at all, as a sentence; null when it can.', examples: [null] }),
    ignoredColumns: z
      .array(z.string())
      .meta({ description: 'Columns that Marshal does not know, by their headers.', examples: [['Rank']] }),
    rows: z
      .array(previewRow)
      .max(IMPORT_ROWS_MAX)
      .meta({ description: 'Rows of the file in order; blank ones are left out.' }),
  })
  .meta({ id: 'ImportPreview', description: 'What the import of a spreadsheet would do. Nothing is stored.' });
export type ImportPreviewDto = z.infer<typeof importPreview>;

const cellInput = (name: PilotColumn) =>
  z.string({ error: copy.invalidInput }).max(IMPORT_CELL_LENGTH, copy.importCellTooLong).default('').meta(metaOf(name));

export const importRowsInput = z.object({
  importId: idInput.meta({
    description: 'Any new id: the calls of one import share it, and make one entry of the audit log.',
  }),
  rows: z
    .array(
      z.object({
        row: rowInput,
        digest: digest.max(64, copy.invalidInput).meta({ description: '`digest` of the row in the preview.' }),
        cells: z.object(byColumn(cellInput)).meta({ description: '`cells` of the row in the preview.' }),
      }),
      { error: copy.invalidInput },
    )
    .min(1, copy.textMissing)
    .max(IMPORT_BATCH_ROWS, copy.importTooManyRows)
    .meta({ description: 'Rows of the preview that are not bad.' }),
});

export const importedRows = z
  .object({
    created: z
      .array(z.object({ row, userId: rowId.meta({ description: 'Id of the new account.' }) }))
      .meta({ description: 'New pilots.' }),
    updated: count.meta({ description: 'Pilots who were changed.', examples: [3] }),
    unchanged: count.meta({ description: 'Pilots who had all of it already.', examples: [12] }),
  })
  .meta({ id: 'ImportedRows', description: 'The result of an import.' });
export type ImportedRowsDto = z.infer<typeof importedRows>;
