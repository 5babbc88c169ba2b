/**
 * A reader of recordings by Tacview (ACMI 2.x, https://www.tacview.net/documentation/acmi/): who was aboard of which aircraft,
 * from when to when. It takes the text in pieces and keeps only the aircraft with pilots.
 */
import { mergeIntervals, type Interval } from '#server/time/intervals.ts';
import { copy } from '#shared/copy.ts';
import { SIDES, type Side } from '#shared/vocabulary.ts';
import { RECORDING } from '#shared/presence.ts';

/** A recording that is refused; the message is the sentence for the person who sent it. */
export class BadRecording extends Error {}

/** A time aboard. */
export interface Aboard extends Interval {
  /** as the recording has it: the name of the player, or of the unit for a computer pilot */
  name: string;
  /** group of the aircraft; empty without one */
  unit: string;
  aircraft: string | null;
  side: Side | null;
  tookOffMs: number | null;
  landedMs: number | null;
}

export interface Recording {
  /** from the first frame to the last one, in real time */
  covers: Interval;
  aboard: Aboard[];
}

interface Identity {
  name: string;
  unit: string;
  aircraft: string | null;
  side: Side | null;
}

/** An aircraft, or an object that has not said its type yet. */
interface Tracked {
  type: string | null;
  pilot: string;
  group: string;
  name: string;
  color: string;
  coalition: string;
  /** while somebody is aboard: since when, and in which stretch of frames */
  since: { at: number; stretch: number } | null;
}

/** All times aboard with the same name, unit, aircraft and side, in seconds. */
interface Times {
  identity: Identity;
  aboard: Interval[];
  tookOff: number[];
  landed: number[];
}

const HEADER = 'FileType=text/acmi/tacview';
const VERSION = /^FileVersion=2\.\d+$/;
const SECONDS = /^-?\d{1,8}(?:\.\d{1,12})?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?$/;
/** Other lines of an object have only its position and instruments. */
const TELLING = /,(?:Type|Name|Pilot|Group|Color|Coalition)=/;
/** Control characters, overrides of the writing direction, and halves of characters. */
const UNREADABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069\p{Surrogate}]/gu;

const clean = (text: string): string =>
  Array.from(text.replaceAll(UNREADABLE, ' ').trim()).slice(0, RECORDING.nameLength).join('').trim();

/** The properties of a line after its id. A comma in a value is written `\,`. */
function* propertiesOf(line: string, start: number): Generator<[key: string, value: string]> {
  let from = start;
  while (from < line.length) {
    let to = from;
    do {
      to = line.indexOf(',', to === from ? from : to + 1);
    } while (to > 0 && line[to - 1] === '\\');
    const end = to === -1 ? line.length : to;
    const equals = line.indexOf('=', from);
    if (equals > 0 && equals < end) {
      yield [line.slice(from, equals), line.slice(equals + 1, end).replaceAll('\\,', ',')];
    }
    from = end + 1;
  }
}

