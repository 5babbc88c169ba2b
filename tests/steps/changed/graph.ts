/** The import graph of the project, read from its source: which files run, style or read another one. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path/posix';
import { ROOT } from '#server/cli/programs.js';

export interface Graph {
  /** all files of the project that Git knows or would add, by their paths from the root; without Git, those in its folders */
  files: readonly string[];
  /** the text of a file; '' for one that is gone */
  textOf: (file: string) => string;
  /** own files that a file imports, starts as a thread or process, or loads as a style; also those for their types only */
  importsOf: (file: string) => readonly string[];
  /** files that import a file, also for its types only */
  importersOf: (file: string) => readonly string[];
  /** the number of files that are loaded with a file, at any distance */
  countLoaded: (file: string) => number;
  /** the files that a change of one of these reaches, with the number of imports between them: 0 for itself */
  reach: (changed: readonly string[]) => Map<string, number>;
}

/** A check of all files is farther from each than a test that imports it. */
const READ = 2;
const CODE = /\.(?:[jt]sx?|css)$/;
/** Disappear before the program runs. Multi-line, because a list of names may be long. */
const TYPE_IMPORT = /\b(?:import|export) type [^'";]*from\s*'[^']*'/g;
/** An import, also of CSS, and a file that `new URL` or `import.meta.resolve` names. */
const OWN_FILE = /['"`]((?:#[a-z]+|\.{1,2})\/(?:[^'"`\n$]|\$(?!\{))+\.\w+)['"`]/g;
/** Input of a project check: a glob pattern, or the path of a file from the root. */
const PATTERN = /'([^'\s]*\*\.[^'\s]+|[\w.-]+(?:\/[\w.-]+)*\.(?:json|md|css|yml))'/g;

const ALIASES = Object.entries(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { imports: Record<string, string> }).imports,
).map(([name, folder]) => ({ start: name.slice(0, -1), folder: folder.slice(2, -1) }));

/** The path from the root of what a file names. */
function resolve(from: string, name: string): string {
  const alias = ALIASES.find(({ start }) => name.startsWith(start));
  return alias ? `${alias.folder}${name.slice(alias.start.length)}` : join(dirname(from), name);
}

/** Folders with source files, for a copy of the project without Git. */
const SOURCES = ['bot', 'client', 'docker', 'migrations', 'server', 'shared', 'tests'];
const IS_MADE = /(?:^|\/)(?:node_modules|dist|\.results)\//;

function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  if (status === 0) return stdout.split('\n').filter(Boolean);
  return globSync(
    SOURCES.map((folder) => `${folder}/**/*.*`),
    { cwd: ROOT },
  ).filter((file) => !IS_MADE.test(file));
}

function read(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}

function remember<Value>(compute: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key) as Value;
  };
}

/** The other direction of the imports. */
function invert(files: readonly string[], importsOf: (file: string) => readonly string[]) {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const target of importsOf(file)) {
      const known = importers.get(target);
      if (known) known.push(file);
      else importers.set(target, [file]);
    }
  }
  return (file: string): readonly string[] => importers.get(file) ?? [];
}

/** Read all source files, which takes a fifth of a second. */
export function readGraph(): Graph {
  const files = listFiles();
  const textOf = remember(read);
  const namedIn = (file: string, text: string) => [
    ...new Set([...text.matchAll(OWN_FILE)].map(([, name = '']) => resolve(file, name))),
  ];
  const importsOf = remember((file) => (CODE.test(file) ? namedIn(file, textOf(file)) : []));
  const importersOf = invert(files, importsOf);
  const loadsOf = remember((file) => {
    const text = textOf(file);
    return CODE.test(file) && text.search(TYPE_IMPORT) !== -1
      ? namedIn(file, text.replaceAll(TYPE_IMPORT, ''))
      : importsOf(file);
  });
  const runnersOf = invert(files, loadsOf);
  const readers = files
    .filter((file) => /^tests\/unit\/.*\.test\.ts$/.test(file) && /\b(?:globSync|readFileSync)\(/.test(textOf(file)))
    .map((file) => ({ file, patterns: [...textOf(file).matchAll(PATTERN)].map(([, pattern = '']) => pattern) }));

  return {
    files,
    textOf,
    importsOf,
    importersOf,
    countLoaded(file) {
      const loaded = new Set([file]);
      for (const one of loaded) for (const target of loadsOf(one)) loaded.add(target);
      return loaded.size;
    },
    reach(changed) {
      const distances = new Map(changed.map((file) => [file, 0]));
      // a map visits what is added meanwhile, so the nearest come first
      for (const [file, distance] of distances) {
        for (const importer of runnersOf(file)) {
          if (!distances.has(importer)) distances.set(importer, distance + 1);
        }
      }
      for (const { file, patterns } of readers) {
        const isRead = changed.some((path) => patterns.some((pattern) => matchesGlob(path, pattern)));
        if (isRead && (distances.get(file) ?? READ + 1) > READ) distances.set(file, READ);
      }
      return distances;
    },
  };
}
