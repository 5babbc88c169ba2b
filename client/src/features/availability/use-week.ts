import { useState } from 'react';
import { copy } from '#shared/copy.ts';
import { SLOTS_PER_DAY_MAX } from '#shared/limits.ts';
import { templateForm, type SlotInput } from '#shared/schemas/availability.ts';
import { record, redo, startHistory, undo } from './history.ts';
import { countChanges, slotOfRow, type SlotRow } from './week.ts';

/** The sentences about one slot, by field. */
export type SlotErrors = Partial<Record<string, string>>;

/** What is wrong with the week, found when it was about to be saved. */
export interface WeekProblem {
  /** the box above the buttons */
  sentence: string;
  /** by the key of the slot */
  slots: ReadonlyMap<string, SlotErrors>;
}

/** The one form value behind grid and list: rows, what was saved, undo and redo. */
export function useWeek(initialRows: readonly SlotRow[]) {
  const [history, setHistory] = useState(() => startHistory(initialRows));
  const [saved, setSaved] = useState(initialRows);
  const [problem, setProblem] = useState<WeekProblem | null>(null);
  const rows = history.present;

  return {
    rows,
    changes: countChanges(saved, rows),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    problem,
    /**
     * Every edit comes through here. One that would put too many slots on a day is refused.
     * @param tag edits of one tag in a row are undone together
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
    /** The server holds other slots than this form began with: count the changes from those. */
    rebase: (next: readonly SlotRow[]): void => setSaved(next),
    fail: (sentence: string): void => setProblem({ sentence, slots: new Map() }),
    /** The week as the contract wants it; null, with the sentences in place, when it is refused. */
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
