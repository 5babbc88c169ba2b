/** The reader of recordings: against an oracle in another language, in any pieces, and against files that are none. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AcmiReader, BadRecording, type Recording } from '#server/missions/mission-file/rules/acmi.ts';
import { mergeIntervals } from '#server/time/intervals.ts';
import { copy } from '#shared/copy.ts';
import { RECORDING } from '#shared/presence.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';
import { writeRecording } from '#tests/harness/recordings.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'harness', 'recordings');
const fixtures = globSync('*.acmi', { cwd: FOLDER });

/** @param size of the pieces, in bytes, which may split a character */
function read(file: Uint8Array, size = file.length): Recording {
  const decoder = new TextDecoder();
  const reader = new AcmiReader();
  for (let from = 0; from < file.length; from += size) {
    reader.feed(decoder.decode(file.subarray(from, from + size), { stream: true }));
  }
  reader.feed(decoder.decode());
  return reader.end();
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const shown = ({ covers, aboard }: Recording) => ({
  covers: [iso(covers.startMs), iso(covers.endMs)],
  aboard: aboard
    .map(({ startMs, endMs, tookOffMs, landedMs, name, unit, aircraft, side }) => ({
      name,
      unit,
      aircraft,
      side,
      from: iso(startMs),
      to: iso(endMs),
      tookOff: iso(tookOffMs),
      landed: iso(landedMs),
    }))
    .toSorted((a, b) => (`${a.name} ${a.from}` < `${b.name} ${b.from}` ? -1 : 1)),
});

test.each(fixtures)('%s has the times that the oracle finds, in pieces of any size', (name) => {
  const file = readFileSync(join(FOLDER, name));
  const { covers, aboard } = JSON.parse(readFileSync(join(FOLDER, name.replace('.acmi', '.json')), 'utf8'));
  const expected = { covers, aboard: aboard.toSorted((a: Row, b: Row) => (key(a) < key(b) ? -1 : 1)) };
  expect(fixtures.length).toBeGreaterThan(3);
  expect(aboard.length).toBeGreaterThan(0);
  for (const size of [file.length, 1, 7]) expect(shown(read(file, size))).toEqual(expected);
});
type Row = { name: string; from: string };
const key = ({ name, from }: Row) => `${name} ${from}`;

test('whatever the frames, time is counted once, and only between two frames that follow each other', () => {
  const step = fc.oneof(
    fc.record({ frame: fc.integer({ min: 0, max: 400 }) }),
    fc.record({ enter: fc.integer({ min: 1, max: 3 }), pilot: fc.constantFrom('Vesper', 'Raven') }),
    fc.record({ leave: fc.integer({ min: 1, max: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lines = ['FileType=text/acmi/tacview', 'FileVersion=2.2', '0,RecordingTime=2026-11-21T19:00:00Z', '#0'];
      // the oracle walks from frame to frame
      const aboard = new Map<number, string>();
      const pieces = new Map<string, { startMs: number; endMs: number }[]>();
      let now = 0;
      for (const one of steps) {
        if ('frame' in one) {
          lines.push(`#${one.frame}`);
          if (one.frame > now && one.frame - now <= RECORDING.gapSeconds) {
            for (const pilot of aboard.values()) {
              pieces.set(pilot, [...(pieces.get(pilot) ?? []), { startMs: now * 1000, endMs: one.frame * 1000 }]);
            }
          }
          now = one.frame;
        } else if ('enter' in one) {
          aboard.set(one.enter, one.pilot);
          lines.push(`${one.enter},T=1|2|3,Type=Air+FixedWing,Name=F-16C_50,Pilot=${one.pilot},Color=Blue`);
        } else {
          aboard.delete(one.leave);
          lines.push(`-${one.leave}`);
        }
      }
      const start = Date.parse('2026-11-21T19:00:00Z');
      const expected = new Map([...pieces].map(([pilot, times]) => [pilot, mergeIntervals(times)]));
      let seen: Recording['aboard'] = [];
      try {
        seen = read(Buffer.from(lines.join('\n'))).aboard;
      } catch (error) {
        expect([error instanceof BadRecording, expected.size]).toEqual([true, 0]);
      }
      const found = Map.groupBy(seen, ({ name }) => name);
      const times = [...found].map(([pilot, rows]): [string, { startMs: number; endMs: number }[]] => [
        pilot,
        rows.map(({ startMs, endMs }) => ({ startMs: startMs - start, endMs: endMs - start })),
      ]);
      expect(new Map(times)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

describe('a file is refused', () => {
  const header = 'FileType=text/acmi/tacview\nFileVersion=2.2\n0,RecordingTime=2026-11-21T19:00:00Z\n';
  const enter = (id: number) => `${id.toString(16)},T=1|2|3,Type=Air+FixedWing,Pilot=Pilot${id}\n`;
  const range = (length: number, line: (index: number) => string) => Array.from({ length }, (_, i) => line(i)).join('');
  test.each([
    ['without the header', () => '{"FileType": "text/acmi/tacview"}', copy.recordingNotAcmi],
    ['of the format before 2.0', () => 'FileType=text/acmi/tacview\nFileVersion=1.7\n', copy.recordingOldVersion],
    ['that ends after its header', () => 'FileType=text/acmi/tacview', copy.recordingNotAcmi],
    ['with nobody aboard', () => `${header}#0\n1,T=1|2|3,Type=Air+FixedWing,Name=F-16C\n#60\n`, copy.recordingNoPilots],
    ['with a frame that is no time', () => `${header}#1e9\n`, copy.recordingNotAcmi],
    ['of one endless line', () => `${header}1,${'x'.repeat(RECORDING.lineLength)}`, copy.recordingNotAcmi],
    [
      'whose text never ends',
      () => `${header}${'0,Comments=x\\\n'.repeat(RECORDING.lineLength / 8)}`,
      copy.recordingNotAcmi,
    ],
    [
      'whose time jumps all the time',
      () => `${header}${range(2 * RECORDING.jumpsMax + 4, (i) => `#${i % 2}\n`)}`,
      copy.recordingJumps,
    ],
    [
      'with more aircraft than there can be',
      () => `${header}#0\n${range(RECORDING.objectsMax + 2, enter)}`,
      copy.recordingTooMuch,
    ],
    [
      'whose jumps and aircraft multiply',
      () => `${header}#0\n${range(10_000, enter)}${range(9_000, (i) => `#${(i % 2) + 1}\n`)}`,
      copy.recordingTooMuch,
    ],
  ])('%s, within a second', (_what, write, sentence) => {
    const file = Buffer.from(write());
    const spent = startProcessorTime();
    expect(() => read(file, 65_536)).toThrow(new BadRecording(sentence));
    expect(spent()).toBeLessThan(1_000);
  });
});

test('names are text of one line that the database takes', () => {
  const file = writeRecording({
    recordedAt: new Date('2026-11-21T19:00:00Z'),
    sorties: [{ pilot: `\u202Eevil\u0000 ${'😀'.repeat(200)}`, from: 0, to: 1 }],
  });
  const [{ name } = { name: '' }] = read(Buffer.from(file), 5).aboard;
  expect(Array.from(name)).toHaveLength(RECORDING.nameLength);
  expect(name).toMatch(/^evil\p{Zs}+😀+$/u);
});
