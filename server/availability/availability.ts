/** Weekly availability templates, and the dated windows that follow from them. */
import type { z } from 'zod';
import { Aircraft } from '#server/schema/aircraft.ts';
import { nextVersionAt, versionOf } from '#server/schema/base.ts';
import { db } from '#server/schema/database.ts';
import { AvailabilitySlot, AvailabilityTemplate } from '#server/schema/availability.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { normalizeSlots, splitByDay, timesOnDate, type WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import { dayBounds, listDates, localDate } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { ANY_AIRCRAFT_ID, OWNED_MAX, WINDOW_DAYS, YEARS } from '#shared/limits.ts';
import type {
  AvailabilityWindowDto,
  createTemplateInput,
  removeTemplateInput,
  saveWeekInput,
  SlotInput,
  TemplateDto,
  updateTemplateInput,
  windowInput,
} from '#shared/schemas/availability.ts';
import { emit } from '#server/signals/emit.ts';
import { findAircraft } from '#server/accounts/pilots/aircraft.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { loadWithBusy } from './presences.ts';
import { presentTemplate } from '#server/accounts/present.ts';
import { findUser, lockUser } from '#server/accounts/users.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** A pilot's templates, the active one first. Accounts from before the cap may have more, which are not listed. */
export async function listTemplates(em: Em, userId: string): Promise<TemplateDto[]> {
  await findUser(em, userId);
  const templates = await em.find(
    AvailabilityTemplate,
    { user: userId },
    { populate: ['slots'], orderBy: { isActive: 'desc', createdAt: 'asc', id: 'asc' }, limit: OWNED_MAX.templates },
  );
  return templates.map(presentTemplate);
}

/** A stored slot is shorter than a day, so one of 24 hours becomes two that touch. */
function splitWholeDay(slot: SlotInput): SlotInput[] {
  const isWhole = slot.startLocal === '00:00' && slot.endLocal === '24:00';
  return isWhole
    ? [
        { ...slot, endLocal: '12:00' },
        { ...slot, startLocal: '12:00' },
      ]
    : [slot];
}

/** The slots as they are stored: those that overlap merged. 400 for unknown aircraft. */
async function weeklyOf(tx: Em, slots: readonly SlotInput[]): Promise<WeeklySlot[]> {
  await findAircraft(
    tx,
    slots.map((slot) => slot.aircraftCodeId).filter((aircraftId) => aircraftId !== ANY_AIRCRAFT_ID),
    (id) => `slots.${slots.findIndex((slot) => slot.aircraftCodeId === id)}.aircraftCodeId`,
  );
  return normalizeSlots(
    slots.flatMap(splitWholeDay).map(({ aircraftCodeId, ...slot }) => ({
      ...slot,
      aircraftId: aircraftCodeId === ANY_AIRCRAFT_ID ? null : aircraftCodeId,
    })),
  );
}

/** Replace the template's slots. */
function replaceSlots(tx: Em, template: AvailabilityTemplate, weekly: readonly WeeklySlot[]): void {
  template.slots.removeAll();
  for (const { aircraftId, ...slot } of weekly) {
    tx.create(AvailabilitySlot, {
      ...slot,
      template,
      aircraft: aircraftId === null ? null : tx.getReference(Aircraft, aircraftId),
    });
  }
}

const findActive = (tx: Em, userId: string) =>
  tx.findOne(AvailabilityTemplate, { user: userId, isActive: true }, { populate: ['slots'] });

/**
 * Refuse to replace a week that the caller has not seen, unless it is the same: a request whose answer was lost is repeated.
 * @param seen the version that the caller saw, null for no week; undefined for a caller who does not care
 * @param stored the week that would be replaced
 * @returns true if the week is stored already as it is to be
 * @throws AppError 409 with both states
 */
function requireSeen(
  seen: string | null | undefined,
  stored: AvailabilityTemplate | null,
  weekly: readonly WeeklySlot[],
): boolean {
  if (seen === undefined || seen === (stored && versionOf(stored.updatedAt))) return false;
  const theirs = stored && presentTemplate(stored);
  const yours = weekly.map(({ aircraftId, ...slot }) => ({ ...slot, aircraftCodeId: aircraftId ?? ANY_AIRCRAFT_ID }));
  if (theirs && sameSlots(theirs.slots, yours)) return true;
  throw new AppError('CHANGED', copy.weekChangedMeanwhile, { states: { yours, theirs } });
}

type Slots = TemplateDto['slots'];
const sameSlots = (one: Slots, other: Slots): boolean => {
  const words = (slots: Slots) =>
    slots
      .map((slot) => [slot.weekday, slot.startLocal, slot.endLocal, slot.aircraftCodeId, slot.notes].join('\n'))
      .toSorted();
  return JSON.stringify(words(one)) === JSON.stringify(words(other));
};

/** Deactivate all other templates: at most one is active. */
async function deactivateOthers(tx: Em, userId: string, exceptId: string | null): Promise<void> {
  const active = await tx.find(AvailabilityTemplate, { user: userId, isActive: true });
  for (const { id, updatedAt } of active.filter((one) => one.id !== exceptId)) {
    const changes = { isActive: false, updatedAt: nextVersionAt(updatedAt, new Date()) };
    // written before another one becomes active: two must never be active
    await tx.nativeUpdate(AvailabilityTemplate, { id }, changes);
  }
}

