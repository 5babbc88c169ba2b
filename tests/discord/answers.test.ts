/** Frag orders answered in Discord: by the buttons of direct messages, of the inbox, and by /rsvp. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { givenCrowd, givenSharedOffers } from '#tests/harness/crowd.ts';
import { givenAdmin, givenAlwaysFree, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { callOffMissions, givenMissionIn, holds, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { vipers } from '#tests/harness/seats.ts';
import type { StoredMessage } from './emulator/types.ts';
import {
  announceOffers,
  eventually,
  givenDiscordGuild,
  givenLinkedPilot,
  listEvents,
  untilOnRoster,
  startDiscord,
  type DiscordWorld,
} from './given.ts';
import { buttonsOf, linkOf, privateText, textOf } from './read.ts';

let world: DiscordWorld;
let admin: Person;
let guildId: string;
beforeAll(async () => {
  world = await startDiscord({ wideLimits: ['gateway', 'requests'], withJobs: true });
  admin = await givenAdmin(world.service);
  ({ id: guildId } = await givenDiscordGuild(world));
});
afterAll(() => world.stop());
afterEach(async () => {
  await callOffMissions(world.service);
  await retirePilots(world.service);
  expect(await findBreaches(world.service)).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(world.service.app.orm.em.fork(), statement);

type Pilot = Awaited<ReturnType<typeof givenLinkedPilot>>;
type Member = Pick<Pilot, 'discordUserId'>;

/** Waits for the current message of this order. */
async function cardOf({ discordUserId }: Member, orderId: string): Promise<StoredMessage> {
  const find = () =>
    world.emulator
      .directMessages(discordUserId)
      .find((message) => buttonsOf(message).some(({ customId }) => customId?.endsWith(`:${orderId}`) ?? false));
  await world.emulator.until('the order has arrived', () => find() !== undefined);
  const card = find();
  if (!card) throw new Error('no card');
  return card;
}

/** A pilot in Discord with an order for the one seat of a new mission, and its direct message. */
async function givenAsked(hours = 30, displayName?: string) {
  const pilot = await givenLinkedPilot(world, guildId, displayName === undefined ? {} : { displayName });
  // an answer is recorded in the server of which the pilot is a member
  await untilOnRoster(world, pilot.discordUserId);
  await givenAlwaysFree(world.service, pilot.id);
  const { mission } = await givenMissionIn(world.service, admin, hours, { name: `Op *Iron* ${pilot.discordUsername}` });
  const order = await orderOf(pilot);
  return { pilot, mission, order, card: await cardOf(pilot, order.id) };
}

const press = (pilot: Member, message: Pick<StoredMessage, 'id'>, button: string) =>
  world.emulator.press(pilot.discordUserId, message.id, button);
const labelsOf = (message: StoredMessage | null) => buttonsOf(message).map(({ label }) => label);

