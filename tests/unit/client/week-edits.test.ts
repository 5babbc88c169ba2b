/** Edits of the weekly grid, compared with a naive model: the set of minutes of the week when a pilot is available. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyGesture, blocksByDay, stopsOf } from '#client/features/availability/grid-model.ts';
import {
  copyDay,
  fillFree,
  fillPreset,
  invertWeek,
  joinRow,
  moveSlot,
  paint,
  stretchSlot,
} from '#client/features/availability/week-edits.ts';
import { nextKey, slotOfRow, type SlotRow } from '#client/features/availability/week.ts';
import { freeSpans, layOut, spanOf, splitAtMidnight, wallTimeOf } from '#client/features/availability/week-spans.ts';
import { templateForm } from '#shared/schemas/availability.ts';

const WEEK_MINUTES = 7 * 1440;

function row(
  weekday: number,
  startLocal: string,
  endLocal: string,
  aircraft = '0',
  notes: string | null = null,
): SlotRow {
  return { key: nextKey(), weekday, startLocal, endLocal, aircraft, notes };
}

const facts = (rows: readonly SlotRow[]) =>
  rows.map(({ weekday, startLocal, endLocal, aircraft }) => `${weekday} ${startLocal}-${endLocal} ${aircraft}`);

/** The quarter hours of the week that the slots cover, from the wall times alone. */
function coverage(rows: readonly SlotRow[]): boolean[] {
  const covered = Array.from({ length: WEEK_MINUTES / 15 }, () => false);
  for (const { weekday, startLocal, endLocal } of rows) {
    const read = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    let minute = weekday * 1440 + read(startLocal);
    do {
      covered[(minute % WEEK_MINUTES) / 15] = true;
      minute += 15;
    } while (minute % 1440 !== read(endLocal));
  }
  return covered;
}

const quarter = fc.integer({ min: 0, max: 95 }).map((count) => wallTimeOf(count * 15));
const anyRow = fc
  .record({
    weekday: fc.integer({ min: 0, max: 6 }),
    startLocal: quarter,
    endLocal: quarter,
    aircraft: fc.constantFrom('0', '2', '3'),
    notes: fc.constantFrom(null, null, 'late', 'with Goose'),
  })
  .filter(({ startLocal, endLocal }) => startLocal !== endLocal)
  .map((fields): SlotRow => ({ key: nextKey(), ...fields }));
const anyWeek = fc.array(anyRow, { maxLength: 12 });
const anyStroke = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    from: fc.integer({ min: 0, max: 47 }),
    rows: fc.integer({ min: 1, max: 48 }),
    aircraft: fc.constantFrom('0', '2'),
  })
  .map(({ days, from, rows, aircraft }) => ({
    days,
    span: { start: from * 30, end: Math.min(from + rows, 48) * 30 },
    aircraft,
  }));

describe('a slot over midnight', () => {
  test.each([
    ['Tuesday night lies on two days', 2, '22:00', '01:00', ['2 1320-1440', '3 0-60']],
    ['Saturday night goes on on Sunday', 6, '23:30', '00:30', ['6 1410-1440', '0 0-30']],
    ['one that ends at midnight stays on its day', 2, '18:00', '00:00', ['2 1080-1440']],
  ])('%s', (_rule, weekday, startLocal, endLocal, pieces) => {
    const span = spanOf({ startLocal, endLocal });
    if (!span) throw new Error('a real slot');
    expect(splitAtMidnight(weekday, span).map((piece) => `${piece.weekday} ${piece.start}-${piece.end}`)).toEqual(
      pieces,
    );
  });

  test('split into blocks and joined again is the same slot', () => {
    fc.assert(
      fc.property(anyRow, (slot) => {
        const blocks = blocksByDay([slot]).flat();
        const first = blocks.find(({ isContinued }) => !isContinued);
        const rest = blocks.find(({ isContinued }) => isContinued);
        expect(blocks.map((block) => block.slot)).toEqual(blocks.map(() => slot));
        expect(first?.weekday).toBe(slot.weekday);
        expect(wallTimeOf(first?.start ?? -1)).toBe(slot.startLocal);
        expect(wallTimeOf(rest?.end ?? first?.end ?? -1)).toBe(slot.endLocal);
        expect(first?.isCut).toBe(rest !== undefined);
        if (rest) expect([first?.end, rest.start, rest.weekday]).toEqual([1440, 0, (slot.weekday + 1) % 7]);
      }),
    );
  });
});

