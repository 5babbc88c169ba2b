/** The texts that may quote a pilot, in every table: redacted by the declarations of their columns when an account is erased. */
import { InviteUse } from '#server/schema/community.ts';
import { AuditEntry } from '#server/schema/operations.ts';
import { db, isOneOf, json } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { declaredColumns, isQuoting, type QuotingColumn, type Redaction } from '#server/schema/personal.ts';
import { FORMER_PILOT } from '#shared/labels.ts';
import type { GuildEventType } from '#shared/vocabulary.ts';
import { anyTable } from './account-rows.ts';
import {
  idsIn,
  redactLine,
  redactMarks,
  redactMarksIn,
  redactPeople,
  withoutMember,
  type Person,
} from './rules/redact.ts';

/** A LIKE pattern for a string inside a text. */
const inText = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;

/** A LIKE pattern for a string inside the text of a JSON value. */
const inJson = (text: string): string => inText(JSON.stringify(text).slice(1, -1));

type Row = Record<string, unknown>;

const keysOf = ({ meta }: QuotingColumn): string[] => meta.getPrimaryProps().flatMap(({ fieldNames }) => fieldNames);

/** The column with the id of the account that a row is about; null for a table without one. */
const aboutOf = ({ meta, personal: { about } }: QuotingColumn): string | null =>
  Object.entries(meta.properties).find(([name]) => name === about)?.[1]?.fieldNames[0] ?? null;

/**
 * Change a column in the rows whose text may quote the person. A row that does not change is not written.
 * @param patterns for LIKE, in either case
 */
async function change(
  tx: Em,
  column: QuotingColumn,
  {
    patterns,
    about,
    where = {},
  }: { patterns: readonly string[]; about?: string; where?: Record<string, readonly string[]> },
  clean: (value: unknown, row: Row) => unknown,
): Promise<void> {
  const aboutColumn = aboutOf(column);
  const keys = keysOf(column);
  const rows = await anyTable(tx)
    .selectFrom(column.table)
    .select([...keys, column.column, ...(aboutColumn === null ? [] : [aboutColumn])])
    .where(({ eb, or, cast, ref }) =>
      or([
        ...patterns.map((pattern) => eb(cast<string>(ref(column.column), 'text'), 'ilike', pattern)),
        ...(aboutColumn === null || about === undefined ? [] : [eb(aboutColumn, '=', about)]),
      ]),
    )
    .where(({ eb, and }) => and(Object.entries(where).map(([name, values]) => eb(name, 'in', values))))
    .forUpdate()
    .execute();
  for (const row of rows) {
    const before = row[column.column];
    const after = clean(before, row);
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    await anyTable(tx)
      .updateTable(column.table)
      .set({ [column.column]: column.isJson ? json(after) : after })
      .where(({ eb, and }) => and(keys.map((key) => eb(key, '=', row[key]))))
      .execute();
  }
}

const cleanText = (value: unknown, clean: (text: string) => string): unknown =>
  typeof value === 'string' ? clean(value) : value;

/** Those of the ids that are ids of accounts. */
async function findAccounts(tx: Em, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await anyTable(tx).selectFrom('app_user').select('id').where(isOneOf('id', ids)).execute();
  return new Set(rows.map(({ id }) => String(id)));
}

