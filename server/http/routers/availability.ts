/** Procedures for weekly templates, dated windows and overrides, busy calendars, and the aircraft list. */
import { z } from 'zod';
import { listAircraft } from '#server/accounts/pilots/aircraft.ts';
import {
  createTemplate,
  getWindow,
  listTemplates,
  removeTemplate,
  saveWeek,
  updateTemplate,
} from '#server/availability/availability.ts';
import { addOverride, listOverrides, removeOverride } from '#server/availability/overrides.ts';
import { endLeave, getLeave, setLeave } from '#server/accounts/leave.ts';
import { previewLeave } from '#server/orders/leave-orders.ts';
import { keyedCaller, polled, router, selfPilotProcedure, signedInProcedure } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { noAccess } from '#server/http/access.ts';
import { busyCalendarsRouter } from './busy-calendars.ts';
import { typedAnswer } from '#server/http/typed-answer.ts';
import {
  addOverrideInput,
  aircraft,
  aircraftInput,
  availabilityWindow,
  createTemplateInput,
  override,
  overridesInput,
  removeOverrideInput,
  removeTemplateInput,
  saveWeekInput,
  template,
  templatesInput,
  updateTemplateInput,
  windowInput,
} from '#shared/schemas/availability.ts';
import {
  endLeaveInput,
  leave,
  leaveInput,
  leavePreview,
  previewLeaveInput,
  setLeaveInput,
} from '#shared/schemas/leave.ts';
import { success } from '#shared/schemas/common.ts';

