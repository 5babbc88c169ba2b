/** Positive controls of the contract fuzz: it finds a planted violation of each kind. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { readContract, type Schema } from './contract.ts';
import type { Reach } from './reach.ts';
import { examine, startExamination } from './suite.ts';
import type { Twins } from './twins.ts';

let twins: Twins & { world: Reach };
let document: Schema;
beforeAll(async () => ({ twins, document } = await startExamination()));
afterAll(() => twins.stop());

const INPUTS = 20;

/** The document with a change of one operation's answers. */
function withAnswers(path: string, method: string, change: (responses: Record<string, Schema>) => void): Schema {
  const copy = structuredClone(document);
  const paths = copy.paths as Record<string, Record<string, { responses: Record<string, Schema> }>>;
  change(paths[path]?.[method]?.responses ?? {});
  return copy;
}

const faultsOf = async (changed: Schema, procedure: string) =>
  (await examine(twins, readContract(changed), procedure, INPUTS)).faults.join('\n');

test('nothing is found without a violation', async () => {
  expect(await faultsOf(document, 'pilot.setStatus')).toBe('');
});

test('a status that is not documented is found', async () => {
  const changed = withAnswers('/users/{id}/status', 'put', (responses) => delete responses['400']);
  expect(await faultsOf(changed, 'pilot.setStatus')).toContain('answered 400, which is not documented');
});

test('an answer that breaks its schema is found, of a success and of a refusal', async () => {
  const schema = { type: 'object', required: ['planted'] };
  for (const status of ['200', '400']) {
    const changed = withAnswers('/users/{id}/status', 'put', (responses) => {
      responses[status] = { description: 'planted', content: { 'application/json': { schema } } };
    });
    expect(await faultsOf(changed, 'pilot.setStatus')).toContain(`the answer ${status} breaks its schema`);
  }
});

test('a difference between the surfaces is found', async () => {
  await query(twins.trpc.app.orm.em.fork(), sql`update app_user set display_name = 'Planted' where roles <> '{}'`);
  expect(await faultsOf(document, 'auth.me')).toContain('the surfaces differ at /displayName');
});

test('an answer 500 is found', async () => {
  await query(twins.rest.app.orm.em.fork(), sql`alter table pilot_status rename to planted`);
  expect(await faultsOf(document, 'pilot.status')).toContain('answered 500');
});
