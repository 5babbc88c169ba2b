/**
 * What `npm test -- --changed` runs: the checks and tests that a change can break, nearest first, as many as the time allows.
 * A whole server imports nearly all of its files, so the tests of the API are chosen by the room of the changed file.
 */
import { basename, dirname } from 'node:path/posix';
import { canBreak, STEPS } from '#tests/steps/steps.js';
import type { Graph } from './graph.ts';
import { listVisits } from './screens.ts';

export interface Plan {
  /** files whose types are checked: the changed ones, and those that import them */
  types: string[];
  lint: string[];
  format: string[];
  /** entities and migrations are compared */
  migration: boolean;
  unit: string[];
  api: string[];
  /** tests of screens, as `file:line` */
  ui: string[];
  /** sentences on what the change can also break */
  leftOut: string[];
}

/** Seconds that a test file takes, by its path. */
export type Seconds = (file: string) => number | undefined;

/** Seconds of a whole run, unless more are given. */
export const USUAL_SECONDS = 10;
/** The part of them for each suite, side by side; the rest goes to starting. */
const SHARE = 0.4;
/** What a test takes where nothing has been recorded. */
const USUAL = { unit: 0.02, api: 0.25 };
const FILE_SECONDS = 0.3;
/** For each file of the project that a test loads; a whole server has about 900. */
const LOADED_SECONDS = 0.004;
/** Of a check that starts another program. */
const PROGRAM_SECONDS = 3;
/** Tests of screens in ten seconds; usually of one file, because each file starts a Marshal. */
const SCREEN_TESTS = 3;
/** A part of more routes is no part of a certain one. */
const FEW_ROUTES = 3;
/** Checking the types of a file takes about 50 ms. */
const TYPED_FILES = 30;

const CODE = /\.[jt]sx?$/;
const TYPED = /\.(?:[jt]sx?|json)$/;
const FORMATTED = /\.(?:[jt]sx?|css|json|yml|yaml|html)$/;
const UNIT = /^tests\/unit\/.*\.test\.ts$/;
export const API = /^tests\/(?:api|discord|faults|security|fuzz)\/.*\.test\.ts$/;
export const UI = /^tests\/ui\/.*\.test\.ts$/;
/** The doors of the server and its tables belong to all rooms, so their tests are found by name. */
const SHARED_ROOMS = new Set(['http', 'jobs']);

/** Programs, and folders with their tests, which start them by name instead of importing them. */
const PROGRAMS = 'server/cli';
const PROGRAM_TESTS = ['tests/api/cli', 'tests/api/start'];

const wordsOf = (file: string) =>
  basename(file)
    .replace(/\..*$/, '')
    .split('-')
    .map((word) => word.replace(/s$/, ''));

/** How much the names of two files agree: 1 for `rsvp.ts` and `rsvp.test.ts`, 0 without a common word. */
function likeness(file: string, other: string): number {
  const [words, others] = [wordsOf(file), wordsOf(other)];
  const common = words.filter((word) => others.includes(word)).length;
  return common / (words.length + others.length - common);
}

export const mostLike = (changed: readonly string[], file: string) =>
  Math.max(0, ...changed.map((path) => likeness(path, file)));

/** Half of the words of two names. */
export const ALIKE = 0.5;

/** How much a test of screens is about the changed files: by their names, else by their folders, else by their routes. */
function aboutness(changed: readonly string[], routes: readonly string[], test: string): number {
  const [own, folder, route] = [changed, changed.map(dirname), routes].map((names) => mostLike(names, test));
  if (own !== undefined && own >= ALIKE) return 2 + own;
  return Math.max(folder ?? 0, route ?? 0) + (folder ?? 0) / 10;
}

export const countTests = (text: string) => text.match(/^\s*(?:test|it)\b/gm)?.length ?? 0;

/** The first ones that fit into the time; one at least. */
function withinTime(files: readonly string[], secondsOf: (file: string) => number, most: number): string[] {
  let sum = 0;
  return files.filter((file, index) => {
    const seconds = secondsOf(file);
    const fits = index === 0 || sum + seconds <= most;
    if (fits) sum += seconds;
    return fits;
  });
}

