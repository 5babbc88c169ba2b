/** Schemas of availability: weekly templates, dated exceptions, expanded windows, and the aircraft list. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import {
  ANY_AIRCRAFT_ID,
  NOTES_MAX_LENGTH,
  OVERRIDE_DAYS_MAX,
  SLOTS_PER_DAY_MAX,
  TEMPLATE_NAME_MAX_LENGTH,
  WINDOW_DAYS,
} from '#shared/limits.ts';
import { MISSION_ROLES, OVERRIDE_KINDS, WINDOW_SOURCES } from '#shared/vocabulary.ts';
import {
  dateInput,
  flagInput,
  idInput,
  optionalText,
  safeText,
  wallEndInput,
  wallTimeInput,
  wholeNumber,
} from './common.ts';

export const aircraft = z
  .object({
    id: z.number(),
    code: z.string(),
    name: z.string(),
    seats: z.number(),
    roles: z.array(z.enum(MISSION_ROLES)),
    active: z.boolean(),
  })
  .meta({ id: 'Aircraft' });
export type AircraftDto = z.infer<typeof aircraft>;
export const aircraftInput = z.object({ activeOnly: flagInput.optional() });

export const slotInput = z
  .object({
    weekday: z.int({ error: copy.weekdayRange }).min(0, copy.weekdayRange).max(6, copy.weekdayRange),
    startLocal: wallTimeInput,
    /** `24:00` and `00:00` are the midnight that ends the day; 00:00 to 24:00 is the whole day. */
    endLocal: wallEndInput,
    /** Id of the preferred aircraft; 0 is any aircraft. Required. */
    aircraftCodeId: z
      .int({ error: copy.aircraftPreferenceRequired })
      .min(0, copy.unknownAircraft)
      .max(32_767, copy.unknownAircraft),
    notes: optionalText(NOTES_MAX_LENGTH, { multiline: true }),
  })
  .refine((slot) => slot.startLocal !== slot.endLocal, {
    path: ['endLocal'],
    message: copy.slotWithoutLength,
  })
  .meta({ id: 'SlotInput' });
export type SlotInput = z.infer<typeof slotInput>;

const templateFields = {
  name: safeText(TEMPLATE_NAME_MAX_LENGTH)
    .nullish()
    .transform((name) => name || copy.templateName),
  isActive: z
    .boolean({ error: copy.trueOrFalse })
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
export const removeTemplateInput = z.object({ id: idInput, templateId: idInput });
/** All slots of the active week. */
export const saveWeekInput = z.object({ id: idInput, slots: templateFields.slots });

const slot = z
  .object({
    weekday: z.number(),
    startLocal: z.string(),
    endLocal: z.string(),
    aircraftCodeId: z.number(),
    notes: z.string().nullable(),
  })
  .meta({ id: 'Slot' });
export const template = z
  .object({
    id: z.string(),
    name: z.string(),
    isActive: z.boolean(),
    slots: z.array(slot),
  })
  .meta({ id: 'Template' });
export type TemplateDto = z.infer<typeof template>;

export const windowInput = z.object({
  id: idInput,
  start: dateInput.optional(),
  days: wholeNumber(WINDOW_DAYS.min, WINDOW_DAYS.max, copy.daysRange).optional(),
});

/** Slots per local date, `HH:mm` on that date; a slot up to midnight ends at `24:00`. */
export const availabilityWindow = z
  .object({
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
  })
  .meta({ id: 'Window' });
export type AvailabilityWindowDto = z.infer<typeof availabilityWindow>;

/** A dated exception in the pilot's local time; 00:00 to 00:00 is the whole day, an end before the start is on the next. */
export const override = z
  .object({
    id: z.string(),
    dateLocal: z.string(),
    kind: z.enum(OVERRIDE_KINDS),
    startLocal: z.string(),
    endLocal: z.string(),
    aircraftCodeId: z.number(),
    notes: z.string().nullable(),
  })
  .meta({ id: 'Override' });
export type OverrideDto = z.infer<typeof override>;

const overrideFields = {
  dateLocal: dateInput,
  /** Last date of a range whose days all get the same exception. */
  untilLocal: dateInput.nullish(),
  kind: z.enum(OVERRIDE_KINDS, { error: copy.overrideKindRequired }),
  startLocal: wallTimeInput,
  /** `24:00` is the midnight that ends the day, like `00:00`. */
  endLocal: wallEndInput.transform((time) => (time === '24:00' ? '00:00' : time)),
  /** Id of the aircraft for an `available` exception; `unavailable` always applies to every aircraft. */
  aircraftCodeId: z
    .int({ error: copy.unknownAircraft })
    .min(0, copy.unknownAircraft)
    .max(32_767, copy.unknownAircraft)
    .nullish()
    .transform((id) => id ?? ANY_AIRCRAFT_ID),
  notes: optionalText(NOTES_MAX_LENGTH, { multiline: true }),
};

const daysBetween = (from: string, until: string) => (Date.parse(until) - Date.parse(from)) / 86_400_000;

function checkOverride(
  form: { dateLocal: string; untilLocal?: string | null | undefined; startLocal: string; endLocal: string },
  { addIssue }: z.RefinementCtx,
): void {
  const fail = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message });
  if (form.startLocal === form.endLocal && form.startLocal !== '00:00') fail('endLocal', copy.slotWithoutLength);
  if (!form.untilLocal) return;
  if (form.untilLocal < form.dateLocal) fail('untilLocal', copy.overrideEndsBeforeStart);
  if (daysBetween(form.dateLocal, form.untilLocal) >= OVERRIDE_DAYS_MAX) fail('untilLocal', copy.overrideTooLong);
}

export const overrideForm = z.object(overrideFields).superRefine(checkOverride);
export const addOverrideInput = z.object({ id: idInput, ...overrideFields }).superRefine(checkOverride);
export const overridesInput = z.object({ id: idInput });
export const removeOverrideInput = z.object({ id: idInput, overrideId: idInput });
