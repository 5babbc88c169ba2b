/** Delivery of an announcement with all kinds of faults: it is posted once, or the admin reads the reason. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { query, sql } from '#server/schema/query.ts';
import { givenPostRow } from '#tests/harness/discord-posts.ts';
import { transact } from '#server/schema/transaction.ts';
import { purgePosts } from '#server/discord/posts/posts.ts';
import { enqueueOverdueDeliveries } from '#server/signals/outbox.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import type { FaultSpec } from './emulator/types.ts';
import { startDiscord, type DiscordWorld } from './given.ts';
import {
  age,
  announcementEvents,
  expectAnnouncement,
  givenPost,
  givenPostIn,
  givenServer,
  hurry,
  postsOf,
  type PostRow,
  type Server,
} from './posts.ts';

let world: DiscordWorld;
let admin: Person;
beforeAll(async () => {
  world = await startDiscord({ withBot: false, withJobs: true });
  admin = await givenAdmin(world.service);
});
afterAll(() => world.stop());
afterEach(() => world.emulator.clearFaults());

const WAIT = { timeout: 20_000, interval: 20 };
const SENT = { success: true, errorMessage: null };
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(world.service.app.orm.em.fork(), statement);

const fail = (spec: Omit<FaultSpec, 'path' | 'method'>, method = 'POST') =>
  world.emulator.fail({ method, path: /\/messages$/, ...spec });
const resend = async (server: Server) => {
  const { status, body } = await admin.client.call('POST', `/discord/guilds/${server.id}/registration`, {});
  expect(status).toBe(200);
  return body as { success: boolean; errorMessage: string | null };
};
const ops = ({ channels }: Server): string => channels['ops'] ?? '';
const posted = (server: Server) => world.emulator.messages(ops(server));
const onlyPost = async (server: Server): Promise<PostRow> => {
  const [row, ...others] = await postsOf(world, server.id);
  expect(others).toEqual([]);
  if (!row) throw new Error('There is no row');
  return row;
};
const requestsFor = (server: Server, method: string) =>
  world.emulator.requests.filter((one) => one.method === method && one.path === `/channels/${ops(server)}/messages`);
/** The bot says something else there. */
const say = async (server: Server, content: string) => {
  const { ok } = await fetch(`${world.emulator.apiUrl}/v10/channels/${ops(server)}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bot ${world.emulator.token}`,
      'user-agent': 'DiscordBot (https://marshal.example, 1)',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ content }),
  });
  expect(ok).toBe(true);
};
/** Until the row is so; with `hurrying` no back-off is sat out. */
const until = async (server: Server, state: string, hurrying = true): Promise<PostRow> => {
  await vi.waitFor(async () => {
    const row = await onlyPost(server);
    if (row.state === state) return;
    if (hurrying && row.state === 'queued' && row.attempts > 0) await hurry(world, row);
    expect(row.state).toBe(state);
  }, WAIT);
  return onlyPost(server);
};
const expectPostedOnce = async (server: Server) => {
  const row = await onlyPost(server);
  expect(row).toMatchObject({ state: 'sent', error: null });
  expect(posted(server).map(({ id }) => id)).toEqual([row.messageId]);
  expectAnnouncement(posted(server)[0], row.id);
};

