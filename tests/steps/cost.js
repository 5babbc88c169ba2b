// What the steps of `npm test` cost: wall time, and the processor time of the programs that they start.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * `processor`: seconds of all processors; null where the system does not tell, which is everywhere but on Linux.
 * @typedef {{ wall: number, processor: number | null }} Cost
 */

/** The system counts processor time in these, whatever the machine. */
const TICKS_PER_SECOND = 100;
/** Places in /proc/self/stat after the program's name, of the time of ended children in user and in system mode. */
const CHILDREN_USER = 13;
const CHILDREN_SYSTEM = 14;

/** @type {AsyncLocalStorage<{ processor: number | null }>} */
const meters = new AsyncLocalStorage();
let counted = readEndedChildren();
/** Steps that are running. */
let running = 0;

/** @returns {number | null} seconds that all ended children have used, with theirs */
function readEndedChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[CHILDREN_USER]) + Number(fields[CHILDREN_SYSTEM])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/**
 * What a step costs. Steps may run at the same time.
 * @template T
 * @param {() => Promise<T>} step calls `meterOfProgram` for every program that it starts
 * @returns {Promise<{ result: T, cost: Cost }>}
 */
export async function measure(step) {
  // programs that ended before, such as an installation, belong to no step
  if (running === 0) counted = readEndedChildren();
  running += 1;
  const meter = { processor: counted === null ? null : 0 };
  const began = performance.now();
  const result = await meters.run(meter, step).finally(() => (running -= 1));
  return { result, cost: { wall: (performance.now() - began) / 1000, processor: meter.processor } };
}

/** @returns to be called when a program has ended: counts it for the step that is running now, which starts it */
export function meterOfProgram() {
  const meter = meters.getStore();
  return () => {
    const now = readEndedChildren();
    if (now === null || counted === null) return;
    if (meter && meter.processor !== null) meter.processor += now - counted;
    counted = now;
  };
}

/** Seconds of the work below on the machine whose times the budgets have. */
const REFERENCE_SECONDS = 0.18;

/**
 * How much slower this machine is than the one whose times the budgets have; at least 1, so that nothing gets past its budget
 * unseen on a fast one. The same work is measured three times, and the fastest counts, since other programs can only slow it.
 */
export function howMuchSlower() {
  const seconds = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    let text = 'marshal';
    for (let round = 0; round < 150_000; round += 1) text = createHash('sha256').update(text).digest('hex');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return Math.max(1, Math.min(...seconds) / REFERENCE_SECONDS);
}

/** A step fails when it uses this many times its budget. */
const BUDGET_MARGIN = 1.5;
const SLOWEST_SHOWN = 10;

const cell = (/** @type {string | number | null} */ figure) =>
  (typeof figure === 'number' ? figure.toFixed(0) : (figure ?? '-')).padStart(11);
const row = (/** @type {string} */ title, /** @type {(string | number | null)[]} */ ...figures) =>
  title.padEnd(40) + figures.map(cell).join('');

/**
 * The table of what the steps cost, with the slowest tests, and the steps that cost too much.
 * @param {{ title: string, budget?: number | undefined, cost: Cost, times?: { test: string, seconds: number }[] | undefined }[]} steps
 * @param {number} slower as from `howMuchSlower`
 * @returns {{ lines: string[], overBudget: string[] }}
 */
export function judgeCosts(steps, slower) {
  const judged = steps.map((step) => ({ ...step, most: step.budget === undefined ? null : step.budget * slower }));
  const slowest = steps
    .flatMap(({ times = [] }) => times)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_SHOWN);
  return {
    lines: [
      row('seconds', 'wall', 'processor', 'budget'),
      ...judged.map(({ title, cost, most }) => row(title, cost.wall, cost.processor, most)),
      ...(slowest.length > 0 ? ['', 'slowest tests'] : []),
      ...slowest.map(({ test, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${test}`),
    ],
    overBudget: judged.flatMap(({ title, cost: { processor }, most }) =>
      most === null || processor === null || processor <= most * BUDGET_MARGIN
        ? []
        : [`Over budget: ${title} used ${processor.toFixed(0)} s of processor time instead of ${most.toFixed(0)}`],
    ),
  };
}
