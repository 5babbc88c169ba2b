/**
 * The short form of the tests of a whole Marshal, which `npm test` runs without names: within a fixed time, first what everything depends on,
 * then what is about the change, then the files that prove most in a second. `npm test all` runs the rest every night.
 */
import { dirname } from 'node:path/posix';
import { type Graph } from './changed/graph.ts';
import { ALIKE, API, apiSecondsOf, countTests, listNearApi, listNearScreens, mostLike, UI } from './changed/plan.ts';
import type { Duration, Durations } from './durations.js';

/** Files of tests, by the step that runs them. */
export interface Short {
  api: string[];
  screens: string[];
  /** the others */
  leftOut: { api: string[]; screens: string[] };
}

/** Seconds of a whole suite, one file after the other; several run side by side. */
export const MOST = { api: 700, screens: 600 };
/** The part of them for tests about the change. */
const NEAR = 0.4;
/** Of a test of a screen in a file that has not been recorded. */
const SCREEN_SECONDS = 5;

const E2E = /^tests\/e2e\/.*\.test\.ts$/;
/**
 * Tests of what everything else depends on: orders and seats, also in a burst and with two servers, one visit to each route, and a squadron's
 * way from registration to a mission with a pilot for each seat.
 */
const ALWAYS = {
  api: /^tests\/(?:api\/orders\/|faults\/(?:leader|rsvp-burst)\.test\.ts$)/,
  screens: /^tests\/(?:ui\/all-routes|e2e\/main-job)\.test\.ts$/,
};

interface Choice {
  /** all files of the suite */
  files: readonly string[];
  /** files that run for each change */
  always: RegExp;
  /** files about the change, the nearest first */
  near: readonly string[];
  durationOf: (file: string) => Duration;
  /** seconds */
  most: number;
}

/** The first file of each folder, so that no kind of proof is left out. */
const firstOfFolders = (files: readonly string[]): string[] => [
  ...new Map(files.toReversed().map((file) => [dirname(file), file])).values(),
];

function choose({ files, always, near, durationOf, most }: Choice): string[] {
  const perTest = (file: string) => durationOf(file).seconds / Math.max(1, durationOf(file).tests);
  const byWorth = files.toSorted((a, b) => perTest(a) - perTest(b) || a.localeCompare(b));
  const chosen = new Set<string>();
  let sum = 0;
  const add = (wanted: readonly string[], limit: number) => {
    for (const file of wanted) {
      const { seconds } = durationOf(file);
      if (chosen.has(file) || sum + seconds > limit) continue;
      chosen.add(file);
      sum += seconds;
    }
  };
  const core = files.filter((file) => always.test(file));
  const bySeconds = files.toSorted((a, b) => durationOf(a).seconds - durationOf(b).seconds || a.localeCompare(b));
  add([...core, ...firstOfFolders([...core, ...bySeconds]), ...near.slice(0, 1)], Infinity);
  add(near, Math.min(most, sum + most * NEAR));
  add(byWorth, most);
  return [...chosen];
}

/**
 * @param changed paths of the changed files; null: unknown
 * @param durations as kept in `durations.json`
 */
export function chooseShort(graph: Graph, changed: readonly string[] | null, durations: Durations): Short {
  const here = (changed ?? []).filter((file) => !file.endsWith('.md'));
  const distances = graph.reach(here);
  const present = (pattern: RegExp) => graph.files.filter((file) => pattern.test(file) && graph.textOf(file) !== '');
  const recorded = (file: string) => durations[file]?.seconds;
  const apiSeconds = apiSecondsOf(graph, recorded);
  const tests = (file: string) => durations[file]?.tests ?? countTests(graph.textOf(file));

  const all = { api: present(API), screens: [...present(UI), ...present(E2E)] };
  const journeys = present(E2E).filter((file) => here.includes(file) || mostLike(here, file) >= ALIKE);
  const api = choose({
    files: all.api,
    always: ALWAYS.api,
    near: listNearApi(graph, here, distances, recorded).near,
    durationOf: (file) => ({ seconds: apiSeconds(file), tests: tests(file) }),
    most: MOST.api,
  });
  const screens = choose({
    files: all.screens,
    always: ALWAYS.screens,
    near: [...listNearScreens(graph, here, distances).files, ...journeys],
    durationOf: (file) => ({ seconds: recorded(file) ?? SCREEN_SECONDS * tests(file), tests: tests(file) }),
    most: MOST.screens,
  });
  const without = (files: readonly string[], chosen: readonly string[]) =>
    files.filter((file) => !chosen.includes(file));
  return { api, screens, leftOut: { api: without(all.api, api), screens: without(all.screens, screens) } };
}
