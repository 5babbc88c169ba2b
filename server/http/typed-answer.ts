/** Answers of reads that every open page repeats: what they say is given by types, and checked against the schema in tests. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { CHECKS_ANSWERS } from '#server/platform/env.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * The output of a procedure whose mapper makes its fields only. Elsewhere a schema removes what it does not name; here nothing is,
 * because parsing an answer takes longer than making it. A test that asks for it therefore fails at a field too many.
 */
export function typedAnswer<Schema extends z.ZodType>(schema: Schema) {
  const parse = (answer: unknown): z.output<Schema> => {
    if (CHECKS_ANSWERS && !isDeepStrictEqual(asJson(schema.parse(answer)), asJson(answer))) {
      throw new Error(`An answer has more than its schema: ${JSON.stringify(answer)}`);
    }
    return answer as z.output<Schema>;
  };
  return Object.assign(parse, { schema });
}

/** The schema of a procedure's output. */
export const answerSchema = (output: unknown): unknown =>
  typeof output === 'function' && 'schema' in output ? output.schema : output;
