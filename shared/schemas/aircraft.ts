/** Schemas of the aircraft types that admins manage. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { AIRCRAFT } from '#shared/limits.ts';
import { MISSION_ROLES } from '#shared/vocabulary.ts';
import { aircraft } from './availability.ts';
import { aircraftId, count, safeText } from './common.ts';

const required = (max: number, missing: string) => safeText(max, { missing }).refine((text) => text !== '', missing);

const aircraftFields = {
  code: required(AIRCRAFT.codeLength, copy.aircraftCodeRequired).meta({
    description: "Short name, such as the game's name of the type. No two types have the same one.",
    examples: ['Bf-109K-4'],
  }),
  name: required(AIRCRAFT.nameLength, copy.aircraftNameRequired).meta({
    description: 'Full name. No two types have the same one.',
    examples: ['Bf 109 K-4 Kurfürst'],
  }),
  seats: z
    .int({ error: copy.aircraftSeatsRange })
    .min(1, copy.aircraftSeatsRange)
    .max(AIRCRAFT.seatsMax, copy.aircraftSeatsRange)
    .meta({
      description: 'Crew seats in one aircraft of the type. A mission has one pilot for each aircraft.',
      examples: [1],
    }),
  roles: z
    .array(z.enum(MISSION_ROLES, { error: copy.aircraftRolesFromList }), { error: copy.aircraftRolesFromList })
    .min(1, copy.aircraftRolesRequired)
    .max(MISSION_ROLES.length, copy.aircraftRolesFromList)
    .transform((roles) => MISSION_ROLES.filter((role) => roles.includes(role)))
    .meta({
      description: 'Roles that it usually flies: suggestions for the mission form, not a rule.',
      examples: [['CAP', 'Intercept']],
    }),
};
export const createAircraftInput = z
  .object(aircraftFields)
  .meta({ id: 'CreateAircraft', description: 'An aircraft type to add.' });
export type CreateAircraftInput = z.infer<typeof createAircraftInput>;

const aircraftTypeId = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value),
    z.int({ error: copy.unknownAircraft }).min(1, copy.unknownAircraft).max(32_767, copy.unknownAircraft),
  )
  .meta({ description: 'Id of the aircraft type.', examples: [1001] });

export const updateAircraftInput = z
  .object({
    id: aircraftTypeId,
    ...aircraftFields,
  })
  .meta({ id: 'UpdateAircraft', description: 'An aircraft type with its changes.' });
export type UpdateAircraftInput = z.infer<typeof updateAircraftInput>;

export const offerAircraftInput = z
  .object({
    ids: z
      .array(aircraftTypeId, { error: copy.unknownAircraft })
      .min(1, copy.aircraftTypesRequired)
      .max(AIRCRAFT.switchedMax, copy.aircraftTypesTooMany)
      .meta({ description: 'Ids of the types.', examples: [[18, 19]] }),
    active: z.boolean({ error: copy.trueOrFalse }).meta({
      description: 'True to offer them, false to offer them no longer. Missions and lists that have them keep them.',
    }),
  })
  .meta({ id: 'OfferAircraft', description: 'Aircraft types to switch on or off.' });
export type OfferAircraftInput = z.infer<typeof offerAircraftInput>;

export const aircraftTypeInput = z.object({ id: aircraftTypeId });

export const aircraftType = aircraft
  .extend({
    id: aircraftId,
    isOwn: z.boolean().meta({ description: "True for a type of the community's own, false for one of the catalogue." }),
    pilots: count.meta({ description: 'Pilots who list it.', examples: [12] }),
    missions: count.meta({ description: 'Missions with it that have not ended.', examples: [1] }),
  })
  .meta({ id: 'AircraftType', description: 'An aircraft type as admins manage it.' });
export type AircraftTypeDto = z.infer<typeof aircraftType>;
