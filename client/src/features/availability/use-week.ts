import { useState } from 'react';
import { copy } from '#shared/copy.ts';
import { SLOTS_PER_DAY_MAX } from '#shared/limits.ts';
import { templateForm, type SlotInput } from '#shared/schemas/availability.ts';
import { record, redo, startHistory, undo } from './history.ts';
import { countChanges, slotOfRow, type SlotRow } from './week.ts';

/** Error messages of one slot, by field. */
export type SlotErrors = Partial<Record<string, string>>;

/** Validation errors of the week, found on save. */
export interface WeekProblem {
  /** message for the box above the buttons */
  sentence: string;
  /** errors by slot key */
  slots: ReadonlyMap<string, SlotErrors>;
}

/**
 * Form state shared by grid and list: rows, saved rows, undo and redo.
 * @param savedRows the stored week
 * @param firstRows the week that the form begins with
 */
export function useWeek(savedRows: readonly SlotRow[], firstRows: readonly SlotRow[]) {
  const [history, setHistory] = useState(() => startHistory(firstRows));
  const [saved, setSaved] = useState(savedRows);
  const [problem, setProblem] = useState<WeekProblem | null>(null);
  const rows = history.present;

  return {
    rows,
    changes: countChanges(saved, rows),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    problem,
    /**
     * Applies every edit; refuses one that would exceed the maximum slots per day.
     * @param tag consecutive edits with the same tag are undone together
     */
    edit: (next: readonly SlotRow[], tag: string | null = null): void => {
      if (overflows(next) && next.length > rows.length) {
        setProblem({ sentence: copy.tooManySlots, slots: new Map() });
        return;
      }
      setProblem(null);
      setHistory((current) => record(current, next, tag));
    },
    undo: (): void => {
      setProblem(null);
      setHistory(undo);
    },
    redo: (): void => {
      setProblem(null);
      setHistory(redo);
    },
    /** Counts changes from these rows, after the week was changed elsewhere. */
    rebase: (next: readonly SlotRow[]): void => setSaved(next),
    fail: (sentence: string): void => setProblem({ sentence, slots: new Map() }),
    /** The week as API input; null with `problem` set when it is invalid. */
    check: (failure: string): SlotInput[] | null => {
      const answer = templateForm.safeParse({ slots: rows.map(slotOfRow) });
      if (answer.success) {
        setProblem(null);
        return answer.data.slots;
      }
      const slots = new Map<string, SlotErrors>();
      for (const { path, message } of answer.error.issues) {
        const key = typeof path[1] === 'number' ? rows[path[1]]?.key : undefined;
        if (key !== undefined) {
          slots.set(key, { ...slots.get(key), [String(path[2])]: message });
        }
      }
      const sentences = answer.error.issues.map(({ message }) => message);
      const sentence = sentences.includes(copy.aircraftPreferenceRequired)
        ? copy.aircraftPreferenceRequired
        : (sentences[0] ?? failure);
      setProblem({ sentence, slots });
      return null;
    },
  };
}

export type Week = ReturnType<typeof useWeek>;

function overflows(rows: readonly SlotRow[]): boolean {
  const counts = Map.groupBy(rows, ({ weekday }) => weekday);
  return [...counts.values()].some(({ length }) => length > SLOTS_PER_DAY_MAX);
}
