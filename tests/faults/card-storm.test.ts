/**
 * A storm of answers: every pilot of a mission answers within seconds while the senders are killed. Each server has one card,
 * it is edited at most every five seconds, and in the end it says what the database says.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import type { Emulator } from '#tests/discord/emulator/types.ts';
import { givenServer } from '#tests/discord/posts.ts';
import { textOf } from '#tests/discord/read.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, hoursFromNow } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { orderOf, respond } from '#tests/harness/orders.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { createSender, passMinute } from './senders.ts';

const PILOTS = inDrill(64, 24);
const SERVERS = inDrill(3, 2);
const KILLS = inDrill(20, 3);
const STORM_MS = 10_000;
const PAUSE_MS = 5_000;
const SEED = 20_261_123;

let service: Service;
let emulator: Emulator;
beforeAll(async () => {
  [service, emulator] = await Promise.all([startService(), startEmulator()]);
});
afterAll(async () => {
  await service.stop();
  const violations = [...emulator.violations];
  await emulator.stop();
  expect(violations).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** Times at which Discord was asked to post or edit a message in a channel. */
const callsIn = (channelId: string) =>
  emulator.requests
    .filter(({ method, path }) => method !== 'GET' && path.startsWith(`/channels/${channelId}/messages`))
    .map(({ atMs }) => atMs);

test('one card per server, edited at most every five seconds, and true in the end, whatever is killed', async () => {
  const random = seeded(SEED);
  const channels: string[] = [];
  for (let index = 0; index < SERVERS; index += 1) {
    const { id, channels: made } = await givenServer({ service, emulator }, { channels: { missions: 'all' } });
    const channelId = made['missions'] ?? '';
    await rows(sql`update guild set missions_channel_id = ${channelId} where id = ${id}`);
    channels.push(channelId);
  }
  const admin = await givenAdmin(service);
  const pilots = [];
  for (let index = 0; index < PILOTS; index += 1) {
    const pilot = await givenPerson(service, { displayName: `Storm ${index + 1}` });
    await givenAlwaysFree(service, pilot.id);
    pilots.push(pilot);
  }
  const env = { DATABASE_URL: service.databaseUrl, DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.apiUrl };
  const senders = [createSender(env), createSender(env)] as const;
  await Promise.all(senders.map((sender) => sender.start()));
  const { issued, mission } = await givenMission(service, admin, {
    aircraftSlots: vipers(PILOTS),
    startLocal: hoursFromNow(60),
    endLocal: hoursFromNow(63),
  });
  expect(issued.orders).toBe(PILOTS);

  const answers = pilots.map(async (pilot) => {
    await new Promise((resolve) => setTimeout(resolve, random.between(0, STORM_MS)));
    const response = random.pick(['accepted', 'accepted', 'accepted', 'standby', 'declined']);
    expect((await respond(pilot, await orderOf(pilot), response)).status).toBe(200);
  });
  let isOver = false;
  const storm = Promise.all(answers).finally(() => {
    isOver = true;
  });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const asked = emulator.requests.length;
    // the storm is shorter than twenty kills; after it there is still something to send
    if (isOver) await editMission(admin, mission.id, { notes: `Push ${kill}` });
    await emulator.until('Discord is called', () => emulator.requests.length > asked).catch(() => undefined);
    const struck = random.pick(senders);
    await struck.kill();
    await passMinute(service);
    await struck.start();
  }
  await storm;
  await editMission(admin, mission.id, { notes: 'The last word' });
  await vi.waitFor(
    async () => {
      await passMinute(service);
      const waiting = await rows(
        sql`select state from delivery where channel = 'discord' and state in ('queued', 'sending')
            union all select task_identifier from graphile_worker.jobs
              where task_identifier like 'sync_discord%' and run_at <= now()`,
      );
      expect(waiting).toEqual([]);
    },
    { timeout: 90_000, interval: 300 },
  );
  await Promise.all(senders.map((sender) => sender.kill()));

  const held = await rows<{ name: string; rsvp: string }>(
    sql`select u.display_name as name, o.rsvp from seat s
        join frag_order o on o.id = s.order_id join app_user u on u.id = s.pilot_id`,
  );
  const accepted = held.filter(({ rsvp }) => rsvp === 'accepted').map(({ name }) => name);
  for (const channelId of channels) {
    const cards = emulator.messages(channelId);
    expect(cards).toHaveLength(1);
    const words = cards.map(textOf).join('\n');
    expect(words).toContain('The last word');
    const named = [...words.matchAll(/Storm \d+(?! \(asked\))(?!\d)/g)].map(([name]) => name);
    expect(named.toSorted()).toEqual(accepted.toSorted());
    const calls = callsIn(channelId);
    expect(calls.length).toBeGreaterThan(1);
    const gaps = calls.slice(1).map((at, index) => at - (calls[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(PAUSE_MS);
  }
}, 180_000);
