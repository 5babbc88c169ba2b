import type { BackupRunDto } from '#shared/schemas/backups.ts';

/** Sentences of the backups page. */
export const backupsCopy = {
  loading: 'Loading backups...',
  loadFailed: 'Error loading backups: ',
  off: 'Marshal makes no backups by itself.',
  offMeaning:
    'Set BACKUP_DIR in .env to a folder on another disk, or BACKUP_S3_* to object storage, and start Marshal again.',
  none: 'There is no backup yet.',
  noneMeaning: 'Without one, a broken disk takes everything: accounts, times, missions.',
  late: 'The newest backup is more than 30 hours old.',
  lateMeaning: 'Everything since then would be lost with the disk.',
  empty: 'No backups here yet',
  failed: 'The last backup failed: ',
  again: 'Marshal tries again by itself.',
  givenUp: 'Marshal has given up on it.',
};

/** Sentence of the status line; '' while no backup is under way. @param hasAsked true if this page asked for one */
export function runWords({ state }: BackupRunDto, hasAsked: boolean): string {
  if (state === 'waiting') return 'The backup starts in a moment.';
  if (state === 'running') return 'A backup is being made.';
  return state === 'none' && hasAsked ? 'The backup is done.' : '';
}

/** One step of restoring a backup; its command, or null for a step by hand. */
interface RestoreStep {
  step: string;
  command: string | null;
}

/** The steps in order, as in docker/README.md. @param isContainer true for Docker's commands */
export function restoreSteps(isContainer: boolean): RestoreStep[] {
  const compose = 'docker compose -f docker/compose.yaml';
  return isContainer
    ? [
        { step: 'Stop Marshal', command: `${compose} stop marshal` },
        {
          step: 'Restore the newest backup',
          command: `${compose} run --rm marshal node server/cli/marshal.ts restore latest --replace`,
        },
        { step: 'Start Marshal again', command: `${compose} up -d` },
      ]
    : [
        { step: 'Stop Marshal on the server', command: null },
        { step: 'Restore the newest backup', command: 'npm run restore -- latest --replace' },
        { step: 'Start Marshal again', command: 'npm start' },
      ];
}