describe('the buttons of a direct message', () => {
  test('Accept takes the seat, updates the message, and is recorded without private content', async () => {
    const { pilot, order, card } = await givenAsked();
    const outcome = await press(pilot, card, 'Accept');
    expect(outcome.answeredWith).toBe('deferred update');
    expect(outcome.reply?.id).toBe(card.id);
    expect(labelsOf(outcome.reply)).toEqual(['Accepted', 'Standby', 'Give the seat back', 'Open on the site']);
    expect(await read(pilot, order)).toMatchObject({ rsvp: 'accepted' });
    expect(await holds(world.service, order)).toBe(true);
    const event = (await listEvents(world, guildId)).find(({ type }) => type === 'rsvp_from_discord');
    expect(event).toEqual({
      type: 'rsvp_from_discord',
      data: expect.stringMatching(new RegExp(`^${pilot.discordUsername}: FRAG-\\d{3,} accepted$`)),
      error: null,
    });
  });

  test('a seat is given back, and taken again while it is free', async () => {
    const { pilot, order, card } = await givenAsked();
    await press(pilot, card, 'Accept');
    const declined = await press(pilot, card, 'Give the seat back');
    expect(labelsOf(declined.reply)).toEqual(['Declined', 'Accept', 'Standby', 'Open on the site']);
    expect(await holds(world.service, order)).toBe(false);
    expect(labelsOf((await press(pilot, card, 'Accept')).reply)).toContain('Accepted');
    expect(await holds(world.service, order)).toBe(true);
  });

  test('pressed five times at once is one answer', async () => {
    const { pilot, order, card } = await givenAsked();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => press(pilot, card, 'Accept')));
    expect(outcomes.map(({ reply }) => reply?.id)).toEqual(Array.from({ length: 5 }, () => card.id));
    expect(await read(pilot, order)).toMatchObject({ rsvp: 'accepted' });
    const recorded = (await listEvents(world, guildId)).filter(({ data }) =>
      data?.startsWith(`${pilot.discordUsername}:`),
    );
    expect(recorded).toHaveLength(1);
  });

  test('the same answer given several times at the same moment is one line in the events', async () => {
    const em = world.service.app.orm.em.fork();
    const record = () =>
      transact(em.fork(), (tx) => recordGuildEvent(tx, guildId, 'rsvp_from_discord', 'twice: FRAG', null, new Date()));
    await Promise.all(Array.from({ length: 8 }, record));
    expect((await listEvents(world, guildId)).filter(({ data }) => data === 'twice: FRAG')).toHaveLength(1);
  });

  test('an expired order is answered with its sentence, and its message is updated', async () => {
    const { pilot, order, card } = await givenAsked();
    await rows(
      sql`update frag_order set issued_at = issued_at - interval '3 days', expires_at = now() - interval '1 second' where id = ${order.id}`,
    );
    const outcome = await press(pilot, card, 'Accept');
    expect(privateText(outcome, pilot.discordUserId)).toBe('This frag order has expired.');
    expect(linkOf(outcome.reply, 'See open seats').pathname).toBe('/missions');
    await world.emulator.until('the card says so', () =>
      labelsOf(world.emulator.directMessages(pilot.discordUserId).find(({ id }) => id === card.id) ?? null).includes(
        'Expired',
      ),
    );
    expect(await holds(world.service, order)).toBe(false);
  });

  test('standby is refused with its sentence close to the start, and the seat is kept', async () => {
    const { pilot, order, card } = await givenAsked();
    await press(pilot, card, 'Accept');
    await rows(
      sql`update mission set starts_at = now() + interval '5 hours', ends_at = now() + interval '7 hours' where id = ${order.missionId}`,
    );
    await rows(
      sql`update seat set starts_at = m.starts_at, ends_at = m.ends_at from mission m where m.id = mission_id and m.id = ${order.missionId}`,
    );
    const outcome = await press(pilot, card, 'Standby');
    expect(privateText(outcome, pilot.discordUserId)).toBe(
      'Standby is possible until 24 hours before the mission starts.',
    );
    expect(await holds(world.service, order)).toBe(true);
  });

  test('an order that has changed since its message was sent must be read again before it is accepted', async () => {
    const { pilot, order, card } = await givenAsked();
    await rows(
      sql`update frag_order set changed_at = now(), changes = '[{"field": "notes", "from": null, "to": "Bring a wingman"}]'
          where id = ${order.id}`,
    );
    const outcome = await press(pilot, card, 'Accept');
    expect(privateText(outcome, pilot.discordUserId)).toBe(
      'This order has changed in the meantime. Please check it again.',
    );
    const now = () => world.emulator.directMessages(pilot.discordUserId).find(({ id }) => id === card.id) ?? null;
    await world.emulator.until('the card tells of it', () => textOf(now()).includes('Bring a wingman'));
    expect(await read(pilot, order)).toMatchObject({ rsvp: 'pending' });
    expect(labelsOf((await press(pilot, card, 'Accept')).reply)).toContain('Accepted');
    expect(await holds(world.service, order)).toBe(true);
  });

  test('somebody else’s order is not found, whatever the button says', async () => {
    const { order } = await givenAsked();
    const other = await givenLinkedPilot(world, guildId);
    const outcome = await world.emulator.command(other.discordUserId, guildId, 'rsvp', {
      order: order.id,
      response: 'accepted',
    });
    expect(privateText(outcome, other.discordUserId)).toBe('That order is gone or not yours.');
    expect(await rows(sql`select rsvp from frag_order where id = ${order.id}`)).toEqual([{ rsvp: 'pending' }]);
  });

  test('"No more direct messages" turns them off, and /inbox turns them on again', async () => {
    const { pilot, card } = await givenAsked();
    const wants = async () =>
      (
        await rows<{ wants: boolean }>(
          sql`select wants_orders as wants from discord_account where user_id = ${pilot.id}`,
        )
      )[0]?.wants;
    const help = await world.emulator.command(pilot.discordUserId, guildId, 'help');
    const off = await press(pilot, help.reply ?? { id: '' }, 'No more direct messages');
    expect(off.reply?.id).not.toBe(card.id);
    expect(privateText(off, pilot.discordUserId)).toMatch(
      /^Frag orders and reminders no longer reach you as direct messages/,
    );
    expect(await wants()).toBe(false);
    const inbox = await world.emulator.command(pilot.discordUserId, guildId, 'inbox');
    const on = await press(pilot, inbox.reply ?? { id: '' }, 'Send me direct messages');
    expect(labelsOf(on.reply)).toContain('Stop direct messages');
    expect(await wants()).toBe(true);
  });
});

