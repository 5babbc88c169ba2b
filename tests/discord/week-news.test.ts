/** A week that is published together: one message for each pilot who wants news, and one notification. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelMission } from '#server/missions/mission-cancel.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { givenDevice, startPushService, type PushService } from '#tests/harness/push-service.ts';
import { vipers } from '#tests/harness/seats.ts';
import { nothingLeft } from './cards.ts';
import { givenDiscordGuild, givenLinkedPilot, startDiscord, type DiscordWorld } from './given.ts';
import { textOf } from './read.ts';

let push: PushService;
let world: DiscordWorld;
let admin: Person;
let guildId: string;
beforeAll(async () => {
  push = await startPushService();
  world = await startDiscord({ withJobs: true, env: { PUSH_EXTRA_ORIGINS: push.origin } });
  admin = await givenAdmin(world.service);
  ({ id: guildId } = await givenDiscordGuild(world));
});
afterAll(async () => {
  await world.stop();
  await push.stop();
});

const em = () => world.service.app.orm.em.fork();

async function givenReader() {
  const pilot = await givenLinkedPilot(world, guildId);
  const device = givenDevice(push);
  expect((await pilot.client.call('POST', '/pilot/push/subscriptions', device.subscription)).status).toBe(201);
  await query(em(), sql`update app_user set wants_global_events = true where id = ${pilot.id}`);
  return { ...pilot, notifications: device.messages };
}

const draft = async (name: string, hours: number) =>
  (
    await givenMission(world.service, admin, {
      name,
      publish: false,
      startLocal: hoursFromNow(hours),
      endLocal: hoursFromNow(hours + 2),
      aircraftSlots: vipers(2),
    })
  ).mission.id;

const publish = async (missionIds: string[]) => {
  const { status } = await admin.client.call('POST', '/admin/missions/publish-week', { missionIds });
  expect(status).toBe(200);
  await nothingLeft(world);
};

const messages = ({ discordUserId }: { discordUserId: string }) =>
  world.emulator.directMessages(discordUserId).map(textOf);

/** All jobs that send notifications have run. */
const allPushed = () =>
  expect
    .poll(
      () =>
        query(
          em(),
          sql`select task_identifier, attempts, last_error from graphile_worker.jobs where task_identifier like '%news_push%'`,
        ),
      {
        timeout: 20_000,
      },
    )
    .toEqual([]);

test('a published week is one message and one notification, which follow its missions and leave out those that the pilot flies', async () => {
  const reader = await givenReader();
  const flier = await givenReader();
  const first = await draft('Op Monday', 30);
  const second = await draft('Op Tuesday', 54);
  await givenAlwaysFree(world.service, flier.id, 2);
  await publish([second, first]);
  await allPushed();

  const [news, ...others] = messages(reader);
  expect(others).toEqual([]);
  expect(news).toContain('2 open missions');
  expect(news?.indexOf('Op Monday')).toBeLessThan(news?.indexOf('Op Tuesday') ?? 0);
  expect(messages(flier).filter((text) => text.includes('open mission'))).toEqual([]);
  const sent = reader.notifications();
  expect(sent).toEqual([expect.objectContaining({ title: '2 open missions', url: '/missions' })]);
  expect(sent[0]?.body).toMatch(/^Op Monday, .+\nOp Tuesday, /);

  await editMission(admin, first, { name: 'Op Monday Moved' });
  await nothingLeft(world);
  await cancelMission(em(), admin, second, new Date());
  await nothingLeft(world);
  expect(messages(reader)).toHaveLength(1);
  expect(messages(reader)[0]).toMatch(/1 open mission\b[^]*Op Monday Moved[^]*~~\*\*Op Tuesday\*\*~~ Cancelled/);
  await cancelMission(em(), admin, first, new Date());
});

test('a mission that is published alone is a notification of its own, and a job that runs again sends none', async () => {
  const reader = await givenReader();
  const alone = await draft('Op Alone', 30);
  await publish([alone]);
  await allPushed();
  await query(
    em(),
    sql`select graphile_worker.add_job('queue_news_pushes', json_build_object('missionIds', json_build_array(${alone}::text)))`,
  );
  await allPushed();
  const sent = reader.notifications();
  expect(sent).toEqual([
    expect.objectContaining({ title: 'Open mission: Op Alone', url: `/missions/${alone}`, tag: `news-${alone}` }),
  ]);
  expect(messages(reader)).toEqual([expect.stringContaining('Open mission: Op Alone')]);
});
