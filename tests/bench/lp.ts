/** Linear programs for HiGHS, written in the LP format. */
import highs from 'highs';
import { computedMs } from './rounds.ts';

/** The package's types describe CommonJS for its ES module, too; in Node the import is the function itself. */
const loadHighs = highs as unknown as typeof highs.default;
const loading = loadHighs();

/** Coefficients with their variables. */
export type Terms = readonly (readonly [coefficient: number, variable: string])[];
export type Constraint = { readonly terms: Terms; readonly sense: '<=' | '='; readonly bound: number };

/**
 * The maximum of `objective` over variables in [0, 1]; throws unless HiGHS proves it.
 * @returns the value, and the milliseconds that the solver computed, including parsing
 */
export async function maximize(
  objective: Terms,
  constraints: readonly Constraint[],
): Promise<{ value: number; tookMs: number }> {
  if (objective.length === 0) return { value: 0, tookMs: 0 };
  const solver = await loading;
  // One term per line, because the parser limits the length of lines.
  const sum = (terms: Terms) => terms.map(([coefficient, variable]) => ` + ${coefficient} ${variable}\n`).join('');
  const rows = constraints.map(({ terms, sense, bound }, index) => ` c${index}:\n${sum(terms)} ${sense} ${bound}\n`);
  const variables = new Set([...objective, ...constraints.flatMap(({ terms }) => terms)].map(([, name]) => name));
  const bounds = [...variables].map((name) => ` 0 <= ${name} <= 1\n`);
  const text = ['Maximize\n obj:\n', sum(objective), 'Subject To\n', ...rows, 'Bounds\n', ...bounds, 'End\n'].join('');
  const before = computedMs();
  const { Status, ObjectiveValue } = solver.solve(text);
  const tookMs = computedMs() - before;
  if (Status !== 'Optimal') throw new Error(`HiGHS says ${Status}`);
  return { value: ObjectiveValue, tookMs };
}
