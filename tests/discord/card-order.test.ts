/** The cards of upcoming missions in a server that chooses its missions channel late: in order of their dates. */
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeNamedLock } from '#server/platform/transaction.queries.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { givenAdmin, givenMission, hoursFromNow } from '#tests/harness/given.ts';
import { actionsOf, nothingLeft, textOf } from './cards.ts';
import { eventually, givenDiscordGuild, startDiscord, type DiscordWorld } from './given.ts';

let world: DiscordWorld;
beforeAll(async () => {
  world = await startDiscord({ withJobs: true, cardPauseMs: 300 });
});
afterAll(() => world.stop());

const fork = () => world.service.app.orm.em.fork();

test('a server gets the cards of upcoming missions by their dates, also when the first takes longest', async () => {
  const admin = await givenAdmin(world.service);
  const guild = await givenDiscordGuild(world, {
    channels: [{ name: 'missions' }],
    roles: [{ name: 'staff', permissions: PermissionFlagsBits.ManageGuild }],
  });
  const manager = world.emulator.addMember(guild.id, {
    username: 'quartermaster',
    roles: [guild.roleIds['staff'] ?? ''],
  });
  const ids = new Map<number, string>();
  for (const hours of [60, 30, 50, 40, 70]) {
    const times = { startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 2) };
    const { mission } = await givenMission(world.service, admin, { name: `Op ${hours}`, ...times });
    ids.set(hours, mission.id);
  }
  await nothingLeft(world);
  const channel = guild.channelIds['missions'] ?? '';
  const cards = () =>
    world.emulator
      .messages(channel)
      .filter((message) => actionsOf(message).includes('take-seat'))
      .map((message) => /Op \d+/.exec(textOf(message))?.[0]);

  await transact(fork(), async (tx) => {
    // something else works on the first mission
    await takeNamedLock(tx, `discord-mission:${ids.get(30)}`);
    await world.emulator.command(manager, guild.id, 'setup missions', { channel });
    // the other worker takes this job after all that it may take before it
    await query(
      fork(),
      sql`select graphile_worker.add_job('sync_discord_week', ${JSON.stringify({ weekId: ids.get(30) })}::json, priority => 30)`,
    );
    await eventually(async () =>
      expect(
        await query(fork(), sql`select 1 from graphile_worker.jobs where task_identifier = 'sync_discord_week'`),
      ).toEqual([]),
    );
  });
  await nothingLeft(world);
  expect(cards()).toEqual(['Op 30', 'Op 40', 'Op 50', 'Op 60', 'Op 70']);
});
