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
  aircraftId,
  count,
  dateInput,
  endTime,
  flagInput,
  idInput,
  localDate,
  optionalText,
  preferredAircraftId,
  rowId,
  safeText,
  versionInput,
  wallTime,
  wallEndInput,
  wallTimeInput,
  weekday,
  wholeNumber,
  zoneName,
} from './common.ts';

export const aircraft = z
  .object({
    id: aircraftId,
    code: z.string().meta({ description: 'Short name.', examples: ['F-16C'] }),
    name: z.string().meta({ description: 'Full name.', examples: ['F-16C Viper'] }),
    seats: z
      .int()
      .min(1)
      .meta({ description: 'Seats in one aircraft of the type.', examples: [1] }),
    roles: z.array(z.enum(MISSION_ROLES)).meta({ description: 'Roles that it can fly.', examples: [['CAP', 'SEAD']] }),
    active: z.boolean().meta({ description: 'False for an aircraft that is no longer offered.' }),
    pilots: count.meta({ description: 'Pilots who list it.', examples: [12] }),
  })
  .meta({ id: 'Aircraft', description: 'A type of aircraft.' });
export type AircraftDto = z.infer<typeof aircraft>;
export const aircraftInput = z.object({
  activeOnly: flagInput
    .optional()
    .meta({ description: 'False to list also aircraft that are no longer offered.', default: true }),
});

export const slotInput = z
  .object({
    weekday: z
      .int({ error: copy.weekdayRange })
      .min(0, copy.weekdayRange)
      .max(6, copy.weekdayRange)
      .meta({ description: 'Weekday from 0 (Sunday) to 6 (Saturday).', examples: [2] }),
    startLocal: wallTimeInput.meta({ description: "Start in the pilot's own time zone." }),
    endLocal: wallEndInput.meta({
      description:
        'End; before the start, it is on the next day. `24:00` and `00:00` are the midnight that ends the day; `00:00` to `24:00` is the whole day.',
      examples: ['22:00'],
    }),
    aircraftCodeId: z
      .int({ error: copy.aircraftPreferenceRequired })
      .min(0, copy.unknownAircraft)
      .max(32_767, copy.unknownAircraft)
      .meta({ description: 'Id of the aircraft that the pilot wants to fly; 0 is any.', examples: [0] }),
    notes: optionalText(NOTES_MAX_LENGTH, { multiline: true }).meta({ description: 'Notes for admins.' }),
  })
  .refine((slot) => slot.startLocal !== slot.endLocal, {
    path: ['endLocal'],
    message: copy.slotWithoutLength,
  })
  .meta({ id: 'SlotInput', description: 'A weekly time at which the pilot can fly. Start and end differ.' });
export type SlotInput = z.infer<typeof slotInput>;

const templateFields = {
  name: safeText(TEMPLATE_NAME_MAX_LENGTH)
    .nullish()
    .transform((name) => name || copy.templateName)
    .meta({ description: 'Name of the template.', default: copy.templateName, examples: ['Winter'] }),
  isActive: z
    .boolean({ error: copy.trueOrFalse })
    .nullish()
    .transform((flag) => flag ?? true)
    .meta({ description: 'True to make it the only active template.', default: true }),
  slots: z
    .array(slotInput, { error: copy.invalidInput })
    .max(7 * SLOTS_PER_DAY_MAX, copy.tooManySlots)
    .refine((slots) => {
      const perDay = new Map<number, number>();
      for (const slotDay of slots.map((one) => one.weekday)) perDay.set(slotDay, (perDay.get(slotDay) ?? 0) + 1);
      return [...perDay.values()].every((slotCount) => slotCount <= SLOTS_PER_DAY_MAX);
    }, copy.tooManySlots)
    .meta({ description: 'The week. At most 12 slots start on one day.' }),
};

export const templateForm = z.object(templateFields);
export const templatesInput = z.object({ id: idInput });
const seenWeek = versionInput.nullish().meta({
  description:
    'Version of the active template that was changed, null if there was none; without it, the active week is replaced whatever it is.',
  examples: ['2026-11-18T09:12:44.017Z'],
});
export const createTemplateInput = z.object({ id: idInput, version: seenWeek, ...templateFields });
export const updateTemplateInput = z.object({
  id: idInput,
  templateId: idInput,
  version: versionInput.optional().meta({
    description: 'Version of the template that was changed; without it, the template is replaced whatever it is.',
    examples: ['2026-11-18T09:12:44.017Z'],
  }),
  ...templateFields,
});
export const removeTemplateInput = z.object({ id: idInput, templateId: idInput });
/** All slots of the active week. */
export const saveWeekInput = z.object({ id: idInput, version: seenWeek, slots: templateFields.slots });

const slot = z
  .object({
    weekday,
    startLocal: wallTime.meta({ description: "Start in the pilot's own time zone." }),
    endLocal: wallTime.meta({ description: 'End; before the start, it is on the next day.', examples: ['22:00'] }),
    aircraftCodeId: preferredAircraftId,
    notes: z
      .string()
      .nullable()
      .meta({ description: 'Notes for admins.', examples: ['Home from work at seven'] }),
  })
  .meta({ id: 'Slot', description: 'A weekly time at which the pilot can fly.' });
