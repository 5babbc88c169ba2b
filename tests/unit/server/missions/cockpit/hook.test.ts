/** The hook for DCS World in Lua's own interpreter: whom it refuses, in which words, and whom it never does. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CurrentSlots, SlotDto, SlotPilotDto } from '#shared/schemas/slots.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const HOOK = here('../../../../../client/public/marshal-slots.lua');
const SERVER = here('game-server.lua');
const HAS_LUA = spawnSync('lua5.1', ['-e', 'require "cjson"']).status === 0;

interface Case {
  /** text of the file; null for none */
  answer: string | null;
  /** epoch seconds */
  now: number;
  file: string;
  /** group names by unit */
  groups: Record<string, string>;
  /** number 1 is the server itself */
  players: { name: string; side: number; slot: string }[];
  playerID?: number;
  side?: number;
  slot?: string;
}
interface Did {
  returned: 'nothing' | 'true' | 'false';
  chat: [string | null];
  log: [string | null];
}

const START = Date.UTC(2026, 10, 21, 19, 10);
const MINUTE = 60_000;
const KEPT_UNTIL = START + 15 * MINUTE;
const KEY = '5f0e8a4b6c01';
const FILE = `C:\\Users\\dcs\\Saved Games\\DCS.marshal-server\\Missions\\op.marshal-${KEY}.miz`;
const iso = (ms: number) => new Date(ms).toISOString();
const named = (...names: string[]): SlotPilotDto => ({ callSign: names[0] ?? 'Pilot', names });

interface Seat {
  label: string;
  unitId: number;
  station?: number;
  side?: 0 | 1;
  aircraft?: string;
  pilot: SlotPilotDto | null;
}
const slotOf = ({ label, unitId, station = 1, side = 0, aircraft = 'F-16C Viper', pilot }: Seat): SlotDto => ({
  label,
  side,
  aircraft,
  unit: { unitId, name: `Unit ${unitId}`, group: `Group ${unitId}`, station },
  pilot,
  keptUntilUtc: pilot === null ? null : iso(KEPT_UNTIL),
  isOpen: pilot === null,
});
const answerOf = (seats: readonly Seat[], standby: SlotPilotDto[], asOf: number): CurrentSlots => ({
  asOfUtc: iso(asOf),
  missions: [
    {
      missionId: `0192c0de-7a11-7c3e-9d21-${KEY}`,
      name: 'Iron Anvil',
      fileKey: KEY,
      startUtc: iso(START),
      endUtc: iso(START + 180 * MINUTE),
      slots: seats.map(slotOf),
      standby,
    },
  ],
});
const groupsOf = (seats: readonly Seat[]) =>
  Object.fromEntries(seats.map(({ unitId }) => [String(unitId), `Group ${unitId}`]));

const SEATS: Seat[] = [
  { label: 'Viper 1-1', unitId: 11, pilot: named('Vesper', 'Dave_77') },
  { label: 'Viper 1-2', unitId: 12, pilot: named('Raven') },
  { label: 'Colt 1-1', unitId: 31, aircraft: 'F-14B Tomcat', pilot: null },
  { label: 'Viper 1-4', unitId: 14, pilot: null },
  { label: 'Tomcat 1-1', unitId: 21, aircraft: 'F-14B Tomcat', pilot: named('Goose') },
  { label: 'Rio 1-1', unitId: 21, station: 2, aircraft: 'F-14B Tomcat', pilot: named('Жук') },
  { label: 'Hind 1-1', unitId: 41, side: 1, aircraft: 'Mi-24P Hind', pilot: named('Bear') },
  { label: 'Hind 1-2', unitId: 42, side: 1, aircraft: 'Mi-24P Hind', pilot: named('Brie') },
  { label: 'Hind 1-3', unitId: 43, side: 1, aircraft: 'Mi-24P Hind', pilot: { callSign: 'Pilot', names: [] } },
];

