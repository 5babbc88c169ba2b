/** Procedures for the spreadsheet of pilots. */
import { z } from 'zod';
import { adminProcedure, heavy, replicated, router, withBody } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { freshSessionByRow, freshSessionOf } from '#server/http/access.ts';
import { exportPilots } from '#server/availability/spreadsheet/export.ts';
import { importRows, previewImport } from '#server/availability/spreadsheet/import.ts';
import { BODY_BYTES } from '#shared/limits.ts';
import { exportPilotsInput } from '#shared/schemas/admin.ts';
import {
  importedRows,
  importPreview,
  importRowsInput,
  pilotCells,
  previewImportInput,
} from '#shared/schemas/spreadsheet.ts';

export const spreadsheetRouter = router({
  export: adminProcedure
    .meta(
      rest('get', '/admin/users/export', {
        id: 'exportPilots',
        tag: 'Users',
        summary: 'Export pilots as a spreadsheet',
        description:
          'Active pilots as rows, with their aircraft and weekly times. With `Accept: text/csv` it is a file that an import takes: into an empty Marshal it brings the same pilots. Suspended accounts are left out.',
        answer: 'Pilots as rows.',
      }),
    )
    .meta(replicated)
    .input(exportPilotsInput)
    .output(z.array(pilotCells))
    .query(({ ctx, input }) => exportPilots(ctx.em, input)),

  /** Changes nothing; a mutation because a file does not fit into an address. */
  preview: adminProcedure
    .meta(
      rest('post', '/admin/users/import/preview', {
        id: 'previewImport',
        tag: 'Users',
        summary: 'Preview the import of a spreadsheet',
        description:
          'Reads up to 5,000 rows and answers what an import would do with each. Stores nothing. A pilot is found by the email, else by the Discord id; blank cells change nothing.',
      }),
    )
    .meta(heavy)
    .meta(withBody(BODY_BYTES.file))
    .meta(freshSessionByRow)
    .input(previewImportInput)
    .output(importPreview)
    .mutation(({ ctx, input }) => previewImport(ctx.em, input.text, { isByToken: ctx.token !== null })),

  import: adminProcedure
    .meta(
      rest('post', '/admin/users/import', {
        id: 'importPilots',
        tag: 'Users',
        summary: 'Import previewed rows',
        description:
          'Creates and changes pilots, at most 100 in one call, all of them or none. Importing rows again changes nothing. New accounts have no password: their pilots sign in through Discord or with a personal link.',
        refusals: ['CHANGED'],
      }),
    )
    .meta(withBody(BODY_BYTES.file))
    .meta(freshSessionByRow)
    .input(importRowsInput)
    .output(importedRows)
    .mutation(({ ctx, input }) => importRows(ctx.em, ctx.viewer, input, freshSessionOf(ctx), ctx.now)),
});
