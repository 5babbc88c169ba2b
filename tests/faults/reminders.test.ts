/**
 * Reminders by two processes that are killed at random, while seats are given back, removed, cancelled and moved: what a pilot
 * gets is exactly what a model of the same history expects, once in Discord and once by email.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DiscordAccount } from '#server/schema/guild.ts';
import { query, sql } from '#server/schema/query.ts';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import type { Emulator } from '#tests/discord/emulator/types.ts';
import { givenServer } from '#tests/discord/posts.ts';
import { textOf } from '#tests/discord/read.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { startMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { givenPilot, respond } from '#tests/harness/orders.ts';
import { passTime } from '#tests/harness/reminders.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';
import { createSender, type Sender } from './senders.ts';

const SEED = 20_261_124;
const MISSIONS = inDrill(200, 12);
const KILLS = inDrill(40, 4);
const PILOTS = 5;
const FIRST_START = 26;
const STEP_HOURS = 2;
const LEADS = [24, 1];
/** Starts lie this long after the hours of the model, so that the time that the test takes does not decide what is due. */
const ROOM_HOURS = 0.5;
const HOUR_MS = 3_600_000;

let service: Service;
let emulator: Emulator;
let server: MailServer;
let senders: [Sender, Sender];
let admin: Person;
let guildId: string;
beforeAll(async () => {
  [emulator, server] = await Promise.all([startEmulator({ wideLimits: ['requests'] }), startMailServer()]);
  const env = {
    DISCORD_TOKEN: emulator.token,
    DISCORD_API_URL: emulator.apiUrl,
    SMTP_URL: server.url,
    MAIL_FROM: 'marshal@example.org',
  };
  service = await startService({ env });
  const settings = { DATABASE_URL: service.databaseUrl, PUBLIC_URL: service.url, ...env };
  senders = [createSender(settings), createSender(settings)];
  admin = await givenAdmin(service);
  guildId = (await givenServer({ service, emulator })).id;
}, 120_000);
afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.kill()));
  await service.stop();
  await Promise.all([emulator.stop(), server.stop()]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

interface Linked extends Person {
  discordUserId: string;
}

async function givenLinked(name: string): Promise<Linked> {
  const pilot = await givenPilot(service, 2);
  const discordUserId = emulator.addMember(guildId, { username: name });
  const em = service.app.orm.em.fork();
  em.create(DiscordAccount, { discordUserId, user: pilot.id, username: name, linkedAt: new Date() });
  await em.flush();
  return { ...pilot, discordUserId };
}

/** A mission in the model. Hours are those of the test's clock, which begins at 0. */
interface Flown {
  id: string;
  name: string;
  orderId: string;
  pilot: Linked;
  startHour: number;
  /** since when the seat is held; null when it is not */
  heldSince: number | null;
  /** `start hour:lead` of the reminders that are to have arrived */
  reminded: Set<string>;
}

/** A killed process leaves locked jobs and claimed rows: as if the time had passed after which others take them. */
async function takeOver(): Promise<void> {
  await rows(
    sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour'
        where locked_at < now() - interval '3 seconds'`,
  );
  await rows(
    sql`update delivery set next_attempt_at = now() - interval '1 minute' where next_attempt_at < now() + interval '45 seconds'`,
  );
  await rows(sql`select graphile_worker.add_job('maintenance', job_key => 'maintenance')`);
}

/** Wait until everything that is due has been handed over and delivered. */
async function settle(): Promise<void> {
  let looks = 0;
  await vi.waitFor(
    async () => {
      looks += 1;
      if (looks % 40 === 0) await takeOver();
      const left = await rows(
        sql`select task_identifier as what from graphile_worker.jobs where run_at <= now() and attempts < max_attempts
              and task_identifier not in ('maintenance', 'purge')
            union all select state from delivery where state in ('queued', 'sending')`,
      );
      expect(left).toEqual([]);
    },
    { timeout: 120_000, interval: 50 },
  );
}

/** What the model expects by now: the shortest lead time that has come, for each seat that was held before it came. */
function expectReminders(missions: readonly Flown[], hour: number): void {
  for (const { startHour, heldSince, reminded } of missions) {
    const start = startHour + ROOM_HOURS;
    if (heldSince === null || hour >= start) continue;
    for (const lead of LEADS) {
      const due = start - lead;
      if (heldSince <= due && due <= hour) reminded.add(`${startHour}:${lead}`);
    }
  }
}

test(`${MISSIONS} missions through ${KILLS} kills: each reminder exactly once, and none for a lost seat`, async () => {
  const random = seeded(SEED);
  const pilots: Linked[] = [];
  for (let index = 0; index < PILOTS; index += 1) pilots.push(await givenLinked(`wing-${index}`));
  const begun = new Date(Date.now() + ROOM_HOURS * HOUR_MS);
  const missions: Flown[] = [];
  for (let index = 0; index < MISSIONS; index += 1) {
    const startHour = FIRST_START + index;
    const name = `Op Drill ${String(index).padStart(3, '0')}.`;
    const { mission } = await givenMission(service, admin, {
      name,
      startLocal: hoursFromNow(startHour, begun),
      endLocal: hoursFromNow(startHour + 1, begun),
    });
    const [order] = await rows<{ id: string; pilotId: string }>(
      sql`select id, pilot_id as "pilotId" from frag_order where mission_id = ${mission.id} and status = 'issued'`,
    );
    const pilot = pilots.find(({ id }) => id === order?.pilotId);
    if (!order || !pilot) throw new Error(`Nobody was asked for ${name}`);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    missions.push({ id: mission.id, name, orderId: order.id, pilot, startHour, heldSince: 0, reminded: new Set() });
  }
  // moved after its first reminder and otherwise left alone, so that its pilot is certain to be reminded again
  const [movedOnce] = missions;
  await Promise.all(senders.map((sender) => sender.start()));

  const lastHour = FIRST_START + 2 * MISSIONS + 30;
  const steps = Math.ceil(lastHour / STEP_HOURS);
  let kills = 0;
  for (let step = 1; step <= steps; step += 1) {
    const hour = step * STEP_HOURS;
    await passTime(service, STEP_HOURS * 60);
    const struck: Promise<void>[] = [];
    await rows(sql`select graphile_worker.add_job('send_reminders')`);
    await rows(sql`select graphile_worker.add_job('send_reminders')`);
    if (kills < KILLS && random.chance(0.4)) {
      kills += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, random.between(0, 60));
      });
      const sender = random.pick(senders);
      await sender.kill();
      struck.push(sender.start());
    }
    await Promise.all(struck);
    expectReminders(missions, hour);
    await settle();

    // what happens to a seat before the next step
    const isMove = movedOnce?.startHour === FIRST_START && movedOnce.reminded.size > 0;
    const ahead = missions.filter((one) => one !== movedOnce && one.heldSince !== null && one.startHour > hour + 1);
    const mission = isMove ? movedOnce : ahead[random.between(0, ahead.length - 1)];
    if (!mission) continue;
    const act = isMove
      ? 'move'
      : random.pick(['nothing', 'decline', 'cancel', 'remove', 'move', 'confirm', 'again'] as const);
    const expectDone = ({ status, body }: Answer) =>
      expect(status, `${act} ${mission.name} at hour ${hour}: ${JSON.stringify(body)}`).toBe(200);
    if (act === 'confirm') expectDone(await respond(mission.pilot, { id: mission.orderId }, 'accepted'));
    if (act === 'decline' || act === 'again') {
      expectDone(await respond(mission.pilot, { id: mission.orderId }, 'declined'));
      mission.heldSince = null;
    }
    if (act === 'again') {
      const { status } = await respond(mission.pilot, { id: mission.orderId }, 'accepted');
      // another pilot may have been asked at once
      if (status === 200) mission.heldSince = hour;
    }
    if (act === 'cancel') {
      expectDone(await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`, {}));
      mission.heldSince = null;
    }
    if (act === 'remove') {
      const [seat] = await rows<{ flightId: string }>(
        sql`select flight_id as "flightId" from seat where order_id = ${mission.orderId}`,
      );
      const path = `/admin/missions/${mission.id}/seats/${seat?.flightId}/0?userId=${mission.pilot.id}`;
      expectDone(await admin.client.call('DELETE', path));
      mission.heldSince = null;
    }
    // to an hour that no other mission has; an edit without a change would ask nobody
    const startHour = FIRST_START + MISSIONS + missions.indexOf(mission);
    if (act === 'move' && mission.startHour !== startHour) {
      const at = (more: number) => hoursFromNow(startHour + more - hour, begun);
      const moved = { startLocal: at(0), endLocal: at(1), timeZone: 'UTC' };
      expectDone(await admin.client.call('PUT', `/admin/missions/${mission.id}`, moved));
      mission.startHour = startHour;
      const { status } =
        isMove || random.chance(0.7)
          ? await respond(mission.pilot, { id: mission.orderId }, 'accepted')
          : { status: 0 };
      mission.heldSince = status === 200 ? hour : null;
    }
  }
  await settle();

  const found = missions.map(({ name, pilot }) => {
    const mails = server
      .to(pilot.email)
      .filter(({ parsed }) => parsed.subject?.includes(`${name} starts in`))
      .map(({ parsed }) => parsed.messageId);
    const dms = emulator.directMessages(pilot.discordUserId).filter((dm) => textOf(dm).includes(`Reminder: ${name}`));
    // SMTP alone may repeat an email after a kill, with the same Message-ID
    return { name, dms: dms.length, mails: new Set(mails).size };
  });
  const expected = missions.map(({ name, reminded: { size } }) => ({ name, dms: size, mails: size }));
  expect(found).toEqual(expected);
  expect(kills).toBe(KILLS);
  // the drill must have reminded many, and one of them a day ahead of both starts and an hour ahead of the second
  expect(expected.filter(({ dms }) => dms > 0).length).toBeGreaterThan(MISSIONS / 3);
  expect(expected[0]?.dms).toBe(3);
  expect(emulator.violations).toEqual([]);
}, 1_700_000);
