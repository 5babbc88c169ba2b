/** Presenters: accounts and availability templates as the API returns them. */
import type { AvailabilitySlot, AvailabilityTemplate } from '#server/schema/availability.ts';
import { versionOf } from '#server/schema/base.ts';
import { ANY_AIRCRAFT_ID } from '#shared/limits.ts';
import type { TemplateDto } from '#shared/schemas/availability.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import { ROLES } from '#shared/vocabulary.ts';
import { shownEmail } from './email.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** An account for the API: roles in a fixed order; `email` is '' for an account without an address. */
export function presentUser(user: Viewer): UserDto {
  return {
    id: user.id,
    email: shownEmail(user.email),
    displayName: user.displayName,
    timeZone: user.timeZone,
    roles: ROLES.filter((role) => user.roles.includes(role)),
    approval: user.approval,
    createdAt: user.createdAt.toISOString(),
  };
}

function presentSlot(slot: AvailabilitySlot): TemplateDto['slots'][number] {
  return {
    weekday: slot.weekday,
    startLocal: slot.startLocal,
    endLocal: slot.endLocal,
    aircraftCodeId: slot.aircraft?.id ?? ANY_AIRCRAFT_ID,
    notes: slot.notes ?? null,
  };
}

export function presentTemplate(template: AvailabilityTemplate): TemplateDto {
  const slots = template.slots.getItems().map(presentSlot);
  return {
    id: template.id,
    name: template.name,
    isActive: template.isActive,
    version: versionOf(template.updatedAt),
    slots: slots.toSorted(
      (a, b) =>
        a.weekday - b.weekday || a.startLocal.localeCompare(b.startLocal) || a.aircraftCodeId - b.aircraftCodeId,
    ),
  };
}
