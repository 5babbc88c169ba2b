// The file `.env`: read as UTF-8, and checked for what would be ignored without a word. Plain JavaScript for Node 20 or later.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import util from 'node:util';
import { ROOT } from './programs.js';

/** Names that other programs read: Node and its libraries, Compose and what it starts. */
const OF_OTHERS = /^(NODE_|npm_|COMPOSE_|DOCKER_|POSTGRES_|PATRONI_|UV_|MALLOC_)|^(TZ|PATH|HTTPS?_PROXY|NO_PROXY)$/;
/** The quotes of word processors stand for the plain ones. */
const OPENS_QUOTE = /^["'`“”„‘’]/;

/**
 * Read `.env` beside package.json; variables that are already set win.
 * @throws {Error} one sentence for a file or a line that cannot be read
 */
export function loadDotEnv() {
  const path = join(ROOT, '.env');
  if (!existsSync(path)) return;
  const { values, remarks } = readDotEnv(readFile(path), settingNames());
  for (const remark of remarks) console.error(remark);
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}

/** @param {string} path */
function readFile(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const remedy = code === 'EISDIR' ? 'it is a folder: make it a file, or remove it' : 'give it to this user';
    throw new Error(`.env cannot be read (${code}): ${remedy}.`, { cause: error });
  }
}

/** All settings, as the example lists them. */
function settingNames() {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  return [...example.matchAll(/^#?([A-Z_\d]+)=/gm)].map(([, name = '']) => name);
}

/**
 * @param {Buffer} bytes the file
 * @param {readonly string[]} known names of all settings
 * @returns {{ values: Record<string, string>, remarks: string[] }} a sentence about each name that is no setting or is set twice
 * @throws {Error} one sentence that names the line, never its value
 */
export function readDotEnv(bytes, known) {
  const text = decode(bytes).replaceAll(/\r\n?/g, '\n');
  const names = checkLines(text);
  const values = /** @type {Record<string, string>} */ (util.parseEnv(text));
  const remarks = [...new Set(names)].flatMap((name) => [
    ...(known.includes(name) || known.includes(secretOf(name)) || OF_OTHERS.test(name)
      ? []
      : [`.env sets ${name}, which is no setting of Marshal${meant(name, known)}.`]),
    ...(names.filter((one) => one === name).length > 1
      ? [`.env sets ${name} more than once: the last line counts.`]
      : []),
  ]);
  return { values, remarks };
}

/**
 * The setting whose value is in the file that a variable names. `takeGiven` of server/platform reads it.
 * @param {string} name
 */
const secretOf = (name) => name.replace(/(?<=PASSWORD|TOKEN|SECRET|_KEY|_URL)_FILE$/, '');

/**
 * The text without its byte order mark.
 * @param {Buffer} bytes
 */
function decode(bytes) {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // falls through to the sentence
  }
  throw new Error('.env is not saved as UTF-8: save it again with the encoding UTF-8.');
}

/**
 * Refuses lines that the parser would skip or cut.
 * @param {string} text
 * @returns {string[]} the names that are set, in their order
 */
function checkLines(text) {
  // a quoted value may have several lines, and may hold anything
  const plain = text.replaceAll(/=[ \t]*(["'`])[^]*?\1/g, (quoted) => `=${'\n'.repeat(quoted.split('\n').length - 1)}`);
  /** @type {string[]} */
  const names = [];
  for (const [index, line] of plain.split('\n').entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value = ''] = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    const where = `Line ${index + 1} of .env`;
    if (name === undefined) throw new Error(`${where} is not a setting: write NAME=value, or # before a comment.`);
    if (OPENS_QUOTE.test(value)) {
      throw new Error(`${where}: the value of ${name} begins with a quote that does not end: write it between two ".`);
    }
    if (/\S#/.test(value.replace(/\s#.*$/, ''))) {
      throw new Error(`${where}: the value of ${name} has a #, where it would end: write it between two ".`);
    }
    names.push(name);
  }
  return names;
}

/**
 * @param {string} name
 * @param {readonly string[]} known
 * @returns {string} the setting that was probably meant, in brackets
 */
function meant(name, known) {
  const upper = name.toUpperCase();
  const near = known
    .map((one) => ({ one, distance: distanceOf(upper, one) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= 2 ? ` (do you mean ${near.one}?)` : ': see .env.example';
}

/**
 * Letters to add, remove or change.
 * @param {string} from
 * @param {string} to
 */
function distanceOf(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...from].entries()) {
    let diagonal = at;
    row = row.reduce((/** @type {number[]} */ next, above, index) => {
      const left = next[index - 1];
      next.push(
        left === undefined ? at + 1 : Math.min(above + 1, left + 1, diagonal + (to[index - 1] === letter ? 0 : 1)),
      );
      diagonal = above;
      return next;
    }, []);
  }
  return row[to.length] ?? 0;
}
