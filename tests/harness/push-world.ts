/** A Marshal with jobs beside a push service, an admin, and pilots whose devices take notifications. */
import { expect } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from './given.ts';
import { callOffMissions, givenPilot, retirePilots } from './orders.ts';
import { givenDevice, startPushService, type Device, type PushService } from './push-service.ts';
import { startService, type Service } from './service.ts';

export interface PushWorld {
  push: PushService;
  service: Service;
  admin: Person;
  rows: <Row>(statement: Parameters<typeof query<Row>>[1]) => Promise<Row[]>;
  /** A pilot whose device takes notifications. */
  givenReachable: () => Promise<{ pilot: Person; device: Device }>;
  /** The jobs that still send. */
  jobs: () => Promise<{ attempts: number }[]>;
  /** All notifications that are due have been sent, or have come to nothing. */
  settled: () => Promise<void>;
  /** Forget what was sent, before a test. */
  forget: () => void;
  /** No pilot and no mission of a test is left for the next one. */
  clear: () => Promise<void>;
  stop: () => Promise<void>;
}

export const subscribe = ({ client }: Person, { subscription }: Pick<Device, 'subscription'>) =>
  client.call('POST', '/pilot/push/subscriptions', subscription);

export const endpointsOf = async ({ client }: Person): Promise<string[]> =>
  (await client.call('GET', '/pilot/push/subscriptions')).body.map(({ endpoint }: { endpoint: string }) => endpoint);

export async function startPushWorld(): Promise<PushWorld> {
  const push = await startPushService();
  const service = await startService({ withJobs: true, env: { PUSH_EXTRA_ORIGINS: push.origin } });
  const rows: PushWorld['rows'] = (statement) => query(service.app.orm.em.fork(), statement);
  const jobs = () =>
    rows<{ attempts: number }>(sql`select attempts from graphile_worker.jobs where task_identifier = 'send_push'`);
  return {
    push,
    service,
    admin: await givenAdmin(service),
    rows,
    async givenReachable() {
      const pilot = await givenPilot(service);
      const device = givenDevice(push);
      expect((await subscribe(pilot, device)).status).toBe(201);
      return { pilot, device };
    },
    jobs,
    settled: () => expect.poll(jobs, { timeout: 20_000, interval: 50 }).toEqual([]),
    forget() {
      push.requests.length = 0;
      push.behave(201);
    },
    async clear() {
      await retirePilots(service);
      await callOffMissions(service);
    },
    async stop() {
      await service.stop();
      await push.stop();
    },
  };
}
