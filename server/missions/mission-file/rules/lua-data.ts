/**
 * A parser of Lua data: assignments of strings, numbers, booleans, nil and tables, as the simulator writes its mission. Nothing
 * is executed, and anything that is not data is refused. Every value has its place in the text, so that an export replaces
 * single values and leaves every other byte alone.
 *
 * The text is the file's bytes, one character for each (`latin1`): places are byte offsets, and bytes that are no valid UTF-8
 * stay as they are. `readText` decodes a string.
 */

/** Deeper than any mission: the editor writes about 15 levels. */
const DEPTH_MAX = 100;
/** The largest missions have about half a million values and escapes, and few of them say anything about seats. */
const VALUES_MAX = { checked: 1_000_000, kept: 200_000 } as const;

/** Text that is not data. The message is for people who look for the fault in their file. */
export class NotLuaData extends Error {}

export interface LuaScalar {
  /** a string has one character for each byte */
  readonly value: string | number | boolean;
  /** the value's place in the text, with the quotes of a string */
  readonly from: number;
  readonly to: number;
}
export type LuaKey = string | number;
export type LuaTable = ReadonlyMap<LuaKey, LuaValue>;
export type LuaValue = LuaScalar | LuaTable;

export const isTable = (value: LuaValue | undefined): value is LuaTable => value instanceof Map;

/** UTF-8 takes at most three bytes for each character of a JavaScript string. */
const BYTES_A_CHARACTER = 3;

/**
 * A string's text; bytes that are not UTF-8 become replacement characters.
 * @param lengthMax of the text, in characters. Thousands of names can be the same text of megabytes: the rest is never decoded
 */
export function readText(bytes: string, lengthMax: number): string {
  const read = bytes.slice(0, BYTES_A_CHARACTER * (lengthMax + 1));
  const isPlain = /^[\0-\x7f]*$/.test(read);
  const text = isPlain ? read : new TextDecoder().decode(Uint8Array.from(read, (c) => c.charCodeAt(0)));
  return text.slice(0, lengthMax);
}

