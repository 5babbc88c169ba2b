/** Procedures for mission templates. */
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from '#server/missions/mission-templates.ts';
import { adminProcedure, heavy, keyedCaller, router } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import { success } from '#shared/schemas/common.ts';
import {
  anyTemplateInput,
  createdTemplate,
  createTemplateInput,
  missionTemplate,
  missionTemplateInput,
  templateList,
  updateTemplateInput,
} from '#shared/schemas/mission-templates.ts';

export const missionTemplatesRouter = router({
  list: adminProcedure
    .meta(heavy)
    .output(templateList)
    .query(({ ctx }) => listTemplates(ctx.em, ctx.viewer)),

  get: adminProcedure
    .input(anyTemplateInput)
    .output(missionTemplate)
    .query(({ ctx, input }) => getTemplate(ctx.em, ctx.viewer, input.id)),

  create: adminProcedure
    .meta(noAccess)
    .input(createTemplateInput)
    .output(createdTemplate)
    .mutation(({ ctx, input }) => createTemplate(ctx.em, ctx.viewer, input, keyedCaller(ctx))),

  update: adminProcedure
    .meta(noAccess)
    .input(updateTemplateInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await updateTemplate(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),

  remove: adminProcedure
    .meta(noAccess)
    .input(missionTemplateInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await deleteTemplate(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),
});