describe('/inbox', () => {
  test('shows pending orders with their buttons, which answer them', async () => {
    const { pilot, order } = await givenAsked();
    const use = () => world.emulator.command(pilot.discordUserId, guildId, 'inbox');
    const { reply } = await use();
    const [label = ''] = /FRAG-\d{3,}/.exec(textOf(reply)) ?? [];
    expect(textOf(reply)).toContain(
      `Waiting for your answer\n**${label}** Op \\*Iron\\* ${pilot.discordUsername}: CAP`,
    );
    expect(labelsOf(reply)).toEqual([
      `Accept ${label}`,
      `Standby ${label}`,
      `Decline ${label}`,
      'Stop direct messages',
      'Open Marshal',
    ]);
    const accepted = await press(pilot, reply ?? { id: '' }, `Accept ${label}`);
    expect(privateText(accepted, pilot.discordUserId)).toContain(
      `No frag orders need your answer.\nYou're flying\n**${label}**`,
    );
    expect(labelsOf(accepted.reply)).toEqual(['Stop direct messages', 'Open Marshal']);
    expect(await holds(world.service, order)).toBe(true);
    // the direct message is updated after answers elsewhere
    const card = () => world.emulator.directMessages(pilot.discordUserId)[0] ?? null;
    await world.emulator.until('the card offers it', () => labelsOf(card()).includes('Give the seat back'));
    await press(pilot, await cardOf(pilot, order.id), 'Give the seat back');
    expect(textOf((await use()).reply)).toBe('You have no frag orders. Missions with open seats: /missions');
  });

  test('with more than four orders says how many more are on the site', async () => {
    const pilot = await givenLinkedPilot(world, guildId);
    await givenAlwaysFree(world.service, pilot.id);
    for (let day = 0; day < 6; day += 1)
      await givenMissionIn(world.service, admin, 30 + 24 * day, { name: `Op ${day}` });
    const { reply } = await world.emulator.command(pilot.discordUserId, guildId, 'inbox');
    expect(textOf(reply)).toContain('… and 2 more on the site');
    expect(labelsOf(reply).filter((label) => label.startsWith('Accept'))).toHaveLength(4);
  });
});

