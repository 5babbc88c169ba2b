import { useEffect, useRef, useState } from 'react';
import { errorCode, errorMessage } from '#client/lib/errors.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { IMPORT_BATCH_ROWS } from '#shared/limits.ts';
import type { ImportPreviewDto, PreviewRowDto } from '#shared/schemas/spreadsheet.ts';
import { importCopy } from './import-text.ts';

/** A pilot who needs a personal link. */
type LinkNeeder = { row: number; userId: string };

export interface ImportResult {
  created: number;
  updated: number;
  bad: PreviewRowDto[];
  /** accounts of the file that have an email and no password */
  needLinks: string[];
}

export type ImportStage =
  | { kind: 'choose'; problem: string | null }
  | { kind: 'checking' }
  | { kind: 'preview'; preview: ImportPreviewDto; note: string | null; error: string | null }
  | { kind: 'importing'; done: number; total: number }
  | { kind: 'done'; result: ImportResult };

/** Rows that an import would store. */
export const toStore = ({ rows }: ImportPreviewDto): PreviewRowDto[] =>
  rows.filter(({ state }) => state === 'create' || state === 'update');

/**
 * The steps of an import: choose, preview, import in batches, result. When a batch fails, the file is previewed again: what
 * has been stored is then unchanged, and the rest can follow.
 */
export function useImport() {
  const viewer = useSignedInViewer();
  const utils = trpc.useUtils();
  const [stage, setStage] = useState<ImportStage>({ kind: 'choose', problem: null });
  /** the file, and what has been stored of it so far */
  const file = useRef({ text: '', importId: '', created: 0, updated: 0 });
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const check = async (note: string | null = null, error: string | null = null): Promise<void> => {
    setStage({ kind: 'checking' });
    try {
      const preview = await trpcClient.admin.spreadsheet.preview.mutate({ text: file.current.text });
      setStage(
        preview.problem === null
          ? { kind: 'preview', preview, note, error }
          : { kind: 'choose', problem: preview.problem },
      );
    } catch (cause) {
      const said = errorMessage(cause, copy.unknownError);
      setStage({ kind: 'choose', problem: error ?? `${importCopy.previewFailed}${said}` });
    }
  };

  const begin = (text: string): Promise<void> => {
    file.current = { text, importId: crypto.randomUUID(), created: 0, updated: 0 };
    return check();
  };

  const run = async (preview: ImportPreviewDto): Promise<void> => {
    const rows = toStore(preview);
    const needers: LinkNeeder[] = [];
    setStage({ kind: 'importing', done: 0, total: rows.length });
    try {
      for (let from = 0; from < rows.length && !isGone.current; from += IMPORT_BATCH_ROWS) {
        const batch = rows.slice(from, from + IMPORT_BATCH_ROWS);
        const { created, updated } = await trpcClient.admin.spreadsheet.import.mutate({
          importId: file.current.importId,
          rows: batch.map(({ row, cells, digest }) => ({ row, cells, digest })),
        });
        file.current.created += created.length;
        file.current.updated += updated;
        needers.push(...created);
        setStage({ kind: 'importing', done: from + batch.length, total: rows.length });
      }
    } catch (cause) {
      const isChanged = errorCode(cause) === 'CHANGED';
      const error = isChanged ? null : `${importCopy.importFailed}${errorMessage(cause, copy.unknownError)}`;
      await check(isChanged ? importCopy.changed : importCopy.resumed, error);
      return;
    } finally {
      void utils.admin.users.invalidate();
      void utils.admin.audit.invalidate();
      void utils.admin.dashboard.invalidate();
    }
    const idOf = new Map(needers.map(({ row, userId }) => [row, userId]));
    const needLinks = preview.rows.flatMap(({ row, needsPassword, userId }) => {
      const id = userId ?? idOf.get(row);
      return needsPassword && id !== undefined && id !== viewer.id ? [id] : [];
    });
    const { created, updated } = file.current;
    const bad = preview.rows.filter(({ state }) => state === 'bad');
    setStage({ kind: 'done', result: { created, updated, bad, needLinks } });
  };

  return {
    stage,
    begin,
    run,
    refuse: (problem: string) => setStage({ kind: 'choose', problem }),
    restart: () => setStage({ kind: 'choose', problem: null }),
  };
}
