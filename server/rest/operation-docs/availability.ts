/** Documentation of the calls for availability and the aircraft list. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Name = Extract<ProcedureName, `availability.${string}`>;

export const AVAILABILITY_DOCS = {
  'availability.aircraft': {
    id: 'listAircraft',
    tag: 'Reference',
    summary: 'List aircraft',
    answer: 'Aircraft by name.',
  },
  'availability.templates': {
    id: 'listTemplates',
    tag: 'Availability',
    summary: 'List weekly templates',
    description: 'A template is a week of slots in local time. Only one can be active.',
    answer: 'Templates of the pilot, the oldest first.',
    refusals: ['USER_NOT_FOUND'],
  },
  'availability.createTemplate': {
    id: 'createTemplate',
    tag: 'Availability',
    summary: 'Create a weekly template',
    description:
      "An active template (the default) replaces the one that was active before. Slots are in the pilot's own time zone; an end before the start is on the next day. The change may fill open seats.",
    answer: 'The new template.',
    refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'CHANGED', 'LIMIT_REACHED'],
  },
  'availability.updateTemplate': {
    id: 'updateTemplate',
    tag: 'Availability',
    summary: 'Replace a weekly template',
    description:
      'Replaces name, state and all slots. With the `version` that was read, nothing is replaced that was saved since: the refusal has both states. The change may fill open seats.',
    answer: 'The template as stored.',
    refusals: ['USER_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'CHANGED'],
  },
  'availability.window': {
    id: 'getWindow',
    tag: 'Availability',
    summary: "Get a pilot's free times by date",
    description:
      "Template, overrides and status put together, per date, in the *caller's* time zone. A slot over midnight is listed under both dates: it ends at `24:00` and starts at `00:00`.",
    refusals: ['USER_NOT_FOUND'],
  },
  'availability.overrides': {
    id: 'listOverrides',
    tag: 'Availability',
    summary: 'List dated exceptions',
    answer: 'Overrides from today on, by date and start.',
    refusals: ['USER_NOT_FOUND'],
  },
  'availability.addOverride': {
    id: 'addOverride',
    tag: 'Availability',
    summary: 'Add a dated exception',
    description:
      "Adds the same exception to each date from `dateLocal` to `untilLocal`, in the pilot's own time zone. An exception that exists already is kept. The change may fill open seats.",
    answer: 'The overrides of these dates, in order.',
    refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'LIMIT_REACHED'],
  },
  'availability.removeOverride': {
    id: 'removeOverride',
    tag: 'Availability',
    summary: 'Remove a dated exception',
    description: 'Succeeds also when it is already gone.',
    refusals: ['USER_NOT_FOUND'],
  },
  'availability.removeTemplate': {
    id: 'removeTemplate',
    tag: 'Availability',
    summary: 'Delete a weekly template',
    description: 'After the active template is deleted, the pilot has no week until another one is activated.',
    refusals: ['USER_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
  },
  'availability.saveWeek': {
    id: 'saveWeek',
    tag: 'Availability',
    summary: 'Save the whole active week',
    description:
      'Replaces the slots of the active template, or makes an active template if there is none. The change may fill open seats.',
    answer: 'The active template.',
    refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'CHANGED', 'LIMIT_REACHED'],
  },
  'availability.leave': {
    id: 'getLeave',
    tag: 'Availability',
    summary: "Get a pilot's leave of absence",
    answer: 'The leave, now or ahead; null for none.',
    refusals: ['USER_NOT_FOUND'],
  },
  'availability.previewLeave': {
    id: 'previewLeave',
    tag: 'Availability',
    summary: 'Preview a leave of absence',
    description:
      'Names the missions in that time in which the pilot has a seat, an order or a place on standby. Changes nothing.',
    refusals: ['USER_NOT_FOUND'],
  },
  'availability.setLeave': {
    id: 'setLeave',
    tag: 'Availability',
    summary: 'Set a leave of absence',
    description:
      "The pilot is never asked to fly from the first date to the last, in the pilot's own time zone; at most 366 days. It replaces an earlier leave. A moment later the pilot's orders in that time are withdrawn, and the seats are offered to others; a mission that has launched keeps its pilots.",
    answer: 'The leave.',
    refusals: ['USER_NOT_FOUND', 'CHANGED'],
  },
  'availability.endLeave': {
    id: 'endLeave',
    tag: 'Availability',
    summary: 'End a leave of absence',
    description: 'The pilot can be asked again at once; lost seats do not come back. Succeeds also without a leave.',
    refusals: ['USER_NOT_FOUND', 'CHANGED'],
  },
} as const satisfies Record<Name, OperationDocs>;