describe.skipIf(!HAS_LUA)('the hook', () => {
  let folder: string;
  let lua: ChildProcessWithoutNullStreams;
  let lines: AsyncIterator<string>;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'marshal-hook-'));
    lua = spawn('lua5.1', [SERVER, HOOK, `${folder}/`]);
    lines = createInterface({ input: lua.stdout })[Symbol.asyncIterator]();
  });
  afterAll(() => {
    lua.kill();
    rmSync(folder, { recursive: true });
  });

  async function play(one: Case): Promise<Did> {
    lua.stdin.write(`${JSON.stringify(one)}\n`);
    return JSON.parse((await lines.next()).value ?? 'null') as Did;
  }
  /** A player tries a slot, some minutes from the start, by an answer of that time. */
  const attempt = (name: string, slot: string, minutes = 0, more: Partial<Case> = {}) => {
    const now = START + minutes * MINUTE;
    return play({
      answer: JSON.stringify(answerOf(SEATS, [named('Brief')], now)),
      now: now / 1000,
      file: FILE,
      groups: groupsOf(SEATS),
      players: [
        { name: 'Server', side: 0, slot: '' },
        { name, side: 0, slot: '' },
      ],
      playerID: 2,
      side: 2,
      slot,
      ...more,
    });
  };
  const ALLOWED = { returned: 'nothing', chat: [null] };

  test.each([
    [
      'Stranger',
      '11',
      "Viper 1-1 is Vesper's until 1925Z. Viper 1-4 is free. If you are Vesper, put Vesper in your player name.",
    ],
    ['[JG54] Raven', '11', "Viper 1-1 is Vesper's until 1925Z. Your seat is Viper 1-2."],
    ['Goose', '21_1', "Rio 1-1 is Жук's until 1925Z. Your seat is Tomcat 1-1."],
    [
      'Brief',
      '21',
      "Tomcat 1-1 is Goose's until 1925Z. Colt 1-1 is free. If you are Goose, put Goose in your player name.",
    ],
    ['Brief', '41', "Hind 1-1 is Bear's until 1925Z. Hind 1-3 is free. If you are Bear, put Bear in your player name."],
    ['Brief', '42', "Hind 1-2 is Brie's until 1925Z. Hind 1-3 is free. If you are Brie, put Brie in your player name."],
  ])('says to %s in slot %s: %s', async (name, slot, sentence) => {
    const { returned, chat } = await attempt(name, slot);
    expect({ returned, chat }).toEqual({ returned: 'false', chat: [`2: ${sentence}`] });
  });

  test.each([
    ['by the call sign', 'Vesper', '11'],
    ['in other letters', ' VESPER ', '11'],
    ['with a squadron', '[JG54] Vesper | 1-1', '11'],
    ['by another name', 'dave_77', '11'],
    ['in another script', '=RvE= Жук', '21_1'],
  ])('lets the pilot in %s', async (_rule, name, slot) => {
    expect(await attempt(name, slot)).toMatchObject(ALLOWED);
  });

  test.each([
    ['a free seat', '14'],
    ['a seat beyond the planned crew', '21_2'],
    ['the seat of a pilot without a call sign', '43'],
    ['a unit that Marshal does not know', '99'],
    ['a place of the game master', 'instructor_blue_1'],
    ['a tactical commander', 'artillery_commander_11_1'],
    ['no slot', ''],
  ])('lets everybody in %s', async (_rule, slot) => {
    expect(await attempt('Stranger', slot)).toMatchObject(ALLOWED);
  });

  test('lets everybody in from 15 minutes after the start on, and not a second sooner', async () => {
    expect((await attempt('Stranger', '11', 15 - 1 / 60)).returned).toBe('false');
    expect(await attempt('Stranger', '11', 15)).toMatchObject(ALLOWED);
  });

  test.each<[string, Partial<Case>, RegExp | null]>([
    ['without an answer', { answer: null }, /there is no .*marshal-slots\.json/],
    ['by an answer of six minutes ago', { now: START / 1000 + 361 }, /from 2026-11-21T19:10:00Z: look at the task/],
    ['by a clock that is six minutes slow', { now: START / 1000 - 361 }, /and at the clock/],
    ['in a file without a key', { file: 'C:\\marshal-5f0e8a4b6c01\\op.miz' }, null],
    ['in the file of another mission', { file: 'op.marshal-0123456789ab.miz' }, null],
    ['in a group that the file has no more', { groups: { '11': 'Others' } }, null],
    ['as the server itself', { playerID: 1 }, null],
    ['among the spectators', { side: 0 }, null],
  ])('refuses nobody %s', async (_rule, more, said) => {
    const { log, ...did } = await attempt('Stranger', '11', 0, more);
    expect(did).toEqual(ALLOWED);
    expect(log[0] ?? '').toMatch(said ?? /^$/);
  });

  test('says at the start of the mission what it keeps', async () => {
    const start = (more: Partial<Case>) => attempt('', '', 0, { ...more, playerID: undefined });
    expect((await start({})).log).toEqual(['keeps the seats of Iron Anvil']);
    expect((await start({ file: 'op.miz' })).log).toEqual([
      'keeps no seats: this file is not of a current mission of Marshal',
    ]);
    expect((await start({ answer: '{' })).log[0]).toMatch(/^keeps no seats: /);
  });

  test('without a free seat it says when this one opens', async () => {
    const players = ['Server', 'Stranger', 'Early'].map((name) => ({
      name,
      side: 1,
      slot: name === 'Early' ? '43' : '',
    }));
    expect((await attempt('Stranger', '41', 0, { players })).chat[0]).toContain(
      "Hind 1-1 is Bear's until 1925Z. It is open to everybody then.",
    );
  });

  test('a seat that another player sits in is not called free', async () => {
    const players = ['Server', 'Stranger', 'Early'].map((name) => ({
      name,
      side: 2,
      slot: name === 'Early' ? '14' : '',
    }));
    expect((await attempt('Stranger', '11', 0, { players })).chat[0]).toContain('Colt 1-1 is free.');
  });

  const callSign = fc.stringMatching(/^[A-Z][a-z]{1,7}$/);
  const decorate: ((name: string) => string)[] = [
    (name) => name,
    (name) => name.toUpperCase(),
    (name) => `[JG54] ${name}`,
    (name) => `${name} | 1-1`,
    (name) => `=RvE=${name}`,
  ];
  const situation = fc.record({
    // seats that are free, and pilots; the last names are on standby
    names: fc.uniqueArray(callSign, { minLength: 2, maxLength: 8, selector: (name) => name.toLowerCase() }),
    seats: fc.array(fc.record({ isHeld: fc.boolean(), station: fc.constantFrom(1, 2), isMoved: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    }),
    chosen: fc.nat(),
    decoration: fc.constantFrom(...decorate),
    minutes: fc.integer({ min: -400, max: 200 }),
    ageSeconds: fc.oneof(fc.integer({ min: -400, max: 400 }), fc.constantFrom(-301, -300, 300, 301)),
  });

  /** Seats, and a player who tries one of them. */
  function arrange({ names, seats, chosen, minutes, ageSeconds }: Omit<Generated, 'decoration'>) {
    const free = [...names];
    const all = seats.map(({ isHeld, station }, index): Seat => {
      const name = isHeld ? free.shift() : undefined;
      return {
        label: `Viper 1-${index + 1}`,
        unitId: 10 + index,
        station,
        pilot: name === undefined ? null : named(name),
      };
    });
    const [seat, move] = [all[chosen % all.length], seats[chosen % all.length]];
    if (!seat || !move) throw new Error('there is no seat');
    const now = START + minutes * MINUTE;
    const groups = { ...groupsOf(all), ...(move.isMoved ? { [seat.unitId]: 'Others' } : {}) };
    const slot = seat.station === 2 ? `${seat.unitId}_1` : String(seat.unitId);
    const answer = answerOf(
      all,
      free.map((name) => named(name)),
      now - ageSeconds * 1000,
    );
    const more = { answer: JSON.stringify(answer), groups };
    return { seat, now, isMoved: move.isMoved, attempt: (name: string) => attempt(name, slot, minutes, more) };
  }
  type Generated = typeof situation extends fc.Arbitrary<infer T> ? T : never;

  test('no pilot is ever refused in the own seat', async () => {
    await fc.assert(
      fc.asyncProperty(situation, async ({ decoration, ...given }) => {
        const { seat, attempt: attemptAs } = arrange(given);
        fc.pre(seat.pilot !== null);
        expect(await attemptAs(decoration(seat.pilot?.callSign ?? ''))).toMatchObject(ALLOWED);
      }),
      { numRuns: 300 },
    );
  });

  test('a stranger is refused while a seat is kept by an answer of the last five minutes, and never else', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(situation, async ({ decoration: _decoration, ...given }) => {
        const { seat, now, isMoved, attempt: attemptAs } = arrange(given);
        const isRefused = seat.pilot !== null && !isMoved && now < KEPT_UNTIL && Math.abs(given.ageSeconds) <= 300;
        // no call sign is within digits
        const { returned, chat } = await attemptAs('2077');
        expect(returned).toBe(isRefused ? 'false' : 'nothing');
        expect(chat[0]?.startsWith(`2: ${seat.label} is ${seat.pilot?.callSign}'s until 1925Z. `) ?? false).toBe(
          isRefused,
        );
        outcomes.add(returned);
      }),
      { numRuns: 500 },
    );
    expect([...outcomes].toSorted()).toEqual(['false', 'nothing']);
  });

  test('a broken answer refuses nobody', async () => {
    const whole = JSON.stringify(answerOf(SEATS, [], START));
    const cut = fc.nat({ max: whole.length - 1 }).map((length) => whole.slice(0, length));
    const without = fc
      .constantFrom('asOfUtc', 'missions', 'fileKey', 'slots', 'standby')
      .map((name) => whole.replaceAll(`"${name}"`, '"other"'));
    const nulls = fc
      .constantFrom('"pilot":{', '"unit":{', '"names":[')
      .map((text) => whole.replaceAll(text, `"other":1,${text.slice(0, -1)}null,"more":${text.at(-1)}`));
    await fc.assert(
      fc.asyncProperty(fc.oneof(cut, fc.string(), fc.json(), without, nulls), async (answer) => {
        expect(await attempt('Stranger', '11', 0, { answer })).toMatchObject(ALLOWED);
      }),
      { numRuns: 300 },
    );
  });
});
