/** Procedures for weekly templates, dated windows and overrides, and the aircraft list. */
import { z } from 'zod';
import { listAircraft } from '#server/pilots/aircraft.ts';
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
import { noAccess } from '#server/http/access.ts';
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
    .meta(polled)
    .input(aircraftInput.optional())
    .output(typedAnswer(z.array(aircraft)))
    .query(({ ctx, input }) => listAircraft(ctx.em, input?.activeOnly ?? true)),

  templates: selfPilotProcedure
    .input(templatesInput)
    .output(z.array(template))
    .query(({ ctx, input }) => listTemplates(ctx.em, input.id)),

  createTemplate: selfPilotProcedure
    .meta(noAccess)
    .input(createTemplateInput)
    .output(template)
    .mutation(({ ctx, input }) => createTemplate(ctx.em, input, keyedCaller(ctx))),

  updateTemplate: selfPilotProcedure
    .meta(noAccess)
    .input(updateTemplateInput)
    .output(template)
    .mutation(({ ctx, input }) => updateTemplate(ctx.em, input)),

  removeTemplate: selfPilotProcedure
    .meta(noAccess)
    .input(removeTemplateInput)
    .output(success)
    .mutation(({ ctx, input }) => removeTemplate(ctx.em, input)),

  saveWeek: selfPilotProcedure
    .meta(noAccess)
    .input(saveWeekInput)
    .output(template)
    .mutation(({ ctx, input }) => saveWeek(ctx.em, input)),

  window: selfPilotProcedure
    .meta(polled)
    .input(windowInput)
    .output(typedAnswer(availabilityWindow))
    .query(({ ctx, input }) => getWindow(ctx.em, ctx.viewer, input, ctx.now)),

  overrides: selfPilotProcedure
    .input(overridesInput)
    .output(z.array(override))
    .query(({ ctx, input }) => listOverrides(ctx.em, input.id, ctx.now)),

  addOverride: selfPilotProcedure
    .meta(noAccess)
    .input(addOverrideInput)
    .output(z.array(override))
    .mutation(({ ctx, input }) => addOverride(ctx.em, input, ctx.now, keyedCaller(ctx))),

  removeOverride: selfPilotProcedure
    .meta(noAccess)
    .input(removeOverrideInput)
    .output(success)
    .mutation(({ ctx, input }) => removeOverride(ctx.em, input)),

  leave: selfPilotProcedure
    .input(leaveInput)
    .output(leave.nullable())
    .query(({ ctx, input }) => getLeave(ctx.em, input.id, ctx.now)),

  previewLeave: selfPilotProcedure
    .input(previewLeaveInput)
    .output(leavePreview)
    .query(({ ctx, input }) => previewLeave(ctx.em, input, ctx.now)),

  setLeave: selfPilotProcedure
    .meta(noAccess)
    .input(setLeaveInput)
    .output(leave.nullable())
    .mutation(({ ctx, input }) => setLeave(ctx.em, ctx.viewer, input, ctx.now)),

  endLeave: selfPilotProcedure
    .meta(noAccess)
    .input(endLeaveInput)
    .output(success)
    .mutation(({ ctx, input }) => endLeave(ctx.em, ctx.viewer, input, ctx.now)),
});