const SPACE = /[\s\v]*/y;
const NAME = /[A-Za-z_]\w*/y;
// a sign is part of the number: the editor writes one before negative numbers, and there are no other operators
// two runs of digits beside each other would be tried at every length: in quadratic time
const NUMBER = /-?[ \t]*(?:0[xX][\dA-Fa-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])/y;
const LONG_OPEN = /\[(=*)\[/y;
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const RESERVED = new Set(
  'and break do else elseif end false for function if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

/** What is not kept of a table: its value is checked, and forgotten. */
const FORGOTTEN: LuaScalar = { value: false, from: 0, to: 0 };

class Parser {
  private at = 0;
  private checked = 0;
  private kept = 0;
  private readonly text: string;
  private readonly forget: ReadonlySet<LuaKey>;

  constructor(text: string, forget: ReadonlySet<LuaKey>) {
    this.text = text;
    this.forget = forget;
  }

  refuse(): never {
    let line = 1;
    for (let end = this.text.indexOf('\n'); end >= 0 && end < this.at; end = this.text.indexOf('\n', end + 1))
      line += 1;
    throw new NotLuaData(`line ${line}`);
  }

  private count(): void {
    this.checked += 1;
    if (this.checked > VALUES_MAX.checked) this.refuse();
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private skip(): void {
    for (;;) {
      this.match(SPACE);
      if (!this.text.startsWith('--', this.at)) return;
      this.at += 2;
      const open = this.match(LONG_OPEN);
      if (open) this.longEnd(open[1] ?? '');
      else {
        const end = this.text.indexOf('\n', this.at);
        this.at = end < 0 ? this.text.length : end;
      }
    }
  }

  private take(sign: string): boolean {
    this.skip();
    const isNext = this.text[this.at] === sign;
    if (isNext) this.at += 1;
    return isNext;
  }

  private expect(sign: string): void {
    if (!this.take(sign)) this.refuse();
  }

  /** Moves behind the end of a long string or comment, and returns where its content ends. */
  private longEnd(level: string): number {
    const close = `]${level}]`;
    const end = this.text.indexOf(close, this.at);
    if (end < 0) this.refuse();
    this.at = end + close.length;
    return end;
  }

  private longString(level: string): string {
    const from = this.at;
    const content = this.text.slice(from, this.longEnd(level));
    return content.replaceAll(/\r\n|\n\r|\r/g, '\n').replace(/^\n/, '');
  }

  private escape(): string {
    this.count();
    const sign = this.text[this.at] ?? this.refuse();
    if (sign >= '0' && sign <= '9') {
      const byte = Number(this.match(/\d{1,3}/y)?.[0]);
      if (byte > 255) this.refuse();
      return String.fromCharCode(byte);
    }
    this.at += 1;
    if (sign !== '\n' && sign !== '\r') return ESCAPES[sign] ?? sign;
    const next = this.text[this.at];
    if ((next === '\n' || next === '\r') && next !== sign) this.at += 1;
    return '\n';
  }

  /** The rest of a quoted string, in runs without an escape. */
  private quoted(quote: string): string {
    const parts: string[] = [];
    const stop = quote === '"' ? /["\\\n\r]/g : /['\\\n\r]/g;
    for (;;) {
      stop.lastIndex = this.at;
      const found = stop.exec(this.text);
      if (!found) this.refuse();
      parts.push(this.text.slice(this.at, found.index));
      this.at = stop.lastIndex;
      if (found[0] === quote) return parts.join('');
      if (found[0] !== '\\') this.refuse();
      parts.push(this.escape());
    }
  }

  /** A string or number; undefined when there is none. */
  private stringOrNumber(): string | number | undefined {
    const sign = this.text[this.at];
    if (sign === '"' || sign === "'") {
      this.at += 1;
      return this.quoted(sign);
    }
    const open = this.match(LONG_OPEN);
    if (open) return this.longString(open[1] ?? '');
    const number = this.match(NUMBER);
    if (!number) return undefined;
    const digits = number[0].replaceAll(/[ \t]/g, '');
    return digits.startsWith('-') ? -Number(digits.slice(1)) : Number(digits);
  }

  /** Undefined for nil. */
  value(depth: number, isKept: boolean): LuaValue | undefined {
    this.skip();
    this.count();
    if (isKept && ++this.kept > VALUES_MAX.kept) this.refuse();
    if (this.text[this.at] === '{') return this.table(depth + 1, isKept);
    const from = this.at;
    const value = this.stringOrNumber() ?? this.word();
    return value === undefined ? undefined : { value, from, to: this.at };
  }

  private word(): boolean | undefined {
    const word = this.match(NAME)?.[0];
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'nil' ? undefined : this.refuse();
  }

  /** The key before a value, with its `=`; undefined for a value by position. */
  private key(): LuaKey | undefined {
    this.skip();
    const from = this.at;
    if (this.text[this.at] === '[' && !/^\[=*\[/.test(this.text.slice(this.at, this.at + 8))) {
      this.at += 1;
      this.skip();
      const key = this.stringOrNumber();
      if (key === undefined || Number.isNaN(key)) this.refuse();
      this.expect(']');
      this.expect('=');
      return key;
    }
    const name = this.match(NAME)?.[0];
    if (name !== undefined && !RESERVED.has(name) && this.take('=')) return name;
    this.at = from;
    return undefined;
  }

  private table(depth: number, isKept: boolean): LuaValue {
    if (depth > DEPTH_MAX) this.refuse();
    this.at += 1;
    const table = isKept ? new Map<LuaKey, LuaValue>() : null;
    let position = 1;
    while (!this.take('}')) {
      const named = this.key();
      const key = named ?? position;
      if (named === undefined) position += 1;
      const value = this.value(depth, isKept && !this.forget.has(key));
      if (value === undefined) table?.delete(key);
      else table?.set(key, value);
      this.skip();
      if (this.take(',') || this.take(';')) continue;
      this.expect('}');
      break;
    }
    return table ?? FORGOTTEN;
  }

  chunk(): LuaTable {
    const globals = new Map<LuaKey, LuaValue>();
    if (this.text.startsWith('\xef\xbb\xbf')) this.at = 3;
    for (;;) {
      this.skip();
      if (this.at >= this.text.length) return globals;
      const name = this.match(NAME)?.[0];
      if (name === undefined || RESERVED.has(name)) this.refuse();
      this.expect('=');
      const value = this.value(0, true);
      if (value === undefined) globals.delete(name);
      else globals.set(name, value);
      this.take(';');
    }
  }
}

/**
 * The global variables that a text of Lua data assigns.
 * @param text bytes as `latin1`
 * @param forget keys whose values are checked but not kept, in any table
 * @throws NotLuaData
 */
export function parseLuaData(text: string, forget: ReadonlySet<LuaKey> = new Set()): LuaTable {
  return new Parser(text, forget).chunk();
}

/** A string as Lua source, from text; the inverse of the parser and `readText`. */
export function quoteLua(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  const escaped = bytes
    .replaceAll(/["\\\n]/g, String.raw`\$&`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\0', String.raw`\000`);
  return `"${escaped}"`;
}
