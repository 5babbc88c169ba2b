/** Weekly templates, expanded windows, aircraft. */
import { z } from 'zod';
import { copy } from '#shared/copy.ts';
import { NOTES_MAX_LENGTH, SLOTS_PER_DAY_MAX, TEMPLATE_NAME_MAX_LENGTH, WINDOW_DAYS } from '#shared/limits.ts';
import { MISSION_ROLES, WINDOW_SOURCES } from '#shared/vocabulary.ts';
import { dateInput, flagInput, idInput, optionalText, safeText, wallTimeInput, wholeNumber } from './common.ts';

export const aircraft = z.object({
  id: z.number(),
  code: z.string(),
  name: z.string(),
  seats: z.number(),
  roles: z.array(z.enum(MISSION_ROLES)),
  active: z.boolean(),
});
export type AircraftDto = z.infer<typeof aircraft>;
export const aircraftInput = z.object({ activeOnly: flagInput.optional() });

export const slotInput = z
  .object({
    weekday: z.int({ error: copy.weekdayRange }).min(0, copy.weekdayRange).max(6, copy.weekdayRange),
    startLocal: wallTimeInput,
    endLocal: wallTimeInput,
    /** 0 is any aircraft; leaving it out is not a preference. */
    aircraftCodeId: z
      .int({ error: copy.aircraftPreferenceRequired })
      .min(0, copy.unknownAircraft)
      .max(32_767, copy.unknownAircraft),
    notes: optionalText(NOTES_MAX_LENGTH, { multiline: true }),
  })
  .refine((slot) => slot.startLocal !== slot.endLocal, {
    path: ['endLocal'],
    message: copy.slotWithoutLength,
  });
export type SlotInput = z.infer<typeof slotInput>;

const templateFields = {
  name: safeText(TEMPLATE_NAME_MAX_LENGTH)
    .nullish()
    .transform((name) => name || copy.templateName),
  isActive: z
    .boolean({ error: 'Please give true or false' })
    .nullish()
    .transform((flag) => flag ?? true),
  slots: z
    .array(slotInput, { error: copy.invalidInput })
    .max(7 * SLOTS_PER_DAY_MAX, copy.tooManySlots)
    .refine((slots) => {
      const perDay = new Map<number, number>();
      for (const { weekday } of slots) perDay.set(weekday, (perDay.get(weekday) ?? 0) + 1);
      return [...perDay.values()].every((count) => count <= SLOTS_PER_DAY_MAX);
    }, copy.tooManySlots),
};

export const templateForm = z.object(templateFields);
export const templatesInput = z.object({ id: idInput });
export const createTemplateInput = z.object({ id: idInput, ...templateFields });
export const updateTemplateInput = z.object({
  id: idInput,
  templateId: idInput,
  ...templateFields,
});

const slot = z.object({
  weekday: z.number(),
  startLocal: z.string(),
  endLocal: z.string(),
  aircraftCodeId: z.number(),
  notes: z.string().nullable(),
});
export const template = z.object({
  id: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  slots: z.array(slot),
});
export type TemplateDto = z.infer<typeof template>;

export const windowInput = z.object({
  id: idInput,
  start: dateInput.optional(),
  days: wholeNumber(WINDOW_DAYS.min, WINDOW_DAYS.max, copy.daysRange).optional(),
});

/** A slot's times lie on that date; one that ends at midnight ends '24:00'. */
export const availabilityWindow = z.object({
  timeZone: z.string(),
  days: z.array(
    z.object({
      dateLocal: z.string(),
      slots: z.array(
        z.object({
          startLocal: z.string(),
          endLocal: z.string(),
          aircraftCodeId: z.number(),
          source: z.enum(WINDOW_SOURCES),
          notes: z.string().nullable(),
        }),
      ),
    }),
  ),
});
export type AvailabilityWindowDto = z.infer<typeof availabilityWindow>;
