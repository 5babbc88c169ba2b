/** Undo and redo of any value. */

/** Maximum number of undo steps. */
const STEPS_KEPT = 100;

export interface History<Value> {
  past: readonly Value[];
  present: Value;
  future: readonly Value[];
  /** tag of the last change; consecutive changes with the same tag are one step, such as typed letters */
  tag: string | null;
}

export function startHistory<Value>(present: Value): History<Value> {
  return { past: [], present, future: [], tag: null };
}

/** Records a change. @param tag null always starts a new step */
export function record<Value>(history: History<Value>, present: Value, tag: string | null = null): History<Value> {
  if (present === history.present) {
    return history;
  }
  const joins = tag !== null && tag === history.tag;
  const past = joins ? history.past : [...history.past, history.present].slice(-STEPS_KEPT);
  return { past, present, future: [], tag };
}

/** One step back; the same history when there is none. */
export function undo<Value>(history: History<Value>): History<Value> {
  const before = history.past.at(-1);
  if (before === undefined) {
    return history;
  }
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], tag: null };
}

/** One step forward again; the same history when nothing was undone. */
export function redo<Value>(history: History<Value>): History<Value> {
  const [after, ...future] = history.future;
  if (after === undefined) {
    return history;
  }
  return { past: [...history.past, history.present], present: after, future, tag: null };
}
