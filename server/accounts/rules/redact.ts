/**
 * A person's data, taken out of what others have stored. A call sign may be an ordinary word or another pilot's, so a name is
 * replaced only where an id says whose it is, or the text is about this person; addresses and Discord ids are nobody else's.
 */

/** A value of the account that is copied elsewhere. */
export interface Copied {
  /** the names of its copies in JSON, each with the names of the id fields that say whose it is */
  keys: ReadonlyMap<string, readonly string[]>;
  /** null: not known */
  value: string | null;
  /** people write it, so that texts may contain it */
  isFree: boolean;
  /** another account has the same value */
  isShared: boolean;
  /** what stands in its place */
  to: string | null;
}

export interface Person {
  id: string;
  /** values that nobody else can have */
  marks: readonly string[];
  usernames: readonly string[];
  copied: readonly Copied[];
}

/** A JSON value of a row. */
export interface JsonRow {
  /** ids in the value that are ids of accounts */
  accounts: ReadonlySet<string>;
  /** the account that the row is about; null if it is about none */
  about: string | null;
  /** the names of texts that people write */
  freeNames: readonly string[];
}

/** The text as a whole: not a part of a longer address, number or word. */
const asMark = (mark: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_.+@-])${RegExp.escape(mark)}(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}])`, 'giu');
const asWord = (name: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])${RegExp.escape(name)}(?![\p{L}\p{N}_])`, 'gu');

/** The text without addresses and ids of the person. */
export const redactMarks = (text: string, { marks }: Pick<Person, 'marks'>, substitute: string): string =>
  marks.reduce((rest, mark) => rest.replaceAll(asMark(mark), () => substitute), text);

/** How the lines about a member of a Discord server begin: with the username, and nothing else or one of these. */
const AFTER_USERNAME = '(?=$|: | chose #| turned )';

/** The line about a member of a Discord server without the person's username. */
export const redactLine = (line: string, { usernames }: Pick<Person, 'usernames'>, substitute: string): string =>
  usernames.reduce(
    (rest, name) => rest.replace(new RegExp(`^${RegExp.escape(name)}${AFTER_USERNAME}`, 'u'), () => substitute),
    line,
  );

/** The value with its strings and keys changed. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}

/** The JSON value without addresses and ids of the person. */
export const redactMarksIn = (value: unknown, person: Person, substitute: string): unknown =>
  mapStrings(value, (text) => redactMarks(text, person, substitute));

/** Whose copy the value is: null if nothing in the object says so. */
function holderOf(object: object, ids: readonly string[], accounts: ReadonlySet<string>): string | null {
  const found = ids.map((name): unknown => Reflect.get(object, name));
  return found.find((id): id is string => typeof id === 'string' && accounts.has(id)) ?? null;
}

/**
 * The JSON value without the person. A copy of one of the person's values is replaced beside the person's id; beside nobody's
 * id, only an equal value that no other account has, or in a row that names no other account.
 */
export function redactPeople(value: unknown, person: Person, row: JsonRow, substitute: string): unknown {
  const isAlone = [...row.accounts, row.about ?? person.id].every((id) => id === person.id);
  const isAbout = row.about === person.id;
  const names = person.copied.flatMap(({ isFree, value: name, to }) => (isFree && name ? [{ name, to }] : []));

  function copyOf(text: string, key: string, object: object, isTop: boolean): Copied | undefined {
    return person.copied.find((one) => {
      const ids = one.keys.get(key);
      if (ids === undefined) return false;
      const holder = holderOf(object, ids, row.accounts) ?? (isTop ? row.about : null);
      if (holder === person.id) return true;
      return holder === null && one.isFree && one.value === text && (isAlone || !one.isShared);
    });
  }

  function clean(node: unknown, key: string, object: object, isTop: boolean): unknown {
    if (Array.isArray(node)) return node.map((item: unknown) => clean(item, key, object, isTop));
    if (typeof node === 'object' && node !== null) {
      return Object.fromEntries(
        Object.entries(node).map(([name, item]) => [
          redactMarks(name, person, substitute),
          clean(item, name, node, node === value),
        ]),
      );
    }
    if (typeof node !== 'string' || node === '') return node;
    const copied = copyOf(node, key, object, isTop);
    if (copied) return copied.to;
    const text = redactMarks(node, person, substitute);
    if (!isAbout || !row.freeNames.includes(key)) return text;
    if ((holderOf(object, ['userId'], row.accounts) ?? person.id) !== person.id) return text;
    return names.reduce((rest, { name, to }) => rest.replaceAll(asWord(name), () => to ?? substitute), text);
  }

  return clean(value, '', {}, true);
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** Every id in a JSON value. */
export function idsIn(value: unknown): string[] {
  const found: string[] = [];
  mapStrings(value, (text) => {
    if (UUID.test(text)) found.push(text);
    return text;
  });
  return found;
}

/** A thread without one of its pilots, in each of its lists of Discord ids. */
export function withoutMember(thread: object, ids: readonly string[]): object {
  const without = (value: unknown): unknown =>
    Array.isArray(value) ? value.filter((id) => !ids.includes(String(id))) : value;
  return Object.fromEntries(Object.entries(thread).map(([name, value]) => [name, without(value)]));
}