/** JSON with people in it: read twice, since the ids in it say who they are. */
async function redactJson(tx: Em, column: QuotingColumn, person: Person): Promise<void> {
  const values = person.copied.flatMap(({ isFree, value }) => (isFree && value !== null ? [value] : []));
  const patterns = [person.id, ...person.marks].map(inJson);
  const wanted = { patterns: [...patterns, ...values.map((one) => inText(JSON.stringify(one)))], about: person.id };
  const ids = new Set<string>();
  const aboutColumn = aboutOf(column);
  const idsOf = (value: unknown, row: Row) => idsIn(aboutColumn === null ? value : [value, row[aboutColumn]]);
  await change(tx, column, wanted, (value, row) => {
    for (const id of idsOf(value, row)) ids.add(id);
    return value;
  });
  const accounts = await findAccounts(tx, [...ids]);
  const freeNames = column.free && 'names' in column.free ? column.free.names : [];
  await change(tx, column, wanted, (value, row) => {
    const about = aboutColumn === null ? '' : String(row[aboutColumn]);
    const named = new Set(idsIn(value).filter((id) => accounts.has(id)));
    return redactPeople(
      value,
      person,
      { accounts: named, about: accounts.has(about) ? about : null, freeNames },
      FORMER_PILOT,
    );
  });
}

/** Events of a Discord server that begin with the username of a member. */
const MEMBER_EVENTS: readonly GuildEventType[] = [
  'member_joined',
  'member_left',
  'moderator_changed',
  'registration_link_issued',
  'registration_completed',
  'registration_rejected',
  'account_linked',
  'dm_failed',
  'rsvp_from_discord',
  'guild_updated',
];

/** The name of an invite that was for this person alone, and its copies in the audit log. */
async function redactInvite(tx: Em, { id }: Person): Promise<void> {
  const use = await tx.findOne(InviteUse, { user: id }, { populate: ['invite'] });
  if (use?.invite.maxUses !== 1) return;
  const { id: inviteId } = use.invite;
  await db(tx).updateTable('invite').set({ name: FORMER_PILOT }).where('id', '=', inviteId).execute();
  for (const { id: entryId, detail } of await tx.find(AuditEntry, { subjectType: 'invite', subjectId: inviteId })) {
    await db(tx)
      .updateTable('audit_entry')
      .set({ detail: json({ ...detail, name: FORMER_PILOT }) })
      .where('id', '=', entryId)
      .execute();
  }
}

/** The whole text of a row about the account, or of one about no account that is a name nobody else has; addresses and ids elsewhere. */
async function redactHeld(tx: Em, column: QuotingColumn, person: Person): Promise<void> {
  const about = aboutOf(column);
  const substitute = column.personal.to ?? FORMER_PILOT;
  const names = new Set(
    person.copied.flatMap(({ isFree, isShared, value }) => (isFree && !isShared && value !== null ? [value] : [])),
  );
  const patterns = [...person.marks, ...names].map(inText);
  await change(tx, column, { patterns, about: person.id }, (value, row) => {
    const holder = about === null ? null : row[about];
    if (holder === person.id) return substitute;
    const isName = (text: string) => holder === null && names.has(text);
    return cleanText(value, (text) => (isName(text) ? FORMER_PILOT : redactMarks(text, person, FORMER_PILOT)));
  });
}

/** What each way of redaction does; null: nothing. */
const REDACT: Record<Redaction, ((tx: Em, column: QuotingColumn, person: Person) => Promise<void>) | null> = {
  people: redactJson,
  marks: (tx, column, person) =>
    change(tx, column, { patterns: person.marks.map(inJson) }, (value) => redactMarksIn(value, person, FORMER_PILOT)),
  member: (tx, column, person) =>
    change(tx, column, { patterns: person.usernames.map(inText), where: { event_type: MEMBER_EVENTS } }, (value) =>
      cleanText(value, (text) => redactLine(text, person, 'a former member')),
    ),
  thread: (tx, column, person) =>
    change(tx, column, { patterns: person.marks.map(inText) }, (value) =>
      typeof value === 'object' && value !== null ? withoutMember(value, person.marks) : value,
    ),
  holder: redactHeld,
  invite: (tx, _column, person) => redactInvite(tx, person),
  kept: null,
};

/** Redact what other rooms and other accounts have stored about the person. */
export async function redactStored(tx: Em, person: Person): Promise<void> {
  for (const column of declaredColumns(tx).filter(isQuoting)) await REDACT[column.personal.how]?.(tx, column, person);
}