/** @param caller for a request with an Idempotency-Key */
export async function createTemplate(
  em: Em,
  input: z.infer<typeof createTemplateInput>,
  caller?: KeyedCaller,
): Promise<TemplateDto> {
  return transact(em, async (tx) => {
    await lockUser(tx, input.id);
    return onceFor(tx, caller, 'template', input, () => createInside(tx, input));
  });
}

async function createInside(tx: Em, input: z.infer<typeof createTemplateInput>): Promise<TemplateDto> {
  const weekly = await weeklyOf(tx, input.slots);
  const active = input.version === undefined ? null : await findActive(tx, input.id);
  if (input.isActive && requireSeen(input.version, active, weekly) && active) return presentTemplate(active);
  await requireRoom('templates', db(tx).selectFrom('availability_template').where('user_id', '=', input.id));
  if (input.isActive) await deactivateOthers(tx, input.id, null);
  const template = tx.create(AvailabilityTemplate, {
    user: tx.getReference(User, input.id),
    name: input.name,
    isActive: input.isActive,
  });
  replaceSlots(tx, template, weekly);
  emit(tx, { type: 'times.changed', userId: input.id });
  return presentTemplate(template);
}

/** 404 for another pilot's template, 409 for a week that was saved since the version that the caller saw. */
export async function updateTemplate(em: Em, input: z.infer<typeof updateTemplateInput>): Promise<TemplateDto> {
  return transact(em, async (tx) => {
    await lockUser(tx, input.id);
    const template = await tx.findOne(
      AvailabilityTemplate,
      { id: input.templateId, user: input.id },
      { populate: ['slots'] },
    );
    if (!template) throw new AppError('TEMPLATE_NOT_FOUND');
    const weekly = await weeklyOf(tx, input.slots);
    if (input.version !== undefined && input.version !== versionOf(template.updatedAt)) {
      // another template may be the week by now
      requireSeen(input.version, input.isActive ? await findActive(tx, input.id) : template, weekly);
    }
    if (input.isActive) await deactivateOthers(tx, input.id, input.templateId);
    template.name = input.name;
    template.isActive = input.isActive;
    template.updatedAt = nextVersionAt(template.updatedAt, new Date());
    replaceSlots(tx, template, weekly);
    emit(tx, { type: 'times.changed', userId: input.id });
    return presentTemplate(template);
  });
}

/**
 * Save the active week whole; a pilot without an active template gets one. 409 for a week that was saved since the version that the
 * caller saw.
 */
export async function saveWeek(em: Em, { id, slots, version }: z.infer<typeof saveWeekInput>): Promise<TemplateDto> {
  return transact(em, async (tx) => {
    await lockUser(tx, id);
    const weekly = await weeklyOf(tx, slots);
    const active = await findActive(tx, id);
    requireSeen(version, active, weekly);
    if (!active) await requireRoom('templates', db(tx).selectFrom('availability_template').where('user_id', '=', id));
    const template =
      active ??
      tx.create(AvailabilityTemplate, { user: tx.getReference(User, id), name: copy.templateName, isActive: true });
    if (active) template.updatedAt = nextVersionAt(active.updatedAt, new Date());
    replaceSlots(tx, template, weekly);
    emit(tx, { type: 'times.changed', userId: id });
    return presentTemplate(template);
  });
}

/** Remove a template; without an active one the pilot has no weekly availability. 404 for another pilot's template. */
export async function removeTemplate(
  em: Em,
  { id, templateId }: z.infer<typeof removeTemplateInput>,
): Promise<{ success: true }> {
  await transact(em, async (tx) => {
    await lockUser(tx, id);
    const removed = await tx.nativeDelete(AvailabilityTemplate, { id: templateId, user: id });
    if (removed === 0) throw new AppError('TEMPLATE_NOT_FOUND');
    emit(tx, { type: 'times.changed', userId: id });
  });
  return { success: true };
}

/** Dated windows of one pilot in the *viewer's* time zone, by default from today on. */
export async function getWindow(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof windowInput>,
  now: Date,
): Promise<AvailabilityWindowDto> {
  const zone = viewer.timeZone;
  const start = input.start ?? localDate(now.getTime(), zone);
  if (start.startsWith(String(YEARS.max))) throw new AppError('VALIDATION', copy.invalidDate, { field: 'start' });
  const dates = listDates(start, input.days ?? WINDOW_DAYS.initial);
  const first = dayBounds(start, zone);
  const last = dayBounds(dates.at(-1) ?? start, zone);
  const pilot = await loadWithBusy(em, input.id, { startMs: first.startMs, endMs: last.endMs }, now);
  if (!pilot) throw new AppError('USER_NOT_FOUND');
  return {
    timeZone: zone,
    days: splitByDay(pilot.presences, zone, dates).map(({ dateLocal, slots }) => ({
      dateLocal,
      slots: slots.map(({ aircraftId, ...slot }) => ({ ...slot, aircraftCodeId: aircraftId ?? ANY_AIRCRAFT_ID })),
      busy: timesOnDate(pilot.busy, zone, dateLocal),
    })),
  };
}
