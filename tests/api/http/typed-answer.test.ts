/** Answers that are not parsed: these tests run where they are compared with their schema. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerSchema, typedAnswer } from '#server/http/typed-answer.ts';

const schema = z.object({ id: z.string(), note: z.string().optional() });
const answer = typedAnswer(schema);

test.each([{ id: 'a' }, { note: 'b', id: 'a' }, { id: 'a', note: undefined }])('%j is the answer as it is', (given) => {
  expect(answer(given)).toBe(given);
});

test.each([{ id: 'a', hash: 'secret' }, { id: 1 }, {}])('%j fails a test', (given) => {
  expect(() => answer(given)).toThrow();
});

test('the API document sees the schema', () => {
  expect(answerSchema(answer)).toBe(schema);
  expect(answerSchema(schema)).toBe(schema);
});
