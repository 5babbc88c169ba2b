/** Procedures for the spreadsheet of pilots. */
import { z } from 'zod';
import { adminProcedure, heavy, replicated, router, withBody } from '#server/http/trpc.ts';
import { freshSessionByRow, freshSessionOf } from '#server/http/access.ts';
import { exportPilots } from '#server/spreadsheet/export.ts';
import { importRows, previewImport } from '#server/spreadsheet/import.ts';
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
    .meta(replicated)
    .input(exportPilotsInput)
    .output(z.array(pilotCells))
    .query(({ ctx, input }) => exportPilots(ctx.em, input)),

  /** Changes nothing; a mutation because a file does not fit into an address. */
  preview: adminProcedure
    .meta(heavy)
    .meta(withBody(BODY_BYTES.file))
    .meta(freshSessionByRow)
    .input(previewImportInput)
    .output(importPreview)
    .mutation(({ ctx, input }) => previewImport(ctx.em, input.text, { isByToken: ctx.token !== null })),

  import: adminProcedure
    .meta(withBody(BODY_BYTES.file))
    .meta(freshSessionByRow)
    .input(importRowsInput)
    .output(importedRows)
    .mutation(({ ctx, input }) => importRows(ctx.em, ctx.viewer, input, freshSessionOf(ctx), ctx.now)),
});