/** Folders with API tests of a changed file: of the innermost part of its room that has some. */
function foldersOf(graph: Graph, file: string): string[] {
  const [top = '', room = ''] = file.split('/');
  if (top === 'bot' || room === 'discord') return ['tests/discord', 'tests/api/discord'];
  if (top === 'migrations') return ['tests/api/schema'];
  if (dirname(file) === PROGRAMS) return PROGRAM_TESTS;
  if (top !== 'server') return [];
  const folders = new Set(graph.files.filter((path) => API.test(path)).map(dirname));
  if (SHARED_ROOMS.has(room)) {
    const names = new Set(wordsOf(file).flatMap((word) => [word, `${word}s`]));
    return ['tests/api/http', ...[...folders].filter((folder) => names.has(basename(folder)))];
  }
  const inner = dirname(file).split('/').slice(1);
  const parts = inner.map((_part, index) => ['tests/api', ...inner.slice(0, inner.length - index)].join('/'));
  return parts.filter((folder) => folders.has(folder)).slice(0, 1);
}

type Distances = ReadonlyMap<string, number>;

/** Seconds of a file of API tests: as recorded, or else as usual for its number of tests. */
export const apiSecondsOf =
  (graph: Graph, recorded: Seconds) =>
  (file: string): number =>
    recorded(file) ?? FILE_SECONDS + USUAL.api * countTests(graph.textOf(file));

/** Files of API tests that a change reaches, and those of them that are about it, the nearest first. */
export function listNearApi(graph: Graph, changed: readonly string[], distances: Distances, recorded: Seconds) {
  const startsPrograms = changed.some((file) => dirname(file) === PROGRAMS);
  const isReached = (file: string) =>
    changed.some((path) => path.startsWith('migrations/')) ||
    distances.has(file) ||
    (startsPrograms && PROGRAM_TESTS.includes(dirname(file)));
  const reached = graph.files.filter((file) => API.test(file) && graph.textOf(file) !== '' && isReached(file));
  // a file of no room belongs to those that import it
  const inRooms = changed.flatMap((file) => (file.startsWith('shared/') ? graph.importersOf(file) : [file]));
  const folders = new Set(inRooms.flatMap((file) => foldersOf(graph, file)));
  const secondsOf = apiSecondsOf(graph, recorded);
  const isChanged = (file: string) => Number(changed.includes(file));
  const isOfRoom = (file: string) => Number((distances.get(file) ?? 2) <= 1 || folders.has(dirname(file)));
  const near = reached
    .filter((file) => isOfRoom(file) || mostLike([...changed, ...changed.map(dirname)], file) >= ALIKE)
    .toSorted(
      (a, b) =>
        isChanged(b) - isChanged(a) ||
        isOfRoom(b) - isOfRoom(a) ||
        mostLike(changed, b) - mostLike(changed, a) ||
        secondsOf(a) - secondsOf(b) ||
        a.localeCompare(b),
    );
  return { near, reached };
}

function chooseApi(graph: Graph, changed: readonly string[], distances: Distances, recorded: Seconds, most: number) {
  const { near, reached } = listNearApi(graph, changed, distances, recorded);
  const chosen = withinTime(near, apiSecondsOf(graph, recorded), most);
  const others = reached.length - chosen.length;
  return { chosen, leftOut: others > 0 ? [`${others} files of API tests that reach it: npm test api`] : [] };
}

function chooseUnit(graph: Graph, changed: readonly string[], distances: Distances, recorded: Seconds, most: number) {
  const secondsOf = (file: string) => {
    const text = graph.textOf(file);
    const startsProgram = text.includes("'node:child_process'");
    const running = recorded(file) ?? (startsProgram ? PROGRAM_SECONDS : FILE_SECONDS) + USUAL.unit * countTests(text);
    return running + LOADED_SECONDS * graph.countLoaded(file);
  };
  const distanceOf = (file: string) => distances.get(file) ?? 0;
  const reached = [...distances.keys()]
    .filter((file) => UNIT.test(file) && graph.textOf(file) !== '')
    .toSorted(
      (a, b) => distanceOf(a) - distanceOf(b) || mostLike(changed, b) - mostLike(changed, a) || a.localeCompare(b),
    );
  const chosen = withinTime(reached, secondsOf, most);
  const others = reached.length - chosen.length;
  return { chosen, leftOut: others > 0 ? [`${others} files of unit tests that reach it: npm test unit`] : [] };
}