describe('temporary failures are retried, and make one post', () => {
  test.each<[rule: string, fault: Omit<FaultSpec, 'path' | 'method'>]>([
    ['a server error before the post', { kind: 'status', status: 500 }],
    ['a server error after it', { kind: 'status', status: 502, when: 'after' }],
    ['an overload', { kind: 'status', status: 503, code: 130_000 }],
    ['a connection that is cut before the post', { kind: 'drop' }],
    ['one that is cut after it', { kind: 'drop', when: 'after' }],
    ['one cut after it, and a server error on the look back', { kind: 'drop', when: 'after' }],
    ['too many requests', { kind: 'rate limit', retryAfterSeconds: 0.2 }],
  ])('%s', async (rule, fault) => {
    const server = await givenServer(world);
    fail(fault);
    if (rule.endsWith('look back')) fail({ kind: 'status', status: 500 }, 'GET');
    const asked = resend(server);
    await until(server, 'sent');
    expect(await asked).toEqual(SENT);
    await expectPostedOnce(server);
    const nonces = requestsFor(server, 'POST').map(({ body }) => (body as { nonce: string }).nonce);
    expect(new Set(nonces).size).toBe(1);
    expect((await announcementEvents(world, server.id)).map(({ type }) => type)).toEqual([
      'announcement_queued',
      'announcement_sent',
    ]);
  });

  test('rate limits are waited out, and are no failed attempts', async () => {
    const server = await givenServer(world);
    fail({ kind: 'rate limit', retryAfterSeconds: 2.5 });
    await givenPost(world, server.id, ops(server));
    const waits = { state: 'queued', attempts: 0, error: 'Discord is limiting requests.' };
    await vi.waitFor(async () => expect(await onlyPost(server)).toMatchObject(waits), WAIT);
    const { deliveryId } = await onlyPost(server);
    const [job] = await rows<{ wait: number }>(
      sql`select extract(epoch from run_at - now())::float8 as wait from graphile_worker.jobs where key = ${`send_discord:${deliveryId}`}`,
    );
    // its own back-off would be a second and a half at most
    expect(job?.wait).toBeGreaterThan(1.6);
    await until(server, 'sent', false);
    await expectPostedOnce(server);
  });

  test('a message posted by an earlier attempt is adopted, also when Discord has forgotten its nonce', async () => {
    const server = await givenServer(world);
    fail({ kind: 'drop', when: 'after' });
    const id = await givenPost(world, server.id, ops(server));
    await until(server, 'queued', false);
    await vi.waitFor(() => expect(posted(server)).toHaveLength(1), WAIT);
    world.emulator.forgetNonces();
    await age(world, id, 60);
    await until(server, 'sent');
    await expectPostedOnce(server);
    expect(requestsFor(server, 'POST')).toHaveLength(1);
  });

  test('the search for a sent message reads more than one page', async () => {
    const server = await givenServer(world);
    for (const call of ['global', 'POST /channels/{channel_id}/messages']) {
      world.emulator.setRate(call, { count: 1000, perMs: 1000 });
    }
    for (let count = 0; count < 130; count += 1) await say(server, `chatter ${count}`);
    fail({ kind: 'drop', when: 'after' });
    const id = await givenPost(world, server.id, ops(server));
    await vi.waitFor(() => expect(posted(server)).toHaveLength(131), WAIT);
    world.emulator.forgetNonces();
    await age(world, id, 60);
    const { messageId } = await until(server, 'sent');
    expect(messageId).toBe(posted(server)[130]?.id);
    expect(posted(server)).toHaveLength(131);
    expect(requestsFor(server, 'GET').length).toBeGreaterThan(1);
  });

  test('a message with the row id in its text and in no button does not match', async () => {
    const server = await givenServer(world);
    fail({ kind: 'drop' });
    const id = await givenPost(world, server.id, ops(server));
    await vi.waitFor(async () => expect(await onlyPost(server)).toMatchObject({ state: 'queued', attempts: 1 }), WAIT);
    await say(server, `v1:register:${id}`);
    const { messageId } = await until(server, 'sent');
    expect(posted(server)).toHaveLength(2);
    expect(messageId).toBe(posted(server)[1]?.id);
  });

  test('a wrong token keeps waiting messages', async () => {
    const server = await givenServer(world);
    world.emulator.fail({ path: /./, kind: 'status', status: 401 });
    await givenPost(world, server.id, ops(server));
    await vi.waitFor(async () => {
      expect(await onlyPost(server)).toMatchObject({ state: 'queued', error: "Discord refuses the bot's token." });
    }, WAIT);
    await until(server, 'sent');
    await expectPostedOnce(server);
  });
});

