/** The audit log as admins read it. What is written there stands with the events (`server/signals/rules/`). */
import type { z } from 'zod';
import { expressionBuilder } from 'kysely';
import { db, isOneOf, ms, type Database } from '#server/schema/database.ts';
import { Aircraft } from '#server/schema/aircraft.ts';
import { AuditEntry } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { findEntries } from './audit-search.ts';
import { type AuditDetail, auditWords, isByCommandLine, namedAccounts } from '#server/board/rules/audit-text.ts';
import { toIso } from '#server/time/time.ts';
import type { AuditEntryDto, auditInput, auditPage } from '#shared/schemas/audit.ts';
import { idInput } from '#shared/schemas/common.ts';
import { AUDIT_ACTIONS, AUDIT_SUBJECT_TYPES } from '#shared/vocabulary.ts';
import { shownEmail } from '#server/accounts/email.ts';
import { loadNames } from '#server/accounts/users.ts';
import { NAMELESS } from '#shared/labels.ts';

type SubjectType = AuditEntryDto['subjectType'];

/** The call sign, or else the email address. */
const accountName = (displayName: string | null, email: string): string =>
  displayName ?? (shownEmail(email) || NAMELESS);

interface Subject {
  name: string | null;
  /** set for a mission */
  startMs: number | null;
}

/** Subjects as they are today, by `type id`; deleted ones are missing. */
async function loadSubjects(em: Em, entries: readonly AuditEntry[]): Promise<Map<string, Subject>> {
  const ids = (type: SubjectType) =>
    entries.flatMap(({ subjectType, subjectId }) => (subjectType === type ? [subjectId] : []));
  const uuids = (type: SubjectType) => ids(type).filter((id) => idInput.safeParse(id).success);
  const { cast, lit, val } = expressionBuilder<Database>();
  const ofType = (type: SubjectType) => cast<SubjectType>(val(type), 'text').as('type');
  const noEmail = cast<string | null>(lit(null), 'text').as('email');
  const noStart = cast<number | null>(lit(null), 'float8').as('startMs');
  const rows = await db(em)
    .selectFrom('app_user as u')
    .select(({ ref }) => [
      ofType('user'),
      cast<string>(ref('u.id'), 'text').as('id'),
      'u.display_name as name',
      ref('u.email').$castTo<string | null>().as('email'),
      noStart,
    ])
    .where(isOneOf('u.id', uuids('user')))
    .unionAll(({ selectFrom }) =>
      selectFrom('mission as m')
        .select(({ ref }) => [
          ofType('mission'),
          cast<string>(ref('m.id'), 'text').as('id'),
          'm.name',
          noEmail,
          ms(ref('m.starts_at')).as('startMs'),
        ])
        .where(isOneOf('m.id', uuids('mission'))),
    )
    .unionAll(({ selectFrom }) =>
      selectFrom('guild as g')
        .select([ofType('guild'), 'g.id', 'g.name', noEmail, noStart])
        .where(isOneOf('g.id', ids('guild'))),
    )
    .execute();
  return new Map(
    rows.map(({ type, id, name, email, startMs }) => [
      `${type} ${id}`,
      { name: email === null ? name : accountName(name, email), startMs },
    ]),
  );
}

/** Detail fields that hold the subject's name at the time of the entry. */
const FORMER_NAMES: Record<SubjectType, readonly string[]> = {
  user: ['name'],
  mission: ['name', 'missionName'],
  template: ['name'],
  series: ['name'],
  guild: ['guildName', 'name'],
  webhook: ['name'],
  aircraft: ['name'],
  invite: ['name'],
  community: [],
  ban: ['name'],
  request: [],
};

/** The subject's name at the time, if the detail has it. */
function formerName(subjectType: SubjectType, detail: AuditDetail): string | null {
  const fields = FORMER_NAMES[subjectType];
  const names = fields.map((field) => detail[field]).filter((name) => typeof name === 'string');
  return names.find((name) => name !== '') ?? null;
}

/** One page of entries, newest first. Entries with actions that this release does not know are left out. */
export async function listAudit(em: Em, input: z.infer<typeof auditInput>): Promise<z.infer<typeof auditPage>> {
  const { ids, total } = await findEntries(em, input, AUDIT_SUBJECT_TYPES);
  const entries = await em.find(
    AuditEntry,
    { id: { $in: ids } },
    { populate: ['actor'], orderBy: { occurredAt: 'desc', id: 'desc' } },
  );
  const subjects = await loadSubjects(em, entries);
  const names = await loadNames(
    em,
    entries.flatMap(({ detail }) => namedAccounts(detail ?? {})),
  );
  const aircraft = new Map((await em.find(Aircraft, {})).map(({ id, name }) => [id, name]));
  return {
    entries: entries.flatMap((entry): AuditEntryDto[] => {
      const action = AUDIT_ACTIONS.find((one) => one === entry.action);
      const subjectType = AUDIT_SUBJECT_TYPES.find((one) => one === entry.subjectType);
      if (!action || !subjectType) return [];
      const { actor, subjectId } = entry;
      const detail = entry.detail ?? {};
      const subject = subjects.get(`${subjectType} ${subjectId}`);
      return [
        {
          id: entry.id,
          occurredAt: entry.occurredAt.toISOString(),
          action,
          actor: actor ? { id: actor.id, displayName: accountName(actor.displayName ?? null, actor.email) } : null,
          isByCommandLine: isByCommandLine(detail),
          subjectType,
          subjectId,
          subjectName: subject?.name || formerName(subjectType, detail),
          missionStartUtc: typeof subject?.startMs === 'number' ? toIso(subject.startMs) : null,
          summary: auditWords(action, detail, {
            aircraft: (id) => aircraft.get(id),
            pilot: (id) => names.get(id),
          }),
        },
      ];
    }),
    total,
    page: input.page,
    pageSize: input.pageSize,
  };
}