/** Lines of the tests in a file, those first that say most about the changed files. */
function sortScreenTests(text: string, changed: readonly string[]): number[] {
  const words = changed.flatMap(wordsOf).filter((word) => word.length > 2);
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (/^\s*test\(/.test(line) ? [index] : []));
  const told = starts.map((start, index) => {
    const body = lines
      .slice(start, starts[index + 1])
      .join('\n')
      .toLowerCase();
    return { line: start + 1, count: words.filter((word) => body.includes(word)).length };
  });
  return told.toSorted((a, b) => b.count - a.count).map(({ line }) => line);
}

/** Files of tests of screens that visit what has changed, the nearest first, and those that visit every route. */
export function listNearScreens(graph: Graph, changed: readonly string[], distances: Distances) {
  const own = changed.filter((file) => UI.test(file) && graph.textOf(file) !== '');
  const { visiting, routes, walks } = changed.some((file) => file.startsWith('client/'))
    ? listVisits(graph, distances)
    : { visiting: [], routes: [], walks: [] };
  const fewRoutes = routes.length <= FEW_ROUTES ? routes : [];
  const sorted = visiting.toSorted(
    (a, b) =>
      aboutness(changed, fewRoutes, b.file) - aboutness(changed, fewRoutes, a.file) ||
      a.distance - b.distance ||
      b.share - a.share ||
      a.file.localeCompare(b.file),
  );
  return { files: [...new Set([...own, ...sorted.map(({ file }) => file)])], walks };
}

function chooseScreens(graph: Graph, changed: readonly string[], distances: Distances, most: number) {
  const { files, walks } = listNearScreens(graph, changed, distances);
  const chosen: string[] = [];
  for (const file of files) {
    if (chosen.length === most) break;
    const lines = sortScreenTests(graph.textOf(file), changed).slice(0, most - chosen.length);
    chosen.push(...lines.map((line) => `${file}:${line}`));
  }
  const tests = [...files, ...walks].reduce((sum, file) => sum + countTests(graph.textOf(file)), 0) - chosen.length;
  return { chosen, leftOut: tests > 0 ? [`${tests} tests of screens that visit its routes: npm test ui`] : [] };
}

/** Steps of `npm test` that this run never takes, for changes of code. */
function otherSteps(changed: readonly string[]): string[] {
  const slow = STEPS.filter((step) => step.proves && canBreak(step, changed)).map(({ name }) => name);
  const always = changed.some((file) => CODE.test(file)) ? ['knip', 'e2e'] : [];
  const names = [...always, ...slow];
  return names.length > 0 ? [`steps of npm test: ${names.join(', ')}`] : [];
}

/**
 * @param changed paths of the changed files, also of deleted ones
 * @param recorded what test files took before
 * @param seconds of the whole run, about
 */
export function planFor(
  graph: Graph,
  changed: readonly string[],
  recorded: Seconds = () => undefined,
  seconds = USUAL_SECONDS,
): Plan {
  const distances = graph.reach(changed);
  const present = changed.filter((file) => graph.textOf(file) !== '');
  const code = present.filter((file) => CODE.test(file));
  const importers = changed
    .filter((file) => TYPED.test(file))
    .flatMap(graph.importersOf)
    .filter((file) => CODE.test(file));
  const typed = [...new Set([...code, ...importers])];
  const unit = chooseUnit(graph, changed, distances, recorded, seconds * SHARE);
  const api = chooseApi(graph, changed, distances, recorded, seconds * SHARE);
  const ui = chooseScreens(graph, changed, distances, Math.round((SCREEN_TESTS * seconds) / USUAL_SECONDS));
  const untyped = typed.length - TYPED_FILES;
  return {
    types: typed.slice(0, TYPED_FILES),
    lint: code,
    format: present.filter((file) => FORMATTED.test(file)),
    migration: changed.some((file) => /^(?:migrations|server\/schema)\//.test(file)),
    unit: unit.chosen,
    api: api.chosen,
    ui: ui.chosen,
    leftOut: [
      ...(untyped > 0 ? [`types of ${untyped} more files that import it: npm test types`] : []),
      ...unit.leftOut,
      ...api.leftOut,
      ...ui.leftOut,
      ...otherSteps(changed),
    ],
  };
}
