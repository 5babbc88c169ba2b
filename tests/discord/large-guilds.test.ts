/** Very large servers and very many: the reports of the bot keep Marshal from nothing else for long. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerCalls, type ServerCalls } from '#bot/server.ts';
import { query, sql } from '#server/schema/query.ts';
import { CHUNK_MAX, type BotGuild, type BotMember } from '#shared/schemas/bot.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { startDiscord, type DiscordWorld } from './given.ts';

const MEMBERS = inDrill(250_000, 5_000);
const GUILDS = inDrill(2_500, 50);
const CHANNELS = 40;
/** The short form makes few requests, beside other tests, so that one slow moment is its p99. */
const HEALTH_MS = inDrill(100, 1_000);
const instanceId = 'large-guilds-test';

let world: DiscordWorld;
let calls: ServerCalls;
beforeAll(async () => {
  world = await startDiscord({ withBot: false });
  calls = createServerCalls(world.service.url, world.service.app.botToken);
});
afterAll(() => world.stop());

const idAt = (kind: number, n: number) => String(BigInt(kind) * 10n ** 17n + BigInt(n));
const guildAt = (n: number): BotGuild => ({
  id: idAt(4, n),
  name: `Wing ${n}`,
  iconUrl: null,
  memberCount: 10,
  canCreateEvents: false,
  canCreateThreads: false,
  locale: 'en-US',
  roles: [],
  systemChannelId: null,
  channels: Array.from({ length: CHANNELS }, (_, c) => ({
    id: idAt(5, n * CHANNELS + c),
    name: `channel-${c}`,
    type: 'text' as const,
    topic: 'Every tasking of the wing',
    position: c,
    isNsfw: false,
    canViewChannel: true,
    canSendMessages: true,
    canEmbedLinks: true,
    isPostable: true,
  })),
});
const memberAt = (n: number): BotMember => ({
  discordUserId: idAt(6, n),
  discordUsername: `pilot.${n}`,
  isBot: false,
  isModerator: false,
  joinedAt: '2026-03-01T12:00:00.000Z',
});

/** Does the work while /healthz is asked all the time. @returns the slowest responses and blocks, in ms */
async function watched(work: () => Promise<void>) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const tookMs: number[] = [];
  const over = new AbortController();
  delay.enable();
  const asking = (async () => {
    while (!over.signal.aborted) {
      const begunMs = performance.now();
      expect((await fetch(`${world.service.url}/healthz`)).status).toBe(200);
      tookMs.push(performance.now() - begunMs);
    }
  })();
  const begunMs = performance.now();
  await work();
  over.abort();
  await asking;
  delay.disable();
  const p99 = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0;
  return {
    seconds: (performance.now() - begunMs) / 1000,
    healthP99: p99,
    blockedP99: delay.percentile(99) / 1e6,
    blockedMost: delay.max / 1e6,
  };
}
const beat = async () => expect((await calls.sync.beat.mutate({ instanceId, state: null })).isActing).toBe(true);

async function report(): Promise<void> {
  for (let at = 0; at < GUILDS; at += CHUNK_MAX.guilds) {
    await beat();
    const guilds = Array.from({ length: Math.min(CHUNK_MAX.guilds, GUILDS - at) }, (_, n) => guildAt(at + n));
    await calls.sync.saveGuilds.mutate({ instanceId, guilds });
  }
  const guildIds = Array.from({ length: GUILDS }, (_, n) => idAt(4, n));
  await calls.sync.reconcile.mutate({ instanceId, shardId: 0, shardCount: 1, guildIds, unavailableIds: [] });
}

async function list(): Promise<void> {
  let after: string | null = null;
  let isNewList = false;
  for (let at = 0; at < MEMBERS; at += CHUNK_MAX.members) {
    await beat();
    const members = Array.from({ length: CHUNK_MAX.members }, (_, n) => memberAt(at + n));
    const through: string | null = at + CHUNK_MAX.members >= MEMBERS ? null : idAt(6, at + CHUNK_MAX.members - 1);
    const part = { instanceId, guildId: idAt(4, 0), total: MEMBERS, after, through, isNewList, members };
    ({ isNewList } = await calls.sync.syncMembers.mutate(part));
    after = through;
  }
}

test(
  `${GUILDS} servers with ${CHANNELS} channels and ${MEMBERS} members become current, twice, while /healthz answers`,
  async () => {
    for (const work of [report, list, report, list]) {
      const figures = await watched(work);
      if (process.env.DRILLS === 'whole') process.stdout.write(`${work.name} ${JSON.stringify(figures)}\n`);
      expect(figures.healthP99).toBeLessThan(HEALTH_MS);
    }
    const [row] = await query<{ guilds: number; channels: number; members: number }>(
      world.service.app.orm.em.fork(),
      sql`select (select count(*)::int from guild where status = 'active') as guilds,
                 (select count(*)::int from guild_channel) as channels,
                 (select count(*)::int from guild_member where left_at is null) as members`,
    );
    expect(row).toEqual({ guilds: GUILDS, channels: GUILDS * CHANNELS, members: MEMBERS });
  },
  inDrill(600_000, 60_000),
);
