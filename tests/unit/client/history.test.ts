import fc from 'fast-check';
import { expect, test } from 'vitest';
import { record, redo, startHistory, undo } from '#client/features/availability/history.ts';

type Step = { kind: 'edit'; value: number } | { kind: 'undo' } | { kind: 'redo' };

test('undo and redo agree with a list of values and an index', () => {
  const anyStep: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('edit' as const), value: fc.integer() }),
    fc.record({ kind: fc.constant('undo' as const) }),
    fc.record({ kind: fc.constant('redo' as const) }),
  );
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      let history = startHistory(0);
      let values = [0];
      let place = 0;
      for (const step of steps) {
        if (step.kind === 'edit') {
          history = record(history, step.value);
          if (step.value !== values[place]) {
            values = [...values.slice(0, place + 1), step.value];
            place += 1;
          }
        } else if (step.kind === 'undo') {
          history = undo(history);
          place = Math.max(0, place - 1);
        } else {
          history = redo(history);
          place = Math.min(values.length - 1, place + 1);
        }
        expect(history.present).toBe(values[place]);
        expect(history.past).toHaveLength(place);
        expect(history.future).toHaveLength(values.length - 1 - place);
      }
    }),
  );
});

test('consecutive changes of one tag are one step; an undo between them separates them', () => {
  let history = startHistory('');
  for (const text of ['l', 'la', 'late']) history = record(history, text, 'notes');
  history = record(history, 'late!', 'other');
  expect(undo(history).present).toBe('late');
  const back = undo(undo(history));
  expect(back.present).toBe('');
  expect(redo(back).present).toBe('late');
  expect(undo(record(redo(back), 'later', 'notes')).present).toBe('late');
});

test('the oldest steps are dropped after a hundred', () => {
  let history = startHistory(0);
  for (let value = 1; value <= 150; value += 1) history = record(history, value);
  expect(history.past).toHaveLength(100);
  expect(history.past[0]).toBe(50);
});
