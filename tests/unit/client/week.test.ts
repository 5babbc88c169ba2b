import { describe, expect, test } from 'vitest';
import {
  countChanges,
  isOvernight,
  newRow,
  rowsOfTemplate,
  slotOfRow,
  withKeysOf,
} from '#client/features/availability/week.ts';
import { copy } from '#shared/copy.ts';
import { templateForm } from '#shared/schemas/availability.ts';

const SAVED = {
  id: '1',
  name: 'Default Weekly Availability',
  isActive: true,
  version: '2026-11-18T09:12:44.017Z',
  slots: [
    { weekday: 5, startLocal: '22:00', endLocal: '01:00', aircraftCodeId: 3, notes: 'late' },
    { weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null },
  ],
};

test('a template survives the form unchanged, notes included, ordered by day', () => {
  expect(rowsOfTemplate(SAVED).map(slotOfRow)).toEqual(SAVED.slots.toReversed());
});

describe('a new slot', () => {
  test('is 18:00 to 22:00 and has no aircraft, which the schema refuses with the specified sentence', () => {
    const row = newRow(2, []);
    expect([row.startLocal, row.endLocal]).toEqual(['18:00', '22:00']);
    const answer = templateForm.safeParse({ slots: [slotOfRow(row)] });
    expect(answer.error?.issues.map(({ message }) => message)).toEqual([copy.aircraftPreferenceRequired]);
  });

  test('takes the aircraft last chosen in the form', () => {
    expect(newRow(2, rowsOfTemplate(SAVED)).aircraft).toBe('3');
  });
});

test.each([
  ['22:00', '01:00', true],
  ['22:00', '00:00', false],
  ['18:00', '22:00', false],
  ['18:00', '', false],
  ['18:00', '0', false],
  ['22:00', '18:', false],
])('%s to %s runs into the next day: %s', (startLocal, endLocal, overnight) => {
  expect(isOvernight({ ...newRow(0, []), startLocal, endLocal })).toBe(overnight);
});

describe('unsaved changes', () => {
  const saved = rowsOfTemplate(SAVED);

  test('are none when an edit is taken back', () => {
    expect(
      countChanges(
        saved,
        saved.map((row) => ({ ...row })),
      ),
    ).toBe(0);
  });

  test('count one per slot added, removed or altered', () => {
    const [first, second] = saved;
    if (!first || !second) throw new Error('two slots were saved');
    expect(countChanges(saved, [{ ...first, endLocal: '23:00' }, newRow(3, []), newRow(3, [])])).toBe(4);
    expect(countChanges(saved, [])).toBe(2);
    expect(countChanges(saved, [second, first])).toBe(0);
  });

  test('to a week that was saved elsewhere are only those slots that differ', () => {
    const [first] = saved;
    if (!first) throw new Error('two slots were saved');
    const mine = [...saved, newRow(3, [])];
    const theirs = withKeysOf(mine, rowsOfTemplate(SAVED));
    expect(countChanges(theirs, mine)).toBe(1);
    // the same slot twice is two slots
    expect(countChanges(withKeysOf(mine, [first, { ...first, key: 'again' }]), mine)).toBe(3);
  });
});
