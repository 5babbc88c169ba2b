/** The screens that a change of the client reaches: its routes by the import graph, and the tests that visit them. */
import type { Graph } from './graph.ts';

const ROUTE_FILE = /^client\/src\/routes\/(.+)\.tsx$/;
/** Folders before the first one of a route. */
const ROUTES_DEPTH = 3;
const START = 'client/src/main.tsx';
const ALL_ROUTES = 'tests/ui/routes.ts';
/** An address in a test of a screen; not one of the API, which follows the method. */
const ADDRESS = /(?<!'(?:GET|POST|PUT|PATCH|DELETE)', )(['"`])(\/[^'"`\s]*)\1/g;
/** Tests of what only the whole build has: a prerendered front page, a service worker, sizes. */
const OF_THE_BUILD =
  /^tests\/ui\/(?:build|catalogue|landing|landing-styles|landing-visitor|missing-chunk|pwa)\.test\.ts$/;

/** A route around others, such as the guard of the pages of admins. */
const isLayout = (graph: Graph, file: string) =>
  file.endsWith('/__root.tsx') || graph.files.some((other) => other.startsWith(file.replace(/\.tsx$/, '/')));

/** The routes around a page, innermost first. */
function layoutsOf(page: string): string[] {
  const folders = page.split('/').slice(ROUTES_DEPTH, -1);
  const around = folders.map((_, index) => `client/src/routes/${folders.slice(0, index + 1).join('/')}.tsx`);
  return [...around.toReversed(), 'client/src/routes/__root.tsx'];
}

/** The address of a route's file as a pattern: `admin/users/$userId/availability` takes any pilot. */
function patternOf(routeFile: string): RegExp | null {
  const path = ROUTE_FILE.exec(routeFile)?.[1];
  if (path === undefined) return null;
  const segments = path
    .split(/[/.]/)
    .filter((part) => part !== '_signed-in' && part !== 'index')
    .map((part) => (part.startsWith('$') ? '[^/]+' : part));
  return new RegExp(`^/${segments.join('/')}$`);
}

export interface VisitingTest {
  file: string;
  /** the fewest imports between a changed file and a route that it visits */
  distance: number;
  /** of its visits, the share that goes to changed routes */
  share: number;
}

/**
 * @param distances as from `reach`
 * @returns tests of screens that visit a changed route; the files of these routes; and the tests that visit every route
 */
export function listVisits(graph: Graph, distances: ReadonlyMap<string, number>) {
  const pages = graph.files.filter((file) => ROUTE_FILE.test(file) && !isLayout(graph, file));
  // as the router does, an address of its own comes before one with a parameter
  const byName = pages.toSorted((one, other) => Number(one.includes('$')) - Number(other.includes('$')));
  const routes = byName.flatMap((file) => {
    const pattern = patternOf(file);
    return pattern ? [{ file, pattern }] : [];
  });
  const distanceOf = (file: string) =>
    distances.get(file) ?? layoutsOf(file).flatMap((layout) => distances.get(layout) ?? [])[0];
  // what the start of the client needs, every page needs
  const isEverywhere = distances.has(START) && pages.every((file) => distanceOf(file) === undefined);
  const reached = new Map(pages.flatMap((file) => [[file, isEverywhere ? 0 : distanceOf(file)] as const]));
  const visiting: VisitingTest[] = [];
  const walks: string[] = [];
  for (const file of graph.files.filter((path) => /^tests\/ui\/.*\.test\.ts$/.test(path))) {
    const text = graph.textOf(file);
    if (graph.importsOf(file).includes(ALL_ROUTES) || OF_THE_BUILD.test(file)) {
      walks.push(file);
      continue;
    }
    const helpers = graph.importsOf(file).filter((path) => path.startsWith('tests/ui/'));
    const addresses = [text, ...helpers.map(graph.textOf)].flatMap((source) =>
      [...source.matchAll(ADDRESS)].map(([, , address = '']) =>
        address.replaceAll(/\$\{[^}]*\}/g, 'x').replace(/[?#].*$/, ''),
      ),
    );
    const visits = addresses.flatMap((address) => routes.find(({ pattern }) => pattern.test(address))?.file ?? []);
    const near = visits.flatMap((route) => reached.get(route) ?? []);
    if (near.length > 0) visiting.push({ file, distance: Math.min(...near), share: near.length / visits.length });
  }
  const changedRoutes = pages.filter((file) => reached.get(file) !== undefined);
  return { visiting, routes: changedRoutes, walks: changedRoutes.length > 0 ? walks : [] };
}
