/** A Discord server of the cluster's community: cards of missions that are published meanwhile, and the one bot that answers. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import { connect } from '#server/schema/orm.ts';
import { withSql } from '#tests/harness/database-digest.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { hoursFromNow } from '#tests/harness/given.ts';
import type { Client } from '#tests/harness/service.ts';
import { insist } from '#tests/faults/answering.ts';
import { passMinute } from '#tests/faults/senders.ts';
import type { Cluster } from './cluster.ts';
import { HOST_ADDRESS, type Machine } from './machines.ts';

/** A bot that was killed has its lease for a while, and the next one has to connect. */
const WAIT = { timeout: 120_000, interval: 100 } as const;
/** A killed server keeps its jobs for two minutes at most: a lock counts as stale after a minute, and stale locks are removed once a minute. */
const ONCE = { ...WAIT, timeout: 180_000 } as const;
const EVERY_MS = 1_000;
/** Frees the jobs of lost connections at once in the short form; in the whole one the time that it takes is real. */
const isHurried = inDrill(0, 1) === 1;

export interface Squadron {
  /** settings of the servers that connect them with it */
  env: Record<string, string>;
  /** Wait for the bot, accept its server, and choose the channel for the cards of missions. */
  setUp: (admin: Client) => Promise<void>;
  /** Publishes a mission each second, and repeats a request without an answer under its key. @returns how many */
  publishUntil: (admin: Client, isOver: () => boolean) => Promise<number>;
  /** The machine whose bot acts. */
  findBot: (cluster: Cluster) => Promise<Machine>;
  /** One card for each published mission, one connection, and one answer to a command. */
  expectOnce: (cluster: Cluster) => Promise<void>;
  stop: () => Promise<void>;
}

/** The cluster's network must exist. */
export async function startSquadron(): Promise<Squadron> {
  const emulator = await startEmulator({ host: HOST_ADDRESS });
  const guild = emulator.addGuild({
    name: 'Lantern Wing',
    channels: [{ name: 'general' }, { name: 'missions' }],
    roles: [{ name: 'staff', permissions: 1n << 5n }],
  });
  const manager = emulator.addMember(guild.id, { username: 'quartermaster', roles: [guild.roleIds['staff'] ?? ''] });
  const channelId = guild.channelIds['missions'] ?? '';
  const missionIds: string[] = [];

  const cardsOf = (missionId: string) =>
    emulator.messages(channelId).filter(({ components }) => JSON.stringify(components).includes(missionId));
  const callbacksOf = (interactionId: string) =>
    emulator.requests.filter(({ path }) => path.startsWith(`/interactions/${interactionId}/`));

  return {
    env: { DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.apiUrl },
    async setUp(admin) {
      await vi.waitFor(async () => {
        expect((await admin.call('POST', `/discord/guilds/${guild.id}/accept`)).status).toBe(200);
      }, WAIT);
      await vi.waitFor(async () => {
        const { reply } = await emulator.command(manager, guild.id, 'setup missions', { channel: channelId });
        expect(reply?.content).toContain(`<#${channelId}>`);
      }, WAIT);
    },
    async publishUntil(admin, isOver) {
      const before = missionIds.length;
      while (!isOver()) {
        const key = { 'idempotency-key': randomUUID() };
        const day = 10 + missionIds.length;
        const mission = {
          name: `Op Meanwhile ${missionIds.length}`,
          theater: 'Syria',
          timeZone: 'UTC',
          startLocal: hoursFromNow(day * 24),
          endLocal: hoursFromNow(day * 24 + 3),
          aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
        };
        const { status, body } = await insist(() => admin.call('POST', '/admin/missions', mission, key));
        expect([status, body]).toEqual([201, expect.objectContaining({ issued: expect.anything() as object })]);
        missionIds.push(body.mission.id);
        await pass(EVERY_MS);
      }
      return missionIds.length - before;
    },
    async findBot({ databaseUrl, servers }) {
      const [lease] = await withSql(databaseUrl, (ask) => ask('select holder from bot_lease'));
      const isOf = (pid: number) =>
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`BOT_INSTANCE_ID=${String(lease?.['holder'])}`);
      const machine = servers.find((server) => server.pids().some(isOf));
      if (!machine) throw new Error('no server has the bot');
      return machine;
    },
    async expectOnce({ databaseUrl }) {
      const orm = await connect(databaseUrl);
      await vi.waitFor(async () => {
        if (isHurried) await passMinute({ app: { orm } });
        const counts = missionIds.map((id) => cardsOf(id).length);
        expect(counts).toEqual(missionIds.map(() => 1));
        expect(emulator.connections()).toBe(1);
      }, ONCE);
      await orm.close();
      const { id, reply } = await emulator.command(manager, guild.id, 'help');
      expect(reply?.ephemeralFor).toBe(manager);
      expect(callbacksOf(id)).toHaveLength(1);
      expect(emulator.violations).toEqual([]);
    },
    stop: () => emulator.stop(),
  };
}
