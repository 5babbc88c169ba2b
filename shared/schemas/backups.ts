/** Schemas of backups as admins see them. */
import { z } from '#shared/zod.ts';
import { count, isoInstant } from './common.ts';

export const backupRun = z
  .object({
    state: z.enum(['none', 'waiting', 'running', 'failed']).meta({
      description: '`none`: the last one was made, or there was none. `failed`: the last one was not made.',
    }),
    error: z.string().nullable().meta({ description: 'Why it failed.' }),
    retryAt: isoInstant.nullable().meta({ description: 'When it is tried again; null for never.' }),
  })
  .meta({ id: 'BackupRun', description: 'The backup that is under way or has failed.' });
export type BackupRunDto = z.infer<typeof backupRun>;

const backupPlace = z
  .object({
    place: z.string().meta({
      description: 'Folder on the server, or address of the object storage.',
      examples: ['/data/backups'],
    }),
    problem: z.string().nullable().meta({ description: 'Why it cannot be read.' }),
    total: count.meta({ description: 'How many backups are there.', examples: [14] }),
    backups: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the file.', examples: ['marshal-2026-11-26T031700Z.backup'] }),
          madeAt: isoInstant.meta({ description: 'The moment that it shows.' }),
          bytes: count.meta({ description: 'Size of the file.', examples: [4_815_162] }),
        }),
      )
      .meta({ description: 'The newest first, at most 100.' }),
  })
  .meta({ id: 'BackupPlace', description: 'A place for backups.' });
export type BackupPlaceDto = z.infer<typeof backupPlace>;

export const backups = z
  .object({
    isOn: z.boolean().meta({ description: 'Whether Marshal makes a backup every day.' }),
    nextAt: isoInstant.nullable().meta({ description: 'When it makes the next one.' }),
    keep: count.meta({ description: 'How many stay in each place.', examples: [14] }),
    isLate: z.boolean().meta({ description: 'Whether there is none of the last 30 hours.' }),
    isContainer: z.boolean().meta({ description: 'Whether Marshal runs in a container.' }),
    run: backupRun,
    places: z.array(backupPlace).meta({ description: 'Where backups are.' }),
  })
  .meta({ id: 'Backups', description: 'The backups of the installation.' });
export type BackupsDto = z.infer<typeof backups>;
