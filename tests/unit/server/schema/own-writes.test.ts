/** A read must not count as a write, because each write empties the cache of sessions. */
import { expect, test } from 'vitest';
import { isRead } from '#server/schema/own-writes.ts';

test.each([
  'select 1',
  '\n  SELECT * from mission',
  'begin',
  'savepoint s1',
  'with picked as (select 1) select * from picked',
  'with recursive days as (select 1 as day) select day from days',
])('reads: %s', (text) => expect(isRead(text)).toBe(true));

test.each([
  'insert into a values (1)',
  'update a set b = 1',
  'delete from a',
  'commit',
  'with gone as (delete from a returning id) select id from gone',
  'with new as (insert into a values (1) returning id) select id from new',
  'with changed as (UPDATE a set b = 1 returning id) select id from changed',
  'with held as (select id from a for update) select id from held',
  'copy a from stdin',
  'truncate a',
])('may write: %s', (text) => expect(isRead(text)).toBe(false));
