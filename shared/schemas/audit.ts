/** Schemas of the audit log. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { ADMIN_PAGE_SIZE, PAGE_SIZE } from '#shared/limits.ts';
import { AUDIT_ACTIONS } from '#shared/vocabulary.ts';
import { idInput, isoInstant, safeText, wholeNumber } from './common.ts';

export const auditInput = z.object({
  page: wholeNumber(1, 1_000_000, copy.pageRange).default(1),
  pageSize: wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, copy.pageSizeRange).default(ADMIN_PAGE_SIZE),
  action: z.enum(AUDIT_ACTIONS, { error: copy.auditActionFromList }).optional(),
  /** Lists only actions of this user. */
  actorId: idInput.optional(),
  /** Lists only actions on this user, mission, guild or webhook. */
  subjectId: safeText(100).optional(),
});

export const auditPage = z
  .object({
    /** Entries, newest first. */
    entries: z.array(
      z.object({
        id: z.string(),
        occurredAt: isoInstant,
        action: z.enum(AUDIT_ACTIONS),
        /** The user who acted; null when the account no longer exists. */
        actor: z.object({ id: z.string(), displayName: z.string() }).nullable(),
        subjectType: z.enum(['user', 'mission', 'guild', 'webhook']),
        subjectId: z.string(),
        /** Current name of the subject, or its last known name; null when neither is known. */
        subjectName: z.string().nullable(),
        /** Current start of the mission; null for other subjects and for missions that no longer exist. */
        missionStartUtc: isoInstant.nullable(),
        /** Details of the action: `Removed the role admin`, `Start: Nov 21 1900Z to Nov 21 2000Z`. */
        summary: z.string(),
      }),
    ),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  })
  .meta({ id: 'AuditPage' });
export type AuditEntryDto = z.infer<typeof auditPage>['entries'][number];
