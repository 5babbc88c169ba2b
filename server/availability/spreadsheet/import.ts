/**
 * Import of pilots from a spreadsheet: a preview that stores nothing, and the import of previewed rows. A row is only
 * imported as it was previewed; importing the same file again finds everything in place and writes nothing.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { db, json } from '#server/schema/database.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import type { RequireFresh } from '#server/accounts/fresh-session.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import { copy } from '#shared/copy.ts';
import type { ImportedRowsDto, ImportPreviewDto, importRowsInput, PreviewRowDto } from '#shared/schemas/spreadsheet.ts';
import { loadSheetWorld } from './accounts-of.ts';
import { asByToken, planRows, type PlannedRow, type SheetRow } from './rules/plan.ts';
import { readSheet } from './sheet.ts';
import { listStoring, storePilots, type Storing } from './store-pilots.ts';

const DIGEST_LENGTH = 16;

/** Equal for two plans of a row that do the same. */
function digestOf({ state, account, changes }: PlannedRow): string {
  const plan = JSON.stringify([state, account?.id ?? null, changes]);
  return createHash('sha256').update(plan).digest('hex').slice(0, DIGEST_LENGTH);
}

function presentRow(planned: PlannedRow): PreviewRowDto {
  const { row, state, problem, cells, changes, account, wish } = planned;
  const email = account?.email || (wish?.email ?? '');
  return {
    row,
    state,
    problem,
    cells,
    changes,
    userId: account?.id ?? null,
    needsPassword: state !== 'bad' && email !== '' && account?.hasPassword !== true,
    digest: digestOf(planned),
  };
}

/** What an import of this file would do. Nothing is stored. @param isByToken for a caller with an access token */
export async function previewImport(
  em: Em,
  text: string,
  { isByToken }: { isByToken: boolean },
): Promise<ImportPreviewDto> {
  const sheet = readSheet(text);
  if ('problem' in sheet) return { problem: sheet.problem, ignoredColumns: [], rows: [] };
  const world = await loadSheetWorld(
    em,
    sheet.rows.map(({ cells }) => cells),
    false,
  );
  const planned = planRows(sheet.rows, world);
  const rows = (isByToken ? asByToken(planned) : planned).map(presentRow);
  return { problem: null, ignoredColumns: sheet.ignored, rows };
}

/**
 * Record the import in the audit log: one entry for all calls of an import, which lists the accounts.
 * @throws AppError 409 for an id that is not one of this admin's imports
 */
async function recordImport(
  tx: Em,
  viewer: Viewer,
  importId: string,
  { created, updated }: { created: readonly string[]; updated: readonly string[] },
  now: Date,
): Promise<void> {
  const known = await db(tx)
    .selectFrom('audit_entry')
    .select(['action', 'actor_id as actorId', 'detail'])
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst();
  if (known && (known.action !== 'pilots_imported' || known.actorId !== viewer.id)) throw new AppError('CONFLICT');
  const before = (field: string): readonly unknown[] => {
    const ids: unknown = known?.detail[field];
    return Array.isArray(ids) ? ids : [];
  };
  const detail = json({
    created: [...before('created'), ...created],
    updated: [...before('updated'), ...updated],
  });
  await db(tx)
    .insertInto('audit_entry')
    .values({
      id: importId,
      actor_id: viewer.id,
      action: 'pilots_imported',
      subject_type: 'user',
      subject_id: viewer.id,
      detail,
      occurred_at: now,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ detail }))
    .execute();
}

const idsOf = (rows: readonly Storing[]) => rows.map(({ userId }) => userId);

/** A row that another request stored between this one's reading and writing: reading again finds it. */
const isStoredMeanwhile = (error: unknown): boolean =>
  /^(app_user_email_key|discord_account|availability_template_one_active|audit_entry_pkey)/.test(
    violatedConstraint(error) ?? '',
  );

/**
 * Import rows as they were previewed; all of them or none. Rows that have been imported in the meantime are left alone, so
 * that an interrupted import can be repeated.
 * @param requireFresh asked before a row lets somebody sign in to an account
 * @throws AppError 409 when a row would now do something other than in the preview
 */
export async function importRows(
  em: Em,
  viewer: Viewer,
  { importId, rows }: z.infer<typeof importRowsInput>,
  requireFresh: RequireFresh,
  now: Date,
): Promise<ImportedRowsDto> {
  const sheetRows: SheetRow[] = rows.map(({ row, cells }) => ({ row, cells, problem: null }));
  const previewed = new Map(rows.map(({ row, digest }) => [row, digest]));
  return transact(
    em,
    async (tx) => {
      const world = await loadSheetWorld(
        tx,
        rows.map(({ cells }) => cells),
        true,
      );
      const planned = planRows(sheetRows, world);
      const first = planned.find(({ givesAccess }) => givesAccess);
      if (first) await requireFresh(tx, `Row ${first.row}: ${asByToken([first])[0]?.problem}`);
      const isAsPreviewed = (one: PlannedRow) => one.state === 'unchanged' || digestOf(one) === previewed.get(one.row);
      if (!planned.every((one) => one.state !== 'bad' && isAsPreviewed(one)))
        throw new AppError('CHANGED', copy.importChanged);
      const storing = listStoring(planned);
      const created = storing.filter(({ account }) => account === null);
      const updated = storing.filter(({ account }) => account !== null);
      if (storing.length > 0) {
        await storePilots(tx, storing, now);
        const ids = { created: idsOf(created), updated: idsOf(updated) };
        await recordImport(tx, viewer, importId, ids, now);
        const rescheduled = updated.filter(({ columns }) => columns.has('weeklyTimes') || columns.has('timeZone'));
        emit(tx, { type: 'accounts.imported', ...ids, rescheduled: idsOf(rescheduled) });
      }
      return {
        created: created.map(({ row, userId }) => ({ row, userId })),
        updated: updated.length,
        unchanged: planned.length - storing.length,
      };
    },
    isStoredMeanwhile,
  );
}
