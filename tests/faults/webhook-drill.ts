/**
 * The webhook drill: changes of missions and answers of a pilot while the receiver is down, slow or failing and the process
 * that sends is killed. What the receiver should have got is written down by the side that makes the changes.
 */
import { query, sql } from '#server/schema/query.ts';
import { WEBHOOK_EVENT_NAMES } from '#shared/webhook-events.ts';
import { expect, vi } from 'vitest';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond } from '#tests/harness/orders.ts';
import type { Random } from '#tests/harness/seeded.ts';
import type { Service } from '#tests/harness/service.ts';
import { startWebhookReceiver, type ReceivedEvent, type WebhookReceiver } from '#tests/harness/webhook-receiver.ts';
import { createSender, type Sender } from './senders.ts';

/** An event in short: its type, and what tells it from others of its mission. */
const wordsOf = ({ type, data }: ReceivedEvent): string => {
  if (type === 'mission.changed') return `${type} ${data.mission.notes}`;
  return type === 'order.answered' ? `${type} ${data.order.rsvp}` : type;
};

export interface WebhookDrill {
  receiver: WebhookReceiver;
  sender: Sender;
  /** Make changes until this many events are expected. */
  change: (events: number, random: Random) => Promise<void>;
  /** Kill the sender `times` times, each in the middle of a request; it is started again each time. */
  strike: (times: number, random: Random, moods: Moods) => Promise<void>;
  /** Wait until nothing is waiting any longer, with a receiver that works. */
  settle: () => Promise<void>;
  /** what has gone wrong */
  judge: () => Promise<Verdict>;
  stop: () => Promise<void>;
}

interface Verdict {
  expected: number;
  /** events that did not arrive, each as `mission: event` */
  lost: string[];
  /** events that nobody expected */
  unknown: string[];
  /** missions whose events arrived in another order: `mission: expected | received` */
  disordered: string[];
  forged: string[];
}

/** How the receiver behaves for a while. */
export const MOODS = ['well', 'slow', 'failing', 'cutting', 'hanging', 'down'] as const;
type Mood = (typeof MOODS)[number];
type Moods = readonly [Mood, ...Mood[]];

async function setMood(receiver: WebhookReceiver, mood: Mood): Promise<void> {
  if (mood === 'well') receiver.react(204);
  else if (mood === 'slow') receiver.react({ status: 204, afterMs: 400 });
  else if (mood === 'failing') receiver.react(500, 204, 503, 500, 429, 204);
  else if (mood === 'cutting') receiver.react('cut', 204, 'cut', 204);
  else if (mood === 'hanging') receiver.react('hang');
  else await receiver.goDown();
}

const MISSIONS = 8;

