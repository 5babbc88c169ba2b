/** Procedures for mission templates. */
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from '#server/missions/mission-templates.ts';
import { adminProcedure, heavy, keyedCaller, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
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
    .meta(
      rest('get', '/admin/mission-templates', {
        id: 'listMissionTemplates',
        tag: 'Templates and series',
        summary: 'List mission templates',
        answer: 'The templates by name, then the starters, which come with Marshal.',
      }),
    )
    .meta(heavy)
    .output(templateList)
    .query(({ ctx }) => listTemplates(ctx.em, ctx.viewer)),

  get: adminProcedure
    .meta(
      rest('get', '/admin/mission-templates/:id', {
        id: 'getMissionTemplate',
        tag: 'Templates and series',
        summary: 'Read a mission template',
        description: 'Aircraft that are no longer offered are left out, and named.',
        refusals: ['MISSION_TEMPLATE_NOT_FOUND'],
      }),
    )
    .input(anyTemplateInput)
    .output(missionTemplate)
    .query(({ ctx, input }) => getTemplate(ctx.em, ctx.viewer, input.id)),

  create: adminProcedure
    .meta(
      rest('post', '/admin/mission-templates', {
        status: 201,
        id: 'createMissionTemplate',
        tag: 'Templates and series',
        summary: 'Keep a mission as a template',
        description: 'An installation can have 2,000 templates.',
        refusals: ['MISSION_NOT_FOUND', 'TEMPLATE_NAME_TAKEN', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(createTemplateInput)
    .output(createdTemplate)
    .mutation(({ ctx, input }) => createTemplate(ctx.em, ctx.viewer, input, keyedCaller(ctx))),

  update: adminProcedure
    .meta(
      rest('put', '/admin/mission-templates/:id', {
        id: 'updateMissionTemplate',
        tag: 'Templates and series',
        summary: 'Rename or overwrite a mission template',
        description: 'Missions and series that were made from it stay as they are.',
        refusals: ['MISSION_TEMPLATE_NOT_FOUND', 'MISSION_NOT_FOUND', 'TEMPLATE_NAME_TAKEN'],
      }),
    )
    .meta(noAccess)
    .input(updateTemplateInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await updateTemplate(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),

  remove: adminProcedure
    .meta(
      rest('delete', '/admin/mission-templates/:id', {
        id: 'deleteMissionTemplate',
        tag: 'Templates and series',
        summary: 'Delete a mission template',
        description: 'Missions and series that were made from it stay as they are.',
        refusals: ['MISSION_TEMPLATE_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(missionTemplateInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await deleteTemplate(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),
});
