/** Searching the audit log: entries by filters, dates and words. */
import type { z } from 'zod';
import { sql } from 'kysely';
import { countRows, db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { dayBounds } from '#server/time/time.ts';
import { allowMemory } from '#server/platform/transaction.queries.ts';
import { PLACEHOLDER_PATTERN } from '#server/accounts/email.ts';
import { AUDIT_ACTION_NAMES } from '#shared/labels.ts';
import { AUDIT_WORDS_MAX } from '#shared/limits.ts';
import type { AuditEntryDto, auditInput } from '#shared/schemas/audit.ts';
import { AUDIT_ACTIONS } from '#shared/vocabulary.ts';

type AuditInput = z.infer<typeof auditInput>;

/** Names found for one word; more would make it no search. */
const NAMES_MAX = 500;

/**
 * A word can be in millions of entries. With less memory PostgreSQL would only remember the pages that they are on, and take
 * the words of every entry there apart again.
 */
const SEARCH_MEMORY_MB = 32;

const patternOf = (word: string): string => `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

/** A text search for words with this beginning. */
const beginningOf = (word: string): string => `'${word.replaceAll(/['\\]/g, ' ')}':*`;

/** Ids of accounts, missions and servers whose name has this word. */
async function findNamed(em: Em, word: string): Promise<{ users: string[]; others: string[] }> {
  const pattern = patternOf(word);
  const users = await db(em)
    .selectFrom('app_user')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('display_name', 'ilike', pattern),
        eb.and([eb('email', 'ilike', pattern), eb('email', 'not like', PLACEHOLDER_PATTERN)]),
      ]),
    )
    .limit(NAMES_MAX)
    .execute();
  const missions = await db(em)
    .selectFrom('mission')
    .select('id')
    .where('name', 'ilike', pattern)
    .limit(NAMES_MAX)
    .execute();
  const guilds = await db(em)
    .selectFrom('guild')
    .select('id')
    .where('name', 'ilike', pattern)
    .limit(NAMES_MAX)
    .execute();
  return { users: users.map(({ id }) => id), others: [...missions, ...guilds].map(({ id }) => id) };
}

/** The accounts, things and actions that a word of the search names. It may also begin a word of the details. */
async function readWord(em: Em, word: string) {
  const { users, others } = await findNamed(em, word);
  const actions = AUDIT_ACTIONS.filter((action) => AUDIT_ACTION_NAMES[action].toLowerCase().includes(word));
  return { word, users, subjects: [...users, ...others], actions };
}

/** Ids of the entries of one page, newest first, and how many match. @param subjectTypes that this release knows */
export async function findEntries(
  em: Em,
  input: AuditInput,
  subjectTypes: readonly AuditEntryDto['subjectType'][],
): Promise<{ ids: string[]; total: number }> {
  const { action, actorId, subjectId, from, to, tz = 'UTC', page, pageSize } = input;
  const typed = (input.query ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, AUDIT_WORDS_MAX);
  const words = await Promise.all(typed.map((word) => readWord(em, word)));
  const matching = (tx: Em) =>
    db(tx)
      .selectFrom('audit_entry as e')
      .where('e.action', 'in', action === undefined ? [...AUDIT_ACTIONS] : [action])
      .where('e.subject_type', 'in', [...subjectTypes])
      .$if(actorId !== undefined, (select) => select.where('e.actor_id', '=', actorId ?? null))
      .$if(subjectId !== undefined, (select) => select.where('e.subject_id', '=', subjectId ?? ''))
      .$if(from !== undefined, (select) =>
        select.where('e.occurred_at', '>=', new Date(dayBounds(from ?? '', tz).startMs)),
      )
      .$if(to !== undefined, (select) => select.where('e.occurred_at', '<', new Date(dayBounds(to ?? '', tz).endMs)))
      .where((eb) =>
        eb.and(
          words.map(({ word, users, subjects, actions }) =>
            eb.or([
              // the expression of the index audit_entry_words_idx
              eb(
                eb.fn('jsonb_to_tsvector', [sql.lit('simple'), eb.ref('e.detail'), sql.lit('["string"]')]),
                '@@',
                eb.fn('to_tsquery', [sql.lit('simple'), eb.val(beginningOf(word))]),
              ),
              isOneOf('e.actor_id', users),
              isOneOf('e.subject_id', subjects),
              isOneOf('e.action', actions),
            ]),
          ),
        ),
      );
  return em.transactional(async (tx) => {
    await allowMemory(tx, SEARCH_MEMORY_MB);
    const rows = await matching(tx)
      .select('e.id')
      .orderBy('e.occurred_at', 'desc')
      .orderBy('e.id', 'desc')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute();
    const { total } = await matching(tx).select(countRows().as('total')).executeTakeFirstOrThrow();
    return { ids: rows.map(({ id }) => id), total };
  });
}