/** @param service without jobs */
export async function givenWebhookDrill(service: Service): Promise<WebhookDrill> {
  const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
  const receiver = await startWebhookReceiver();
  const admin: Person = await givenAdmin(service);
  const { body } = await admin.client.call('POST', '/admin/webhooks', {
    url: receiver.url,
    // all but the one that the clock causes
    events: WEBHOOK_EVENT_NAMES.filter((name) => name !== 'mission.short'),
  });
  receiver.secrets.push(body.secret);
  const sender = createSender({ DATABASE_URL: service.databaseUrl, WEBHOOKS_ALLOW_PRIVATE: 'on' });

  /** by mission, in the order in which the calls were made */
  const expected = new Map<string, string[]>();
  const expectNext = (missionId: string, ...words: string[]) =>
    expected.set(missionId, [...(expected.get(missionId) ?? []), ...words]);
  const countExpected = () => [...expected.values()].flat().length;

  // the pilot flies the aircraft of one mission only, so that nobody else's orders mix with the others
  const pilot = await givenPilot(service, 3);
  const busy = await givenMissionIn(service, admin, 40, {
    aircraftSlots: [{ aircraftId: 3, slotCount: 1, side: 0, notes: 'CAP' }],
  });
  const order = await orderOf(pilot);
  expectNext(busy.mission.id, 'mission.published', 'order.issued');
  const publish = async (index: number): Promise<string> => {
    const { mission } = await givenMissionIn(service, admin, 50 + index * 4);
    expectNext(mission.id, 'mission.published');
    return mission.id;
  };
  const missions: [string, ...string[]] = [await publish(0)];
  for (let index = 1; index < MISSIONS; index += 1) missions.push(await publish(index));

  let notes = 0;
  let answer: 'accepted' | 'declined' = 'declined';
  /** Repeats a call while the machine is too busy: a repetition of one that was done changes nothing, and causes no event. */
  const insist = (call: () => Promise<{ status: number }>) =>
    vi.waitFor(async () => expect((await call()).status).toBe(200), { timeout: 60_000, interval: 200 });
  const changeOnce = async (random: Random): Promise<void> => {
    if (random.chance(0.3)) {
      answer = answer === 'accepted' ? 'declined' : 'accepted';
      await insist(() => respond(pilot, order, answer));
      const filled = answer === 'accepted' ? ['mission.filled'] : [];
      expectNext(busy.mission.id, `order.answered ${answer}`, ...filled);
      return;
    }
    const missionId = random.pick(missions);
    notes += 1;
    await insist(() => admin.client.call('PUT', `/admin/missions/${missionId}`, { notes: `${notes}` }));
    expectNext(missionId, `mission.changed ${notes}`);
  };

  /** As if the time had passed that retries wait, and the attempts of a killed sender last. */
  const makeDue = async () => {
    await rows(
      sql`update delivery set next_attempt_at = now() - interval '1 minute'
          where state in ('queued', 'sending') and next_attempt_at > now() - interval '1 minute'`,
    );
    await rows(
      sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
          from graphile_worker.jobs where task_identifier = 'send_webhook' and run_at > now() having count(*) > 0`,
    );
  };
  /** Starts the sender as if the time had passed that a killed one's jobs stay locked: all locks are from that one. */
  const start = async (): Promise<void> => {
    await rows(
      sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_at is not null`,
    );
    await makeDue();
    await sender.start();
  };
  const waiting = () => rows(sql`select 1 from delivery where state in ('queued', 'sending')`);

  return {
    receiver,
    sender,
    async change(events, random) {
      while (countExpected() < events) await changeOnce(random);
    },
    async strike(times, random, moods) {
      const attempts = async () => {
        const [row] = await rows<{ sum: number }>(sql`select coalesce(sum(attempts), 0)::int as sum from delivery`);
        return row?.sum ?? 0;
      };
      for (let strike = 0; strike < times; strike += 1) {
        const mood = random.pick(moods);
        await setMood(receiver, mood);
        const [arrived, tried] = [receiver.requests.length, await attempts()];
        const wanted = arrived + (mood === 'hanging' ? 1 : random.between(1, 8));
        await start();
        const isReached = async () =>
          mood === 'down'
            ? (await attempts()) > tried
            : receiver.requests.length >= wanted || (await waiting()).length === 0;
        await vi.waitUntil(isReached, { timeout: 15_000, interval: 20 }).catch(() => undefined);
        await sender.kill();
        if (mood === 'down') await receiver.comeUp();
      }
    },
    async settle() {
      receiver.react(204);
      await start();
      await vi.waitFor(
        async () => {
          await makeDue();
          expect(await waiting()).toEqual([]);
        },
        { timeout: 240_000, interval: 1_000 },
      );
    },
    async judge() {
      const received = Map.groupBy(receiver.taken(), ({ data }) => String(data.mission?.id));
      const told = [...expected].map(([id, words]) => ({ id, words, got: (received.get(id) ?? []).map(wordsOf) }));
      const without = (words: readonly string[], others: readonly string[]) => {
        const left = [...others];
        return words.filter((word) => (left.includes(word) ? (left.splice(left.indexOf(word), 1), false) : true));
      };
      const wordsWhere = (pick: (mission: { words: string[]; got: string[] }) => string[]) =>
        told.flatMap((mission) => pick(mission).map((word) => `${mission.id}: ${word}`));
      const lost = wordsWhere(({ words, got }) => without(words, got));
      const unknown = wordsWhere(({ words, got }) => without(got, words));
      const disordered = wordsWhere(({ words, got }) =>
        without(words, got).length === 0 && words.join() !== got.join() ? [`${words.join()} | ${got.join()}`] : [],
      );
      return { expected: countExpected(), lost, unknown, disordered, forged: receiver.forged };
    },
    async stop() {
      await sender.kill();
      await receiver.stop();
    },
  };
}
