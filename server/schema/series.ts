/** Mission templates: missions without a date, kept to create others from. */
import { defineEntity, p } from '@mikro-orm/core';
import { THEATERS, type Theater } from '#shared/vocabulary.ts';
import type { MissionContent } from '#shared/mission-content.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { User } from './user.ts';

export const MissionTemplateSchema = defineEntity({
  name: 'MissionTemplate',
  properties: {
    id: id(),
    name: p.text(),
    theater: p.text().$type<Theater>(),
    seats: p.smallint(),
    /** one value, because it is only read and written as a whole */
    content: p.json<MissionContent>(),
    createdBy: () => p.manyToOne(User),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  // upper and lower case are the same, since people tell templates apart by their names
  indexes: [
    {
      name: 'mission_template_name_key',
      expression: 'create unique index "mission_template_name_key" on "mission_template" (lower("name"))',
    },
  ],
  checks: [{ name: 'mission_template_theater_known', expression: oneOf('theater', THEATERS) }],
});
export class MissionTemplate extends MissionTemplateSchema.class {}
MissionTemplateSchema.setClass(MissionTemplate);
