/** A Marshal process on a database with a large community, for benchmarks of the whole program. */
import { db } from '#server/schema/database.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { type CrowdPilot, givenSessions } from '#tests/harness/crowd.ts';
import { createTestDatabase, startTestServer } from '#tests/harness/database.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenLargeCommunity } from '#tests/harness/large-community/large-community.ts';
import type { CommunitySize } from '#tests/harness/large-community/shape.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { startMarshal, type MarshalProcess } from './marshal-process.ts';

/** for the roster */
const PATIENCE_MS = 180_000;

export interface LargeMarshal {
  /** serves nobody; for reading and writing the database */
  service: Service;
  admin: Person;
  marshal: MarshalProcess;
  /** Resolves when the process has read its roster, which the first answers of the board wait for. */
  readRoster: () => Promise<void>;
}

/** Fills the database of a service and starts a process on it. */
async function startOn(service: Service, size: CommunitySize, env: Record<string, string>): Promise<LargeMarshal> {
  await givenLargeCommunity(service.databaseUrl, size);
  const admin = await givenAdmin(service);
  const marshal = await startMarshal(service.databaseUrl, { env });
  return {
    service,
    admin,
    marshal,
    async readRoster() {
      const url = `http://127.0.0.1:${marshal.port}/api/v1/admin/dashboard/summary`;
      const until = performance.now() + PATIENCE_MS;
      const read = () => fetch(url, { headers: { cookie: admin.client.cookie() } });
      // a busy machine may need longer than the time limit of one answer
      for (let answer = await read(); answer.status !== 200; answer = await read()) {
        if (answer.status !== 503 || performance.now() > until) throw new Error(`${url} answered ${answer.status}`);
      }
    },
  };
}

/** Sessions for pilots from everywhere in the community. */
export async function givenPages({ service }: LargeMarshal, pages: number): Promise<CrowdPilot[]> {
  const rows = await db(service.app.orm.em.fork())
    .selectFrom('app_user as u')
    .select('u.id')
    .where(isActivePilot('u'))
    .orderBy('u.id')
    .execute();
  const step = Math.floor(rows.length / pages);
  const chosen = rows.filter((_, index) => index % step === 0).slice(0, pages);
  return givenSessions(
    service,
    chosen.map(({ id }) => id),
  );
}

/** Starts a database server and such a process, measures, and stops both. @param env settings of the process */
export async function withLargeMarshal<Measured>(
  size: CommunitySize,
  measure: (large: LargeMarshal) => Promise<Measured>,
  env: Record<string, string> = {},
): Promise<Measured> {
  const stopServer = await startTestServer();
  try {
    const service = await startService({ database: await createTestDatabase() });
    try {
      const large = await startOn(service, size, env);
      try {
        return await measure(large);
      } finally {
        await large.marshal.stop();
      }
    } finally {
      // its connections would keep this process alive
      await service.stop();
    }
  } finally {
    await stopServer();
  }
}