describe('painting', () => {
  test('makes exactly its rectangle available and removes nothing, in slots that the contract accepts', () => {
    fc.assert(
      fc.property(anyWeek, anyStroke, (week, stroke) => {
        const painted = paint(week, stroke);
        const before = coverage(week);
        const expected = before.map((free, index) => {
          const [day, minute] = [Math.floor(index / 96), (index % 96) * 15];
          return free || (stroke.days.includes(day) && minute >= stroke.span.start && minute < stroke.span.end);
        });
        expect(coverage(painted)).toEqual(expected);
        const slots = painted.map(slotOfRow);
        const refusals = templateForm.safeParse({ slots }).error?.issues ?? [];
        expect(refusals.filter(({ path }) => path.length > 1)).toEqual([]);
        expect(new Set(painted.map(({ key }) => key)).size).toBe(painted.length);
      }),
    );
  });

  test.each([
    ['touching time of the same aircraft grows the slot', [row(2, '18:00', '20:00')], 1200, 1260, ['2 18:00-21:00 0']],
    [
      'another aircraft stays a slot of its own',
      [row(2, '18:00', '20:00', '3')],
      1140,
      1260,
      ['2 18:00-20:00 3', '2 19:00-21:00 0'],
    ],
    [
      'two slots become one when the gap is filled',
      [row(2, '10:00', '12:00'), row(2, '13:00', '15:00')],
      720,
      780,
      ['2 10:00-15:00 0'],
    ],
    ['a slot over midnight grows too', [row(2, '22:00', '01:00')], 1260, 1320, ['2 21:00-01:00 0']],
    [
      'a whole day is two halves, since a slot has an end that differs from its start',
      [],
      0,
      1440,
      ['2 00:00-12:00 0', '2 12:00-00:00 0'],
    ],
  ])('%s', (_rule, week, start, end, expected) => {
    expect(facts(paint(week, { days: [2], span: { start, end }, aircraft: '0' }))).toEqual(expected);
  });

  test('a slot with notes keeps them when it grows, and two different notes keep two slots apart', () => {
    const [early, late] = [row(2, '18:00', '20:00', '0', 'early'), row(2, '21:00', '23:00', '0', 'late')];
    const week = paint([early, late], { days: [2], span: { start: 1200, end: 1260 }, aircraft: '0' });
    expect(week.map(({ notes }) => notes)).toEqual(['early', 'late']);
    expect(facts(week)).toEqual(['2 18:00-21:00 0', '2 21:00-23:00 0']);
    expect(week[0]?.key).toBe(early.key);
  });

  test('joining neither loses nor adds time', () => {
    fc.assert(
      fc.property(anyWeek, (week) => {
        const joined = week.reduce((rows, { key }) => joinRow(rows, key), week);
        expect(coverage(joined)).toEqual(coverage(week));
      }),
    );
  });
});

describe('presets', () => {
  test('fill the gaps of 18:00 to 22:00, whatever the aircraft', () => {
    const week = [row(1, '19:00', '20:00', '3'), row(4, '22:00', '01:00')];
    expect(facts(fillPreset('weeknights', week, '0'))).toEqual([
      '1 18:00-19:00 0',
      '1 19:00-20:00 3',
      '1 20:00-22:00 0',
      '2 18:00-22:00 0',
      '3 18:00-22:00 0',
      '4 18:00-01:00 0',
      '5 18:00-22:00 0',
    ]);
    expect(facts(fillPreset('weekends', [], '2'))).toEqual(['0 18:00-22:00 2', '6 18:00-22:00 2']);
  });

  test('change nothing when applied twice', () => {
    fc.assert(
      fc.property(anyWeek, fc.integer({ min: 0, max: 6 }), (week, day) => {
        const once = fillFree(week, [day], '0');
        expect(facts(fillFree(once, [day], '0'))).toEqual(facts(once));
      }),
    );
  });
});