describe('permanent failures are recorded at once, with the reason', () => {
  const onlyTry = async (server: Server, sentence: string) => {
    expect(await resend(server)).toEqual({ success: false, errorMessage: sentence });
    expect(await onlyPost(server)).toMatchObject({ state: 'failed', attempts: 1, messageId: null, error: sentence });
    expect(requestsFor(server, 'POST')).toHaveLength(1);
    expect(posted(server)).toEqual([]);
  };
  const channelOf = (server: Server) =>
    rows(
      sql`select is_postable, can_send_messages as send, can_embed_links as embed from guild_channel where id = ${ops(server)}`,
    );

  test.each([
    ['none', 'View Channel', false, false],
    ['embed', 'Send Messages or Embed Links', true, true],
    ['send', 'Send Messages or Embed Links', true, true],
  ] as const)('a channel thought to be open, in which the bot may do %s', async (rights, permission, send, embed) => {
    const server = await givenServer(world, { channels: { ops: rights }, believed: { ops: 'all' } });
    const sentence = `The bot cannot post in #ops. It lacks the permission ${permission}.`;
    await onlyTry(server, sentence);
    expect(await channelOf(server)).toEqual([{ is_postable: false, send, embed }]);
    const { body } = await admin.client.call('GET', `/discord/guilds/${server.id}`);
    expect(body.recentEvents.slice(0, 3)).toMatchObject([
      { eventType: 'announcement_failed', eventData: 'ops', errorMessage: sentence },
      { eventType: 'channel_permissions_changed', eventData: 'ops', errorMessage: sentence },
      { eventType: 'announcement_queued', eventData: 'ops', errorMessage: null },
    ]);
  });

  test('a deleted channel is removed from the list, and is no longer the default', async () => {
    const server = await givenServer(world, { channels: { ops: 'all' }, byDefault: 'ops' });
    world.emulator.deleteChannel(server.id, ops(server));
    await onlyTry(server, '#ops no longer exists.');
    expect(await channelOf(server)).toEqual([]);
    const { body } = await admin.client.call('GET', `/discord/guilds/${server.id}`);
    expect(body.defaultSplashChannelId).toBe(null);
    expect(body.recentEvents.map((one: { eventType: string }) => one.eventType)).toEqual([
      'announcement_failed',
      'default_channel_lost',
      'channel_deleted',
      'announcement_queued',
    ]);
    expect((await resend(server)).errorMessage).toBe('No suitable channel found for posting registration announcement');
  });

  test.each([
    [400, 50_035, 'Discord refused the message as malformed (400, code 50035).'],
    [403, 0, 'Discord refused the post in #ops (403).'],
    [403, 40_333, 'Discord refused the post in #ops (403, code 40333).'],
  ])('a refusal of another kind: %i, %i', async (status, code, sentence) => {
    const server = await givenServer(world);
    fail({ kind: 'status', status, code });
    await onlyTry(server, sentence);
    // the channel is not the cause, and the next message is not delayed
    expect(await channelOf(server)).toMatchObject([{ is_postable: true }]);
    expect(await resend(server)).toEqual(SENT);
    expect(posted(server)).toHaveLength(1);
  });
});

describe('uncertain delivery', () => {
  const HISTORY = { deny: Bits.ReadMessageHistory };
  /** A post whose answer was lost, in a channel whose history the bot cannot read. */
  const lose = async (when: 'before' | 'after'): Promise<{ server: Server; id: string }> => {
    const server = await givenServer(world);
    world.emulator.updateChannel(server.id, ops(server), { overwrites: [{ id: server.id, type: 0, ...HISTORY }] });
    fail({ kind: 'drop', when });
    const id = await givenPost(world, server.id, ops(server));
    await vi.waitFor(async () => expect(await onlyPost(server)).toMatchObject({ state: 'queued', attempts: 1 }), WAIT);
    return { server, id };
  };
  const SENTENCE = `Discord didn't confirm whether the announcement was posted, and the bot cannot read the history of #ops. Please check there. "Send again" posts another one.`;

  test('while Discord knows the nonce, the same post is repeated', async () => {
    const { server } = await lose('after');
    await until(server, 'sent');
    await expectPostedOnce(server);
    expect(requestsFor(server, 'POST')).toHaveLength(2);
  });

  test('later it is uncertain; "Send again" makes another post, which delays no other', async () => {
    const { server, id } = await lose('after');
    await age(world, id, 3);
    world.emulator.forgetNonces();
    const asked = resend(server);
    await until(server, 'uncertain');
    expect(await asked).toEqual({ success: false, errorMessage: SENTENCE });
    expect(posted(server)).toHaveLength(1);
    expect((await announcementEvents(world, server.id)).at(-1)).toEqual({
      type: 'announcement_uncertain',
      data: 'ops',
      error: SENTENCE,
    });
    expect(await resend(server)).toEqual(SENT);
    expect((await postsOf(world, server.id)).map(({ state }) => state)).toEqual(['uncertain', 'sent']);
    expect(posted(server)).toHaveLength(2);
  });

  test('a channel without later posts is certain', async () => {
    const { server, id } = await lose('before');
    await age(world, id, 3);
    world.emulator.forgetNonces();
    await until(server, 'sent');
    await expectPostedOnce(server);
  });

  test('a channel that has closed since leaves the delivery uncertain', async () => {
    const { server } = await lose('after');
    world.emulator.updateChannel(server.id, ops(server), {
      overwrites: [{ id: server.id, type: 0, deny: Bits.ViewChannel }],
    });
    const { error } = await until(server, 'uncertain');
    expect(error).toBe(SENTENCE);
    expect(await rows(sql`select is_postable from guild_channel where id = ${ops(server)}`)).toEqual([
      { is_postable: false },
    ]);
  });
});

