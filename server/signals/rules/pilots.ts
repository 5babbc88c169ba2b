/** Events of a pilot's times, status and aircraft, and of the aircraft types of the community. */
import { NOTHING, type Actor, type AuditRecord, type Consequences } from './effects.ts';

interface OfPilot {
  userId: string;
}
interface OfAircraft {
  by: Actor;
  aircraft: { id: string; name: string };
}
/** Of a pilot's list: by the pilot, or by an admin, whose change the audit log has. */
interface OfProficiency extends OfPilot {
  by: { id: string };
  aircraftId: number;
}

export interface PilotEvents {
  /** the week, or an exception to it */
  'times.changed': OfPilot;
  'status.changed': OfPilot;
  /** `isChange`: not to the same level again */
  'proficiency.set': OfProficiency & { level: string; isChange: boolean };
  'proficiency.removed': OfProficiency;
  'aircraft.added': OfAircraft;
  /** @param changes in words */
  'aircraft.changed': OfAircraft & { changes: string };
  'aircraft.switched_on': OfAircraft;
  'aircraft.switched_off': OfAircraft;
  'aircraft.deleted': OfAircraft;
}

const byAdmin = (
  { by, userId, aircraftId }: OfProficiency,
  action: AuditRecord['action'],
  detail = {},
): AuditRecord | null =>
  by.id === userId ? null : { by, action, subject: { type: 'user', id: userId }, detail: { aircraftId, ...detail } };

const aircraftRecord = ({ by, aircraft }: OfAircraft, action: AuditRecord['action'], detail = {}): AuditRecord => ({
  by,
  action,
  subject: { type: 'aircraft', id: aircraft.id },
  detail: { name: aircraft.name, ...detail },
});

/** A seat may now fit the pilot. */
const work = ({ userId }: OfPilot) => [{ backfillPilot: userId }];
/** What the pilot's profile shows. */
const ON_PROFILE = {
  ...NOTHING,
  live: ({ userId }: OfPilot) => [['profile', [userId]] as const],
  discord: ({ userId }: OfPilot) => [{ accounts: [userId] }],
  work,
};
const EVERYWHERE = { ...NOTHING, live: () => ['aircraft' as const] };

export const PILOT_CONSEQUENCES: Consequences<PilotEvents> = {
  // the boards have a forecast
  'times.changed': { ...NOTHING, live: ({ userId }) => [['availability', [userId]], 'missions'], work },
  'status.changed': {
    ...NOTHING,
    live: ({ userId }) => [['status', [userId]], 'missions'],
    discord: ({ userId }) => [{ messages: [userId] }],
    work,
  },
  'proficiency.set': {
    ...ON_PROFILE,
    audit: (event) => (event.isChange ? byAdmin(event, 'proficiency_set', { level: event.level }) : null),
  },
  'proficiency.removed': { ...ON_PROFILE, audit: (event) => byAdmin(event, 'proficiency_removed') },
  'aircraft.added': { ...EVERYWHERE, audit: (event) => aircraftRecord(event, 'aircraft_added') },
  'aircraft.changed': {
    ...EVERYWHERE,
    audit: (event) => aircraftRecord(event, 'aircraft_changed', { changes: event.changes }),
  },
  'aircraft.switched_on': { ...EVERYWHERE, audit: (event) => aircraftRecord(event, 'aircraft_switched_on') },
  'aircraft.switched_off': { ...EVERYWHERE, audit: (event) => aircraftRecord(event, 'aircraft_switched_off') },
  'aircraft.deleted': { ...EVERYWHERE, audit: (event) => aircraftRecord(event, 'aircraft_deleted') },
};
