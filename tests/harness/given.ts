/** Helpers that create pilots, admins and missions through the real services, in one line of a test each. */
import { argon2Sync } from 'node:crypto';
import type { z } from 'zod';
import { createTemplate } from '#server/availability/availability.ts';
import { createMission } from '#server/missions/missions.ts';
import { User } from '#server/schema/user.ts';
import { newId } from '#server/schema/base.ts';
import { emailKey } from '#server/accounts/email.ts';
import { viewerOf, type Viewer } from '#server/platform/viewer.ts';
import { createMissionInput, type CreatedMissionDto } from '#shared/schemas/missions.ts';
import type { Role } from '#shared/vocabulary.ts';
import { createClient, type Client, type Service } from './service.ts';
import { PASSWORD } from './watched-log.ts';

export { PASSWORD };

export interface Person extends Viewer {
  client: Client;
}

/** A password hash of the lowest cost, so that signing in takes almost no time. Registration creates hashes of full cost. */
export function cheapHash(password: string): string {
  const nonce = Buffer.alloc(16, 'salt');
  const tag = argon2Sync('argon2id', {
    message: Buffer.from(password),
    nonce,
    memory: 8,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(tag)}`;
}
/** Computed once for all accounts. */
const PASSWORD_HASH = cheapHash(PASSWORD);

let count = 0;

/** An account with a session; its client is signed in. */
export async function givenPerson(
  service: Service,
  { roles = ['user'], timeZone = 'UTC', displayName }: { roles?: Role[]; timeZone?: string; displayName?: string } = {},
): Promise<Person> {
  count += 1;
  const email = `pilot-${count}@example.org`;
  const em = service.app.orm.em.fork();
  const user = em.create(User, {
    id: newId(),
    email,
    emailKey: emailKey(email),
    displayName: displayName ?? `Pilot ${count}`,
    timeZone,
    roles,
    passwordHash: PASSWORD_HASH,
  });
  await em.flush();
  const client = createClient(service);
  const { status } = await client.call('POST', '/auth/login', { email, password: PASSWORD });
  if (status !== 200) throw new Error(`sign-in of ${email} answered ${status}`);
  return { ...viewerOf(user), client };
}

export const givenAdmin = (service: Service, timeZone = 'UTC'): Promise<Person> =>
  givenPerson(service, { roles: ['admin', 'user'], displayName: 'Ops', timeZone });

/** All day, every day, in any aircraft or the one named. */
export async function givenAlwaysFree(service: Service, pilotId: string, aircraftCodeId = 0): Promise<void> {
  await createTemplate(service.app.orm.em.fork(), {
    id: pilotId,
    name: 'Always',
    isActive: true,
    slots: Array.from({ length: 7 }, (_, weekday) => [
      { weekday, startLocal: '00:00', endLocal: '12:00', aircraftCodeId, notes: null },
      { weekday, startLocal: '12:00', endLocal: '00:00', aircraftCodeId, notes: null },
    ]).flat(),
  });
}

/** Wall time in UTC a number of hours from now, on a whole minute: 'YYYY-MM-DDTHH:mm'. */
export function hoursFromNow(hours: number, now = new Date()): string {
  return new Date(now.getTime() + hours * 3_600_000).toISOString().slice(0, 16);
}

export type MissionRequest = Partial<z.input<typeof createMissionInput>>;

/** A mission of one F-16C CAP seat, 30 h from now, unless said otherwise. Times are UTC. */
export async function givenMission(
  service: Service,
  admin: Viewer,
  request: MissionRequest = {},
  now = new Date(),
): Promise<CreatedMissionDto> {
  const em = service.app.orm.em.fork();
  const input = createMissionInput.parse({
    name: 'Op Iron Hound',
    theater: 'Syria',
    startLocal: hoursFromNow(30, now),
    endLocal: hoursFromNow(33, now),
    timeZone: 'UTC',
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
    ...request,
  });
  return createMission(em, admin, input, null, now);
}