describe('/rsvp', () => {
  const offer = async (pilot: Pilot, text: string) =>
    (await world.emulator.autocomplete(pilot.discordUserId, guildId, 'rsvp', 'order', text)).choices;

  test("suggests the pilot's own orders that can be answered and match the input", async () => {
    const { pilot, order } = await givenAsked();
    const [choice, ...more] = await offer(pilot, '');
    expect(more).toEqual([]);
    expect(choice).toEqual({
      name: expect.stringMatching(
        new RegExp(
          `^FRAG-\\d{3,} · needs your answer · [A-Z][a-z]{2} \\d+ \\d{4}Z · Op \\*Iron\\* ${pilot.discordUsername}$`,
        ),
      ),
      value: order.id,
    });
    expect(await offer(pilot, 'iROn')).toHaveLength(1);
    expect(await offer(pilot, 'nothing like it')).toEqual([]);
    await respond(pilot, order, 'accepted');
    expect((await offer(pilot, ''))[0]?.name).toContain("· you're flying ·");
    await respond(pilot, order, 'declined');
    // the seat can be taken again while it is free
    expect((await offer(pilot, ''))[0]?.name).toContain('· declined ·');
  });

  test('suggests no order of a mission that has started', async () => {
    const { pilot, mission, order } = await givenAsked();
    await respond(pilot, order, 'accepted');
    expect(await offer(pilot, '')).toHaveLength(1);
    await rows(
      sql`with begun as (update mission set starts_at = now() - interval '1 minute', ends_at = now() + interval '2 hours'
                         where id = ${mission.id} returning *)
          update seat s set starts_at = b.starts_at, ends_at = b.ends_at from begun b where s.mission_id = b.id`,
    );
    expect(await offer(pilot, '')).toEqual([]);
  });

  test('answers an order, and can give a seat back', async () => {
    const { pilot, order } = await givenAsked();
    const say = async (response: string) => {
      const values = { order: order.id, response };
      return privateText(await world.emulator.command(pilot.discordUserId, null, 'rsvp', values), pilot.discordUserId);
    };
    expect(await say('accepted')).toMatch(/^You're in: Viper 1, seat 1\. See you there:\n\*\*FRAG-/);
    expect(await holds(world.service, order)).toBe(true);
    expect(await say('declined')).toMatch(/^You declined:/);
    expect(await holds(world.service, order)).toBe(false);
  });

  test('asks again for an order that was typed instead of chosen', async () => {
    const { pilot } = await givenAsked();
    const outcome = await world.emulator.command(pilot.discordUserId, guildId, 'rsvp', {
      order: 'FRAG-001',
      response: 'declined',
    });
    expect(privateText(outcome, pilot.discordUserId)).toBe('Please choose an order from the list.');
  });
});

test('20 pilots press Accept for the last seat at once: one has it, 19 get the sentence that it is taken', async () => {
  const { mission } = await givenMissionIn(world.service, admin, 1, { aircraftSlots: vipers(1) });
  const crowd = await givenCrowd(world.service, 20);
  const members = crowd.map(({ id }, index) => {
    const discordUsername = `racer.${index + 1}`;
    return { id, discordUsername, discordUserId: world.emulator.addMember(guildId, { username: discordUsername }) };
  });
  await rows(
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at, wants_orders)
        select d, u, d, now(), true
        from unnest(${members.map(({ discordUserId }) => discordUserId)}::text[], ${members.map(({ id }) => id)}::uuid[]) as x (d, u)`,
  );
  const orderIds = await givenSharedOffers(world.service, mission.id, crowd);
  await announceOffers(world, mission.id, crowd, orderIds);
  const cards = await Promise.all(members.map((racer, index) => cardOf(racer, orderIds[index] ?? '')));
  const outcomes = await Promise.all(members.map((racer, index) => press(racer, cards[index] ?? { id: '' }, 'Accept')));
  const winners = outcomes.filter(({ reply }) => labelsOf(reply).includes('Accepted'));
  expect(winners).toHaveLength(1);
  const losers = outcomes.filter((outcome) => !winners.includes(outcome));
  expect(new Set(losers.map(({ reply }) => textOf(reply)))).toEqual(
    new Set(['This seat has been taken by another pilot.']),
  );
  const winner = members[outcomes.findIndex((outcome) => winners.includes(outcome))];
  expect(await rows(sql`select pilot_id as pilot from seat where mission_id = ${mission.id}`)).toEqual([
    { pilot: winner?.id },
  ]);
  await eventually(async () => {
    const shown = members.map(
      (racer, index) =>
        labelsOf(
          world.emulator.directMessages(racer.discordUserId).find(({ id }) => id === cards[index]?.id) ?? null,
        )[0],
    );
    expect(shown.filter((label) => label === 'Taken')).toHaveLength(19);
  });
});

test('call signs and mission names with markup or mentions are shown literally, and ping nobody', async () => {
  const evil = '@everyone <@123456789012345678> [x](https://evil.example) ||`# -';
  const { pilot } = await givenAsked(30, evil);
  await givenMissionIn(world.service, admin, 60, { name: evil });
  const texts = await Promise.all(
    ['inbox', 'missions', 'unlink', 'availability'].map(async (name) =>
      privateText(await world.emulator.command(pilot.discordUserId, guildId, name), pilot.discordUserId),
    ),
  );
  await eventually(async () => expect(world.emulator.directMessages(pilot.discordUserId)).toHaveLength(2));
  const messages = world.emulator.directMessages(pilot.discordUserId);
  for (const { mentions, mentionsEveryone } of messages) expect([mentions, mentionsEveryone]).toEqual([[], false]);
  for (const text of [...texts, ...messages.map(textOf)]) {
    expect(text).not.toMatch(/@everyone|<@\d|[^\\]\[x\]|https:\/\/evil/);
  }
  expect(texts.join('\n')).toContain('@\u200beveryone');
});