export const template = z
  .object({
    id: rowId.meta({ description: 'Id of the template.' }),
    name: z.string().meta({ description: 'Name of the template.', examples: ['Winter'] }),
    isActive: z.boolean().meta({ description: 'True for the template that is in use.' }),
    slots: z.array(slot).meta({ description: 'The week, by weekday and start.' }),
    version: z.string().meta({
      description: 'Version of the template; a save that names an older version is refused.',
      examples: ['2026-11-18T09:12:44.017Z'],
    }),
  })
  .meta({ id: 'Template', description: 'A week of availability.' });
export type TemplateDto = z.infer<typeof template>;
/** Both states of a week whose save was refused because it was saved elsewhere meanwhile. */
export const weekStates = z.object({
  yours: z.array(slot).meta({ description: 'The slots that the request would have stored.' }),
  theirs: template.nullable().meta({ description: 'The week as it is stored; null for none.' }),
});
export type WeekStates = z.infer<typeof weekStates>;

export const windowInput = z.object({
  id: idInput.meta({ description: 'Id of the pilot.' }),
  start: dateInput.optional().meta({ description: 'First date; today by default.' }),
  days: wholeNumber(WINDOW_DAYS.min, WINDOW_DAYS.max, copy.daysRange)
    .optional()
    .meta({ description: 'Number of dates.', default: WINDOW_DAYS.initial }),
});

/** A time that a calendar elsewhere takes away; nothing else about it is known. */
export const busyTime = z
  .object({
    startLocal: wallTime.meta({ description: 'Start on the date.' }),
    endLocal: endTime.meta({ description: 'End on the date; `24:00` is midnight at its end.' }),
  })
  .meta({ id: 'BusyTime', description: "A time at which one of the pilot's calendars says busy." });

/** Slots per local date, `HH:mm` on that date; a slot up to midnight ends at `24:00`. */
export const availabilityWindow = z
  .object({
    timeZone: zoneName,
    days: z
      .array(
        z.object({
          dateLocal: localDate.meta({ description: 'The date.' }),
          slots: z
            .array(
              z.object({
                startLocal: wallTime.meta({ description: 'Start on that date.' }),
                endLocal: endTime.meta({ description: 'End on that date; `24:00` is midnight at its end.' }),
                aircraftCodeId: preferredAircraftId,
                source: z.enum(WINDOW_SOURCES).meta({ description: 'What makes the pilot free.' }),
                notes: z
                  .string()
                  .nullable()
                  .meta({ description: "The pilot's notes.", examples: ['Home from work at seven'] }),
              }),
            )
            .meta({ description: 'Free times of the date, by start.' }),
          busy: z.array(busyTime).meta({
            description:
              "Times of the date that the pilot's calendars take away: the pilot would be free without them.",
          }),
        }),
      )
      .meta({ description: 'The dates in order.' }),
  })
  .meta({ id: 'Window', description: "A pilot's free times by date." });
export type AvailabilityWindowDto = z.infer<typeof availabilityWindow>;

/** A dated exception in the pilot's local time; 00:00 to 00:00 is the whole day, an end before the start is on the next. */
export const override = z
  .object({
    id: rowId.meta({ description: 'Id of the override.' }),
    dateLocal: localDate.meta({ description: 'Date of the exception.' }),
    kind: z.enum(OVERRIDE_KINDS).meta({ description: 'Free at a time that the week does not have, or not free.' }),
    startLocal: wallTime.meta({ description: 'Start; `00:00` to `00:00` is the whole day.' }),
    endLocal: wallTime.meta({ description: 'End; before the start, it is on the next day.', examples: ['22:00'] }),
    aircraftCodeId: preferredAircraftId,
    notes: z
      .string()
      .nullable()
      .meta({ description: 'Notes for admins.', examples: ['Holiday'] }),
  })
  .meta({ id: 'Override', description: "A dated exception from a pilot's week, in the pilot's own time zone." });
export type OverrideDto = z.infer<typeof override>;

const overrideFields = {
  dateLocal: dateInput.meta({ description: 'Date of the exception, or the first of a range. Not in the past.' }),
  untilLocal: dateInput
    .nullish()
    .meta({ description: 'Last date of a range whose days all get the same exception, at most 62 days.' }),
  kind: z
    .enum(OVERRIDE_KINDS, { error: copy.overrideKindRequired })
    .meta({ description: 'Free at a time that the week does not have, or not free.' }),
  startLocal: wallTimeInput.meta({ description: 'Start; `00:00` to `00:00` is the whole day.' }),
  endLocal: wallEndInput
    .transform((time) => (time === '24:00' ? '00:00' : time))
    .meta({
      description:
        'End; before the start, it is on the next day. `24:00` is the midnight that ends the day, like `00:00`.',
      examples: ['22:00'],
    }),
  aircraftCodeId: z
    .int({ error: copy.unknownAircraft })
    .min(0, copy.unknownAircraft)
    .max(32_767, copy.unknownAircraft)
    .nullish()
    .transform((id) => id ?? ANY_AIRCRAFT_ID)
    .meta({
      description: 'Id of the aircraft for `available`; `unavailable` is always for every aircraft.',
      default: ANY_AIRCRAFT_ID,
    }),
  notes: optionalText(NOTES_MAX_LENGTH, { multiline: true }).meta({ description: 'Notes for admins.' }),
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