export const availabilityRouter = router({
  aircraft: signedInProcedure
    .meta(
      rest('get', '/aircraft', {
        id: 'listAircraft',
        tag: 'Reference',
        summary: 'List aircraft',
        answer: 'Aircraft by name.',
      }),
    )
    .meta(polled)
    .input(aircraftInput.optional())
    .output(typedAnswer(z.array(aircraft)))
    .query(({ ctx, input }) => listAircraft(ctx.em, input?.activeOnly ?? true)),

  calendars: busyCalendarsRouter,

  templates: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/availability/templates', {
        id: 'listTemplates',
        tag: 'Availability',
        summary: 'List weekly templates',
        description: 'A template is a week of slots in local time. Only one can be active.',
        answer: 'Templates of the pilot, the oldest first.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(templatesInput)
    .output(z.array(template))
    .query(({ ctx, input }) => listTemplates(ctx.em, input.id)),

  createTemplate: selfPilotProcedure
    .meta(
      rest('post', '/users/:id/availability/templates', {
        status: 201,
        id: 'createTemplate',
        tag: 'Availability',
        summary: 'Create a weekly template',
        description:
          "An active template (the default) replaces the one that was active before; with the `version` that was read, only if nothing was saved since: the refusal has both states. Slots are in the pilot's own time zone; an end before the start is on the next day. The change may fill open seats.",
        answer: 'The new template.',
        refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'CHANGED', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(createTemplateInput)
    .output(template)
    .mutation(({ ctx, input }) => createTemplate(ctx.em, input, keyedCaller(ctx))),

  updateTemplate: selfPilotProcedure
    .meta(
      rest('put', '/users/:id/availability/templates/:templateId', {
        id: 'updateTemplate',
        tag: 'Availability',
        summary: 'Replace a weekly template',
        description:
          'Replaces name, state and all slots. With the `version` that was read, nothing is replaced that was saved since: the refusal has both states. The change may fill open seats.',
        answer: 'The template as stored.',
        refusals: ['USER_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'CHANGED'],
      }),
    )
    .meta(noAccess)
    .input(updateTemplateInput)
    .output(template)
    .mutation(({ ctx, input }) => updateTemplate(ctx.em, input)),

  removeTemplate: selfPilotProcedure
    .meta(
      rest('delete', '/users/:id/availability/templates/:templateId', {
        id: 'removeTemplate',
        tag: 'Availability',
        summary: 'Delete a weekly template',
        description: 'After the active template is deleted, the pilot has no week until another one is activated.',
        refusals: ['USER_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(removeTemplateInput)
    .output(success)
    .mutation(({ ctx, input }) => removeTemplate(ctx.em, input)),

  saveWeek: selfPilotProcedure
    .meta(
      rest('put', '/users/:id/availability/week', {
        id: 'saveWeek',
        tag: 'Availability',
        summary: 'Save the whole active week',
        description:
          'Replaces the slots of the active template, or makes an active template if there is none. With the `version` that was read, nothing is replaced that was saved since: the refusal has both states. The change may fill open seats.',
        answer: 'The active template.',
        refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'CHANGED', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(saveWeekInput)
    .output(template)
    .mutation(({ ctx, input }) => saveWeek(ctx.em, input)),

  window: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/availability/window', {
        id: 'getWindow',
        tag: 'Availability',
        summary: "Get a pilot's free times by date",
        description:
          "Template, overrides, busy calendars and status put together, per date, in the *caller's* time zone. A slot over midnight is listed under both dates: it ends at `24:00` and starts at `00:00`.",
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(polled)
    .input(windowInput)
    .output(typedAnswer(availabilityWindow))
    .query(({ ctx, input }) => getWindow(ctx.em, ctx.viewer, input, ctx.now)),

  overrides: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/availability/overrides', {
        id: 'listOverrides',
        tag: 'Availability',
        summary: 'List dated exceptions',
        answer: 'Overrides from today on, by date and start.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(overridesInput)
    .output(z.array(override))
    .query(({ ctx, input }) => listOverrides(ctx.em, input.id, ctx.now)),

  addOverride: selfPilotProcedure
    .meta(
      rest('post', '/users/:id/availability/overrides', {
        status: 201,
        id: 'addOverride',
        tag: 'Availability',
        summary: 'Add a dated exception',
        description:
          "Adds the same exception to each date from `dateLocal` to `untilLocal`, in the pilot's own time zone. An exception that exists already is kept. The change may fill open seats.",
        answer: 'The overrides of these dates, in order.',
        refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(addOverrideInput)
    .output(z.array(override))
    .mutation(({ ctx, input }) => addOverride(ctx.em, input, ctx.now, keyedCaller(ctx))),

  removeOverride: selfPilotProcedure
    .meta(
      rest('delete', '/users/:id/availability/overrides/:overrideId', {
        id: 'removeOverride',
        tag: 'Availability',
        summary: 'Remove a dated exception',
        description: 'Succeeds also when it is already gone.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(removeOverrideInput)
    .output(success)
    .mutation(({ ctx, input }) => removeOverride(ctx.em, input)),

  leave: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/leave', {
        id: 'getLeave',
        tag: 'Availability',
        summary: "Get a pilot's leave of absence",
        answer: 'The leave, now or ahead; null for none.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(leaveInput)
    .output(leave.nullable())
    .query(({ ctx, input }) => getLeave(ctx.em, input.id, ctx.now)),

  previewLeave: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/leave/preview', {
        id: 'previewLeave',
        tag: 'Availability',
        summary: 'Preview a leave of absence',
        description:
          'Names the missions in that time in which the pilot has a seat, an order or a place on standby. Changes nothing.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(previewLeaveInput)
    .output(leavePreview)
    .query(({ ctx, input }) => previewLeave(ctx.em, input, ctx.now)),

  setLeave: selfPilotProcedure
    .meta(
      rest('put', '/users/:id/leave', {
        id: 'setLeave',
        tag: 'Availability',
        summary: 'Set a leave of absence',
        description:
          "The pilot is never asked to fly from the first date to the last, in the pilot's own time zone; at most 366 days. It replaces an earlier leave. A moment later the pilot's orders in that time are withdrawn, and the seats are offered to others; a mission that has launched keeps its pilots.",
        answer: 'The leave.',
        refusals: ['USER_NOT_FOUND', 'CHANGED'],
      }),
    )
    .meta(noAccess)
    .input(setLeaveInput)
    .output(leave.nullable())
    .mutation(({ ctx, input }) => setLeave(ctx.em, ctx.viewer, input, ctx.now)),

  endLeave: selfPilotProcedure
    .meta(
      rest('delete', '/users/:id/leave', {
        id: 'endLeave',
        tag: 'Availability',
        summary: 'End a leave of absence',
        description:
          'The pilot can be asked again at once; lost seats do not come back. Succeeds also without a leave.',
        refusals: ['USER_NOT_FOUND', 'CHANGED'],
      }),
    )
    .meta(noAccess)
    .input(endLeaveInput)
    .output(success)
    .mutation(({ ctx, input }) => endLeave(ctx.em, ctx.viewer, input, ctx.now)),
});
