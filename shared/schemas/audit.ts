/** Schemas of the audit log. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { ADMIN_PAGE_SIZE, AUDIT_QUERY_LENGTH, PAGE_SIZE } from '#shared/limits.ts';
import { AUDIT_ACTIONS, AUDIT_SUBJECT_TYPES } from '#shared/vocabulary.ts';
import { dateInput, idInput, isoInstant, pageFields, rowId, safeText, timeZoneInput, wholeNumber } from './common.ts';

export const auditInput = z.object({
  page: wholeNumber(1, 1_000_000, copy.pageRange).default(1).meta({ description: 'Page, from 1.' }),
  pageSize: wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, copy.pageSizeRange)
    .default(ADMIN_PAGE_SIZE)
    .meta({ description: 'Entries per page.' }),
  action: z
    .enum(AUDIT_ACTIONS, { error: copy.auditActionFromList })
    .optional()
    .meta({ description: 'Lists only entries with this action.' }),
  actorId: idInput.optional().meta({ description: 'Lists only actions of this user.' }),
  subjectId: safeText(100)
    .optional()
    .meta({
      description: 'Lists only actions on this user, mission, Discord server, webhook or invite.',
      examples: ['0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01'],
    }),
  query: safeText(AUDIT_QUERY_LENGTH)
    .optional()
    .meta({
      description:
        'Words that the entry has in its details, its action, or the name of the actor or the subject. The beginning of a word is enough.',
      examples: ['maverick'],
    }),
  from: dateInput.optional().meta({ description: 'First date, in `tz`.' }),
  to: dateInput.optional().meta({ description: 'Last date, in `tz`.' }),
  tz: timeZoneInput.optional().meta({ description: 'Time zone of the dates; UTC by default.', default: 'UTC' }),
});

const auditEntry = z
  .object({
    id: rowId.meta({ description: 'Id of the entry.' }),
    occurredAt: isoInstant.meta({ description: 'Time of the action.' }),
    action: z.enum(AUDIT_ACTIONS).meta({ description: 'What was done.' }),
    actor: z
      .object({
        id: rowId.meta({ description: 'Id of the account.' }),
        displayName: z.string().meta({ description: 'Name of the account.', examples: ['Marshal'] }),
      })
      .nullable()
      .meta({
        description: 'The user who acted; null when the account no longer exists, and for the command line.',
      }),
    isByCommandLine: z
      .boolean()
      .meta({ description: 'True for an action by the command line of the server, which has no account.' }),
    subjectType: z.enum(AUDIT_SUBJECT_TYPES).meta({ description: 'What the action was about.' }),
    subjectId: z.string().meta({
      description: 'Id of the user, mission, Discord server, webhook or invite.',
      examples: ['0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01'],
    }),
    subjectName: z
      .string()
      .nullable()
      .meta({
        description: 'Current or last known name of the subject; null when neither is known.',
        examples: ['Iron Anvil'],
      }),
    missionStartUtc: isoInstant
      .nullable()
      .meta({ description: 'Current start of the mission; null for other subjects and missions that are gone.' }),
    summary: z.string().meta({
      description: 'Details as a sentence.',
      examples: ['Removed the role admin', 'Start: Nov 21 1900Z to Nov 21 2000Z'],
    }),
  })
  .meta({ id: 'AuditEntry', description: 'An entry of the audit log.' });

export const auditPage = z
  .object({
    entries: z.array(auditEntry).meta({ description: 'Entries of the page, the newest first.' }),
    ...pageFields('Entries', { total: 312, pageSize: 20 }),
  })
  .meta({ id: 'AuditPage', description: 'A page of the audit log.' });
export type AuditEntryDto = z.infer<typeof auditEntry>;
