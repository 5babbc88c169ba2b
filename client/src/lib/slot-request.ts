/** A visitor's request for a slot on the front page, handed to the registration. Admins read it at /admin/invites. */
import { useLocation } from '@tanstack/react-router';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';

/** The request as the registration needs it. */
export interface SlotRequest {
  callSign: string;
  email: string;
  /** designation of the aircraft, such as `F-16C`; null for another one */
  module: string | null;
  level: ProficiencyLevel;
}

/**
 * Link properties that lead to the registration with the request filled in. The request is in the navigation state, which
 * neither the address nor the server's log shows, and it stays through a reload.
 */
export function registrationLink(slotRequest: SlotRequest) {
  return { to: '/register/account', state: { slotRequest } } as const;
}

/** The request that led to this page, if any. */
export function useSlotRequest(): SlotRequest | undefined {
  return useLocation({ select: ({ state }) => state.slotRequest });
}

/** The requested aircraft in the catalogue, whose names begin with the designation: `F-16C Viper`. */
export function findRequested(
  { module }: { module: string | null },
  catalogue: readonly AircraftDto[],
): AircraftDto | undefined {
  return module === null ? undefined : catalogue.find(({ name }) => name === module || name.startsWith(`${module} `));
}