function readInstant(text: string): number | null {
  const ms = INSTANT.test(text) ? Date.parse(text.endsWith('Z') ? text : `${text}Z`) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Tacview calls the red side of DCS World Allies and the blue one Enemies, so the colour decides. */
function sideOf({ color, coalition }: Tracked): Side | null {
  const word = (color || coalition).toLowerCase();
  return word === 'blue' ? SIDES.blue : word === 'red' ? SIDES.red : null;
}

/** A text goes on in the next line after a backslash that no other one stands before. */
const isContinued = (line: string): boolean => line.endsWith('\\') && line.at(-2) !== '\\';

export class AcmiReader {
  #rest = '';
  /** the lines of a text that goes on in the next line, and their length */
  #begun: string[] = [];
  #begunLength = 0;
  #lines = 0;
  #referenceMs: number | null = null;
  #recordingMs: number | null = null;
  #first: number | null = null;
  #now = 0;
  #from = 0;
  #last = Number.NEGATIVE_INFINITY;
  /** stretches of frames without gaps and without jumps, before the present one */
  readonly #stretches: Interval[] = [];
  readonly #objects = new Map<string, Tracked>();
  readonly #times = new Map<string, Times>();
  #count = 0;

  /** @param text the next piece, of any length @throws BadRecording */
  feed(text: string): void {
    const all = this.#rest + text;
    let from = 0;
    for (let to = all.indexOf('\n'); to !== -1; to = all.indexOf('\n', from)) {
      this.#takeLine(all.slice(from, to > from && all[to - 1] === '\r' ? to - 1 : to));
      from = to + 1;
    }
    this.#rest = all.slice(from);
    this.#checkLength(this.#rest.length);
  }

  /** @throws BadRecording for a recording without a time, or with nobody aboard */
  end(): Recording {
    if (this.#rest !== '') this.#takeLine(this.#rest);
    if (this.#begun.length > 0) this.#read(this.#begun.join('\n'));
    if (this.#lines < 2) throw new BadRecording(copy.recordingNotAcmi);
    for (const object of this.#objects.values()) this.#leave(object);
    const first = this.#first;
    if (first === null || this.#times.size === 0) throw new BadRecording(copy.recordingNoPilots);
    const zeroMs = this.#zeroMs(first);
    const toMs = (seconds: number): number => Math.round(zeroMs + seconds * 1000);
    const stretches = [...this.#stretches, { startMs: this.#from, endMs: this.#now }];
    return {
      covers: {
        startMs: toMs(Math.min(...stretches.map(({ startMs }) => startMs))),
        endMs: toMs(this.#last),
      },
      aboard: [...this.#times.values()].flatMap((times) => present(times, toMs)),
    };
  }

  /**
   * Where second 0 is in real time. The simulated clock (ReferenceTime) stands anywhere, often in another year; the recording
   * was begun at RecordingTime, with its first frame. Only a recording without it takes the simulated clock for the real one.
   */
  #zeroMs(first: number): number {
    if (this.#recordingMs !== null) return this.#recordingMs - first * 1000;
    if (this.#referenceMs !== null) return this.#referenceMs;
    throw new BadRecording(copy.recordingNoTime);
  }

  #checkLength(length: number): void {
    if (length > RECORDING.lineLength) throw new BadRecording(copy.recordingNotAcmi);
  }

  #takeLine(line: string): void {
    this.#begunLength += line.length + 1;
    this.#checkLength(this.#begunLength);
    const goesOn = isContinued(line);
    if (goesOn || this.#begun.length > 0) this.#begun.push(goesOn ? line.slice(0, -1) : line);
    if (goesOn) return;
    const whole = this.#begun.length > 0 ? this.#begun.join('\n') : line;
    this.#begun = [];
    this.#begunLength = 0;
    this.#read(whole);
  }

  #read(line: string): void {
    this.#lines += 1;
    if (this.#lines <= 2) return this.#readHeader(line);
    const first = line.charCodeAt(0);
    if (first === 0x23 /* # */) return this.#readFrame(line.slice(1));
    if (first === 0x2d /* - */) return this.#remove(line.slice(1).trim());
    const comma = line.indexOf(',');
    if (comma <= 0) return;
    if (comma === 1 && first === 0x30 /* 0 */) return this.#readGlobal(line);
    // most lines are nothing but a position
    if (TELLING.test(line)) this.#readObject(line.slice(0, comma), line, comma + 1);
  }

  #readHeader(line: string): void {
    const isRight = this.#lines === 1 ? line.replace(/^\uFEFF/, '') === HEADER : VERSION.test(line);
    if (!isRight) throw new BadRecording(this.#lines === 1 ? copy.recordingNotAcmi : copy.recordingOldVersion);
  }

  #readFrame(text: string): void {
    if (!SECONDS.test(text)) throw new BadRecording(copy.recordingNotAcmi);
    const at = Number(text);
    if (this.#first === null) {
      this.#first = at;
      this.#from = at;
      for (const { since } of this.#objects.values()) if (since !== null) since.at = at;
    } else if (at < this.#now || at - this.#now > RECORDING.gapSeconds) {
      // nobody saw the time between: it counts for nobody
      this.#stretches.push({ startMs: this.#from, endMs: this.#now });
      if (this.#stretches.length > RECORDING.jumpsMax) throw new BadRecording(copy.recordingJumps);
      this.#from = at;
    }
    this.#now = at;
    this.#last = Math.max(this.#last, at);
  }

  #readGlobal(line: string): void {
    for (const [key, value] of propertiesOf(line, 2)) {
      if (key === 'ReferenceTime') this.#referenceMs ??= readInstant(value.trim());
      else if (key === 'RecordingTime') this.#recordingMs ??= readInstant(value.trim());
      else if (key === 'Event') this.#readEvent(value);
    }
  }

  #readEvent(value: string): void {
    const [kind, id = ''] = value.split('|', 2);
    if (kind !== 'TakenOff' && kind !== 'Landed') return;
    const object = this.#objects.get(id);
    if (object === undefined || object.since === null) return;
    this.#countOne();
    const times = this.#timesOf(object);
    (kind === 'TakenOff' ? times.tookOff : times.landed).push(this.#now);
  }

  #readObject(id: string, line: string, start: number): void {
    const known = this.#objects.get(id);
    const object: Tracked = known
      ? { ...known }
      : { type: null, pilot: '', group: '', name: '', color: '', coalition: '', since: null };
    for (const [key, value] of propertiesOf(line, start)) {
      if (key === 'Type') object.type = value;
      else if (key === 'Pilot') object.pilot = clean(value);
      else if (key === 'Group') object.group = clean(value);
      else if (key === 'Name') object.name = clean(value);
      else if (key === 'Color') object.color = value.trim();
      else if (key === 'Coalition') object.coalition = value.trim();
    }
    if (known && keyOf(known) === keyOf(object) && known.type === object.type) return;
    if (known) this.#leave(known);
    // weapons and ships are most objects, and nobody flies them
    const isAir = object.type === null || object.type.split('+').includes('Air');
    if (!isAir) {
      this.#objects.delete(id);
      return;
    }
    const isAboard = object.type !== null && object.pilot !== '';
    object.since = isAboard ? { at: this.#now, stretch: this.#stretches.length } : null;
    this.#objects.set(id, object);
    if (this.#objects.size > RECORDING.objectsMax) throw new BadRecording(copy.recordingTooMuch);
  }

  #remove(id: string): void {
    const object = this.#objects.get(id);
    if (object === undefined) return;
    this.#leave(object);
    this.#objects.delete(id);
  }

  #countOne(): void {
    this.#count += 1;
    if (this.#count > RECORDING.timesMax) throw new BadRecording(copy.recordingTooMuch);
  }

  #timesOf(object: Tracked): Times {
    const key = keyOf(object);
    const times = this.#times.get(key) ?? { identity: identityOf(object), aboard: [], tookOff: [], landed: [] };
    this.#times.set(key, times);
    return times;
  }

  /** Note the time that ends now, in the stretches of frames in which it was seen. */
  #leave(object: Tracked): void {
    const { since } = object;
    if (since === null || this.#first === null) return;
    object.since = null;
    const { aboard } = this.#timesOf(object);
    const add = (startMs: number, endMs: number): void => {
      if (startMs >= endMs) return;
      this.#countOne();
      aboard.push({ startMs, endMs });
    };
    for (let index = since.stretch; index < this.#stretches.length; index += 1) {
      const stretch = this.#stretches[index];
      if (stretch) add(index === since.stretch ? since.at : stretch.startMs, stretch.endMs);
    }
    add(since.stretch === this.#stretches.length ? since.at : this.#from, this.#now);
  }
}

const identityOf = (object: Tracked): Identity => ({
  name: object.pilot,
  unit: object.group,
  aircraft: object.name || null,
  side: sideOf(object),
});

const keyOf = (object: Tracked): string => JSON.stringify(Object.values(identityOf(object)));

/** The times of one identity: what was recorded twice counts once. */
function present({ identity, aboard, tookOff, landed }: Times, toMs: (seconds: number) => number): Aboard[] {
  return mergeIntervals(aboard).map(({ startMs, endMs }) => {
    const within = (at: number) => startMs <= at && at <= endMs;
    const [first, last] = [tookOff.find(within), landed.findLast(within)];
    return {
      ...identity,
      startMs: toMs(startMs),
      endMs: toMs(endMs),
      tookOffMs: first === undefined ? null : toMs(first),
      landedMs: last === undefined ? null : toMs(last),
    };
  });
}