test('inverting makes all unavailable time available and nothing else; twice restores the week', () => {
  fc.assert(
    fc.property(anyWeek, (week) => {
      const inverted = invertWeek(week, '0');
      expect(coverage(inverted)).toEqual(coverage(week).map((free) => !free));
      expect(coverage(invertWeek(inverted, '0'))).toEqual(coverage(week));
    }),
  );
});

test('copying a day copies its slots, aircraft and notes to the chosen days only', () => {
  const week = [row(1, '18:00', '22:00', '3', 'late'), row(2, '06:00', '08:00'), row(5, '10:00', '11:00')];
  const copied = copyDay(week, 1, [1, 2, 6]);
  expect(facts(copied)).toEqual(['1 18:00-22:00 3', '2 18:00-22:00 3', '5 10:00-11:00 0', '6 18:00-22:00 3']);
  expect(copied.filter(({ notes }) => notes === 'late')).toHaveLength(3);
  expect(new Set(copied.map(({ key }) => key)).size).toBe(4);
});

describe('moving and stretching', () => {
  const length = (slot: SlotRow | undefined) => {
    const span = slot && spanOf(slot);
    return span ? span.end - span.start : 0;
  };

  test('a moved slot keeps its length, wherever it is dropped', () => {
    fc.assert(
      fc.property(anyRow, fc.integer({ min: -6, max: 6 }), fc.integer({ min: -47, max: 47 }), (slot, days, rows) => {
        const [moved] = moveSlot([slot], slot.key, days, rows * 30);
        expect(length(moved)).toBe(length(slot));
        expect(moved?.weekday).toBe(Math.min(Math.max(slot.weekday + days, 0), 6));
      }),
    );
  });

  test('a stretched slot moves one end only and never vanishes or fills a day', () => {
    fc.assert(
      fc.property(
        anyRow.filter((slot) => length(slot) >= 30),
        fc.constantFrom('start' as const, 'end' as const),
        fc.integer({ min: 0, max: 96 }),
        (slot, edge, half) => {
          const [stretched] = stretchSlot([slot], slot.key, edge, half * 30);
          if (edge === 'start') expect(stretched?.endLocal).toBe(slot.endLocal);
          else expect(stretched?.startLocal).toBe(slot.startLocal);
          expect(length(stretched)).toBeGreaterThanOrEqual(30);
          expect(length(stretched)).toBeLessThan(1440);
        },
      ),
    );
  });

  test('the part after midnight is resized by its own end', () => {
    const slot = row(2, '22:00', '01:00');
    const gesture = { kind: 'end', key: slot.key, offset: 1440, at: { day: 3, row: 3 } } as const;
    expect(facts(applyGesture([slot], gesture, '0'))).toEqual(['2 22:00-02:00 0']);
  });
});

describe('blocks side by side', () => {
  test('overlapping blocks never share a lane, and no lane is empty', () => {
    const anySpan = fc
      .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 40 }))
      .map(([start, span]) => ({ start: start * 15, end: Math.min(start + span, 96) * 15 }));
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 12 }), (pieces) => {
        const placed = layOut(pieces);
        expect(placed).toHaveLength(pieces.length);
        for (const [index, one] of placed.entries()) {
          expect(one.lane).toBeLessThan(one.lanes);
          for (const other of placed.slice(index + 1)) {
            if (one.start < other.end && other.start < one.end) {
              expect(one.lane).not.toBe(other.lane);
              expect(one.lanes).toBe(other.lanes);
            }
          }
        }
      }),
    );
  });

  test('keyboard navigation reaches every block of a day once, and every free half hour', () => {
    fc.assert(
      fc.property(anyWeek, (week) => {
        for (const blocks of blocksByDay(week)) {
          const stops = stopsOf(blocks);
          expect(stops.flatMap(({ block }) => (block ? [block.slot.key] : [])).toSorted()).toEqual(
            blocks.map(({ slot }) => slot.key).toSorted(),
          );
          const cells = stops.filter(({ row: at, block }) => block === null && at >= 0);
          const free = freeSpans(blocks, { start: 0, end: 1440 });
          const isFree = (at: number) => free.some(({ start, end }) => start <= at * 30 && end >= (at + 1) * 30);
          const halves = Array.from({ length: 48 }, (_half, at) => at);
          expect(cells.map(({ row: at }) => at)).toEqual(halves.filter(isFree));
        }
      }),
    );
  });
});