describe('forgotten rows', () => {
  test('a row without a job is found again, within the minute', async () => {
    const server = await givenServer(world);
    // as a process that was killed leaves it: marked as being sent, and its job gone
    fail({ kind: 'drop', when: 'after' });
    const id = await givenPost(world, server.id, ops(server));
    await vi.waitFor(async () => expect(await onlyPost(server)).toMatchObject({ state: 'queued', attempts: 1 }), WAIT);
    const [sending] = await rows<{ id: string }>(
      sql`update delivery set state = 'sending', next_attempt_at = now() - interval '1 minute' where post_id = ${id} returning id`,
    );
    await rows(sql`delete from graphile_worker._private_jobs where key = ${`send_discord:${sending?.id}`}`);
    await enqueueOverdueDeliveries(world.service.app.orm.em.fork());
    await until(server, 'sent', false);
    await expectPostedOnce(server);
  });

  test('a server that removed the bot gets nothing more', async () => {
    const server = await givenServer(world);
    fail({ kind: 'drop' });
    await givenPost(world, server.id, ops(server));
    await vi.waitFor(async () => expect(await onlyPost(server)).toMatchObject({ state: 'queued', attempts: 1 }), WAIT);
    await rows(sql`update guild set status = 'disabled' where id = ${server.id}`);
    await until(server, 'dropped');
    expect(posted(server)).toEqual([]);
  });

  test.each([
    [
      'was not taken',
      true,
      'failed',
      "The announcement could not be posted in #ops within 24 hours, so Marshal gave up. Discord refuses the bot's token.",
    ],
    [
      'may have been taken',
      false,
      'uncertain',
      `Discord didn't confirm within 24 hours whether the announcement was posted in #ops. Please check there. "Send again" posts another one.`,
    ],
  ])(
    'an announcement that %s for a day is given up, and the admin reads it',
    async (_how, isUndone, state, sentence) => {
      const server = await givenServer(world);
      const often = { path: /messages$/, times: Infinity };
      world.emulator.fail(isUndone ? { ...often, kind: 'status', status: 401 } : { ...often, kind: 'drop' });
      const id = await givenPost(world, server.id, ops(server));
      await vi.waitFor(async () => expect((await onlyPost(server)).attempts).toBeGreaterThan(0), WAIT);
      await rows(sql`update delivery set created_at = now() - interval '25 hours' where post_id = ${id}`);
      expect(await until(server, state)).toMatchObject({ error: sentence });
      expect(posted(server)).toEqual([]);
      expect((await announcementEvents(world, server.id)).at(-1)).toEqual({
        type: `announcement_${state}`,
        data: 'ops',
        error: sentence,
      });
      world.emulator.clearFaults();
      expect(await resend(server)).toEqual(SENT);
    },
  );

  test('a transaction that is rolled back has no post', async () => {
    const server = await givenServer(world);
    const { orm } = world.service.app;
    await expect(
      transact(orm.em.fork(), async (tx) => {
        await query(tx, sql`update guild set name = 'Never' where id = ${server.id}`);
        await givenPostIn(tx, server.id, ops(server));
        throw new Error('planted');
      }),
    ).rejects.toThrow('planted');
    expect(await postsOf(world, server.id)).toEqual([]);
    const orphans = await rows(
      sql`select key from graphile_worker.jobs where key like 'send_discord:%'
            and not exists (select 1 from delivery where 'send_discord:' || id::text = key)`,
    );
    expect(orphans).toEqual([]);
  });

  test('completed rows are deleted after 90 days, waiting ones are not', async () => {
    const server = await givenServer(world);
    expect(await resend(server)).toEqual(SENT);
    const states = ['sent', 'failed', 'dropped', 'queued', 'uncertain'] as const;
    for (const days of [89, 91]) {
      for (const state of states) {
        const post = { kind: 'registration', dedupeKey: `old:${days}:${state}`, guildId: server.id } as const;
        await rows(givenPostRow({ ...post, state, minutesAgo: days * 24 * 60 }));
      }
    }
    await purgePosts(world.service.app.orm.em.fork());
    const left = await rows<{ key: string }>(
      sql`select dedupe_key as key from discord_post where guild_id = ${server.id} and dedupe_key like 'old:%'`,
    );
    expect(left.map(({ key }) => key).sort()).toEqual(
      [...states.map((state) => `old:89:${state}`), 'old:91:queued'].sort(),
    );
    await rows(sql`delete from discord_post where dedupe_key like 'old:%'`);
  });
});
