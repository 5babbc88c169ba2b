/** Every statement that reads Discord servers asks if an admin has accepted them, or is listed here with its reason. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Statements that pending servers are part of, by file: how many, and why. */
const ALL_SERVERS: Record<string, readonly [count: number, why: string]> = {
  'server/board/audit-log.ts': [1, 'the names of servers in the audit log'],
  'server/board/audit-search.ts': [1, 'the same, to search by'],
  'server/discord/guilds/guild-sync.ts': [3, 'locks and stores what the bot reports, also of pending servers'],
  'server/discord/guilds/guilds.ts': [1, 'the settings of one server on the page on which it is accepted'],
  'server/discord/guilds/member-sync.ts': [1, 'one server, after isAccepted'],
  'server/discord/guilds/mission-settings.ts': [
    1,
    'reads one server for the audit; saveMissionSettings refuses a pending one',
  ],
  'server/discord/guilds/acceptance.ts': [1, 'the channel of the welcome, as the server is being accepted'],
  'server/discord/posts/prepare-post.ts': [1, 'reads accepted_at itself and drops the message'],
  'server/discord/posts/compose.ts': [2, 'the name of the server of a message that has passed that check'],
  'server/schema/reachability.ts': [1, 'Discord delivers direct messages through any server'],
  'server/discord/registration/registration.ts': [2, 'one server, followed by requireAccepted'],
  'server/discord/replies/replies.ts': [1, 'records that a command failed'],
  'server/planning/mission-request.ts': [1, 'the names of servers in a change of a mission'],
  'server/cli/sample/sample-community.ts': [1, 'a database with any server is not new'],
};

/** Reads of the table `guild` in source text that do not mention acceptance. */
function findUnchecked(source: string): string[] {
  const reads = source.matchAll(
    /(?:selectFrom|[a-z]+Join|from)\(\s*'guild(?: as \w+)?'|(?:findOne|find|count)\(\s*Guild,/g,
  );
  return [...reads].flatMap(({ index }) => {
    const rest = source.slice(index);
    const end = /execute\w*\(|;\n\n|\n}\n/.exec(rest)?.index ?? rest.length;
    return /isAcceptedGuild/.test(rest.slice(0, end)) ? [] : [rest.slice(0, 80)];
  });
}

test('a planted read of all servers is found, and one that asks is not', () => {
  expect(findUnchecked(`db(tx).selectFrom('guild as g').select('g.id').where(isAcceptedGuild).execute()`)).toEqual([]);
  expect(findUnchecked(`db(tx).selectFrom('guild as g').select('g.id').execute()`)).toHaveLength(1);
  expect(findUnchecked(`db(tx).selectFrom('x').innerJoin('guild as g', 'g.id', 'x.guild').execute()`)).toHaveLength(1);
  expect(findUnchecked('tx.findOne(Guild, { id })')).toHaveLength(1);
});

test('every read of servers asks if they are accepted, or has a reason', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: (path) => path.includes('node_modules') });
  const found = files.flatMap((file) => {
    const unchecked = findUnchecked(readFileSync(join(ROOT, file), 'utf8'));
    return unchecked.length === 0 ? [] : [[file, unchecked.length] as const];
  });
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(ALL_SERVERS).map(([file, [count]]) => [file, count])),
  );
});
