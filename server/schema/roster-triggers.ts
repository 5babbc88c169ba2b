/** Triggers that note in `roster_change` which pilots a statement concerns: one call a statement, however many rows. */

const EVENTS = ['insert', 'update', 'delete'] as const;

/** The rows that a trigger function can read. */
const ROWS = {
  insert: 'new table as after_rows',
  update: 'old table as before_rows new table as after_rows',
  delete: 'old table as before_rows',
} as const;

/**
 * The triggers of a table for the ORM. Their functions are in the migrations `roster_changes` and `roster_changes_of_orders`.
 * @param call `note_roster_change('column')` with the column that names the pilot, or another of those functions
 */
export const rosterTriggers = (table: string, call: string, events: readonly (typeof EVENTS)[number][] = EVENTS) =>
  events.map((event) => ({
    name: `${table}_roster_${event}`,
    timing: 'after' as const,
    events: [event],
    forEach: 'statement' as const,
    expression: `create trigger "${table}_roster_${event}" after ${event} on "${table}" referencing ${ROWS[event]} for each statement execute function ${call}`,
  }));
