/** Admin procedures for backups. Restoring one is for the operator's command line alone. */
import { readBackups, requestBackup } from '#server/backup/overview.ts';
import { sessionOnly } from '#server/http/access.ts';
import { rest } from '#server/http/operation.ts';
import { adminProcedure, heavy, router } from '#server/http/trpc.ts';
import { backupRun, backups } from '#shared/schemas/backups.ts';

export const backupsRouter = router({
  list: adminProcedure
    .meta(
      rest('get', '/admin/backups', {
        id: 'listBackups',
        tag: 'Backups',
        summary: 'List backups',
      }),
    )
    .meta(heavy)
    .output(backups)
    .query(({ ctx }) => readBackups(ctx.em, ctx.app.env, ctx.now)),

  start: adminProcedure
    .meta(
      rest('post', '/admin/backups', {
        id: 'startBackup',
        tag: 'Backups',
        summary: 'Start a backup',
        description: '`listBackups` says how it goes.',
        refusals: ['BACKUPS_OFF', 'BACKUP_UNDER_WAY'],
      }),
    )
    .meta(sessionOnly)
    .output(backupRun)
    .mutation(({ ctx }) => requestBackup(ctx.em, ctx.app.env, ctx.viewer)),
});
