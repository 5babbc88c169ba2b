/** Schemas of mission templates. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { TEMPLATE_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';
import {
  aircraftId,
  count,
  discordId,
  idInput,
  isoInstant,
  rowId,
  safeText,
  side,
  wallTime,
  zoneName,
} from './common.ts';
import { missionLinks } from './mission-links.ts';
import { secretSides } from './missions.ts';

/** Templates that come with Marshal; they have no row and cannot be changed. */
export const STARTER_IDS = ['starter-training', 'starter-flag', 'starter-strike'] as const;
export type StarterId = (typeof STARTER_IDS)[number];

const templateId = idInput.meta({ description: 'Id of the template.' });
const templateName = safeText(TEMPLATE_NAME_MAX_LENGTH, { missing: copy.missionTemplateNameRequired })
  .refine((name) => name !== '', copy.missionTemplateNameRequired)
  .meta({ description: 'Name of the template, which no other has.', minLength: 1, examples: ['Wednesday strike'] });

export const missionTemplateInput = z.object({ id: templateId });
export const anyTemplateInput = z.object({
  id: z
    .union([idInput, z.enum(STARTER_IDS)], { error: copy.missionTemplateNotFound })
    .meta({ description: 'Id of the template, or of a starter.' }),
});
export const createTemplateInput = z
  .object({
    name: templateName,
    missionId: idInput.meta({ description: 'Id of the mission to keep as a template.' }),
  })
  .meta({ id: 'CreateMissionTemplate', description: 'A mission to keep as a template.' });
export const updateTemplateInput = z
  .object({
    id: templateId,
    name: templateName.optional(),
    missionId: idInput.optional().meta({ description: 'Id of a mission that the template takes over in full.' }),
  })
  .meta({ id: 'UpdateMissionTemplate', description: 'A new name, a new content, or both.' });

const summary = {
  id: z.string().meta({ description: 'Id of the template.', examples: ['starter-training'] }),
  name: z.string().meta({ description: 'Name of the template.', examples: ['Wednesday strike'] }),
  isStarter: z.boolean().meta({ description: 'True for one that comes with Marshal and cannot be changed.' }),
  theater: z.enum(THEATERS).meta({ description: 'Theater of the mission.' }),
  seats: count.meta({ description: 'Seats.', examples: [12] }),
  createdByName: z.string().nullable().meta({ description: 'Name of the admin who saved it; null for a starter.' }),
  updatedAt: isoInstant.nullable().meta({ description: 'Time of its last change; null for a starter.' }),
};
const templateSummary = z
  .object(summary)
  .meta({ id: 'MissionTemplateSummary', description: 'A mission template in a list.' });
export const templateList = z.array(templateSummary);
export type TemplateSummaryDto = z.infer<typeof templateSummary>;

export const missionTemplate = z
  .object({
    ...summary,
    missionName: z.string().meta({ description: 'Name of missions made from it.', examples: ['Iron Anvil'] }),
    startLocal: wallTime.meta({ description: 'Usual start, as a wall time in `timeZone`.' }),
    minutes: z
      .int()
      .min(1)
      .meta({ description: 'Minutes from the start to the end.', examples: [180] }),
    timeZone: zoneName,
    ...eachField(MISSION_TEXT_KEYS, (key) =>
      z
        .string()
        .nullable()
        .meta({ description: `${MISSION_TEXTS[key].words} of the mission, in Markdown; null without any.` }),
    ),
    links: missionLinks,
    guildIds: z
      .array(discordId)
      .nullable()
      .meta({ description: 'Ids of the Discord servers that show the mission; null for all.' }),
    secretSides,
    aircraftSlots: z
      .array(
        z.object({
          aircraftId,
          slotCount: z
            .int()
            .min(1)
            .meta({ description: 'Seats.', examples: [4] }),
          side,
          notes: z.enum(MISSION_ROLES).meta({ description: 'The role.' }),
          additionalNotes: z.string().nullable().meta({ description: 'Notes for the pilots; null without any.' }),
        }),
      )
      .meta({ description: 'Aircraft and seats, without aircraft that are no longer offered.' }),
    missingAircraft: z
      .array(z.string())
      .meta({ description: 'Names of aircraft that are no longer offered.', examples: [['F-14B Tomcat']] }),
  })
  .meta({ id: 'MissionTemplate', description: 'A mission without a date, to create others from.' });
export type MissionTemplateDto = z.infer<typeof missionTemplate>;
export const createdTemplate = z
  .object({ id: rowId.meta({ description: 'Id of the template.' }) })
  .meta({ id: 'CreatedMissionTemplate', description: 'A new template.' });
