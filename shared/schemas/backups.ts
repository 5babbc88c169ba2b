/** Schemas of backups as admins see them. */
import { z } from '#shared/zod.ts';
import { count, isoInstant } from './common.ts';

export const backupRun = z
  .object({
    state: z.enum(['none', 'waiting', 'running', 'failed']).meta({
      description: '`none`: none under way, and the last did not fail.',
    }),
    error: z.string().nullable().meta({ description: 'Why it failed.' }),
    retryAt: isoInstant.nullable().meta({ description: 'When it is tried again; null for never.' }),
  })
  .meta({ id: 'BackupRun', description: 'A backup under way.' });
export type BackupRunDto = z.infer<typeof backupRun>;

const backupPlace = z
  .object({
    place: z.string().meta({
      description: 'Folder, or address of the object storage.',
    }),
    problem: z.string().nullable().meta({ description: 'Why it cannot be read.' }),
    backups: z
      .array(
        z.object({
          name: z.string().meta({ description: 'File.' }),
          madeAt: isoInstant.meta({ description: 'When it was made.' }),
          bytes: count.meta({ description: 'Size.' }),
        }),
      )
      .meta({ description: 'The newest first, at most 100.' }),
  })
  .meta({ id: 'BackupPlace', description: 'A place for backups.' });
export type BackupPlaceDto = z.infer<typeof backupPlace>;

export const backups = z
  .object({
    nextAt: isoInstant.nullable().meta({ description: 'When Marshal makes the next one; null when it makes none.' }),
    keep: count.meta({ description: 'How many stay in each place.', examples: [14] }),
    isLate: z.boolean().meta({ description: 'Whether the newest is over 30 hours old, or missing.' }),
    isContainer: z.boolean().meta({ description: 'Whether Marshal runs in a container.' }),
    run: backupRun,
    places: z.array(backupPlace).meta({ description: 'Where backups are.' }),
  })
  .meta({ id: 'Backups', description: 'The backups of the installation.' });
export type BackupsDto = z.infer<typeof backups>;
