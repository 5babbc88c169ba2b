/** Random mission histories on two replicas with kills; a model checks afterwards that each is legal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { copy } from '#shared/copy.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { type Random, seeded } from '#tests/harness/seeded.ts';
import { findUnfounded } from './life-answers.ts';
import { isOf } from './life-calls.ts';
import { startCommunity, type Community } from './life-community.ts';
import { findStuck, type End } from './life-end.ts';
import { liveThrough, type History } from './life-history.ts';
import {
  readJournal,
  tickJournal,
  type Change,
  type FlightRow,
  type Journal,
  type MissionRow,
  type Tx,
} from './life-journal.ts';
import { stateOf } from './life-machine.ts';
import { findIllegal, type Story, type Tally } from './life-model.ts';
import { comeToRest, readEnd } from './life-quiet.ts';

/** For runs by hand: LIFE_ROUNDS=20 runs this many histories. */
const ROUNDS = Number(process.env.LIFE_ROUNDS ?? 1);
const SEEDS = Array.from({ length: ROUNDS }, (_, index) => Number(process.env.LIFE_SEED ?? 1) + index);
const EVIDENCE = join(ROOT, 'tests', '.results');
const ACTS = inDrill(1_000, 300);
const ACTORS = 8;
/** Numbers of acts after which a replica is killed; `job`: both at once, while one of them works on a mission. */
const KILLS = [
  [ACTS * 0.2, 'first'],
  [ACTS * 0.55, 'job'],
  [ACTS * 0.9, 'second'],
] as const;
const REPLICA = { first: 0, second: 1 } as const;

/** Acts added at a time to a history in which something has not occurred. */
const MORE_ACTS = 100;

/** Events that must have occurred in every history. */
const WORTH = [
  'none to pending',
  'none to standby',
  'done join',
  'done quit',
  'pending to accepted',
  'pending to declined',
  'pending to standby',
  'pending to expired',
  'pending to superseded',
  'accepted to pending',
  'accepted to declined',
  'accepted to mission cancelled',
  'standby to accepted',
  'freed',
  'turn',
  'done create',
  'done edit',
  'done assign',
  'done remove',
  'done suspend',
  'done leave',
  'done back',
  'on leave',
  'refused answer 409',
  'refused answer 410',
];

/** Locks a mission, makes its job due, and waits until a replica has taken the job and waits for the lock. */
async function killInJob({ pool, replicas }: Community): Promise<boolean> {
  const { rows } = await pool.query<{ mission_id: string }>(
    `select mission_id from frag_order o join mission m on m.id = o.mission_id
     where o.status = 'issued' and o.rsvp = 'pending' and m.status = 'scheduled' and m.starts_at > now() + interval '1 hour'
     group by mission_id order by count(*) desc limit 1`,
  );
  const [found] = rows;
  if (!found) return false;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from mission where id = $1 for update', [found.mission_id]);
    await pool.query(
      `update graphile_worker._private_jobs set run_at = now() where payload ->> 'missionId' = $1 and locked_at is null`,
      [found.mission_id],
    );
    const isTaken = async () => {
      const taken = await pool.query(
        `select 1 from graphile_worker._private_jobs where payload ->> 'missionId' = $1 and locked_at is not null`,
        [found.mission_id],
      );
      return taken.rows.length > 0;
    };
    const wasTaken = await vi.waitUntil(isTaken, { timeout: 20_000, interval: 5 }).catch(() => false);
    await Promise.all(replicas.map((replica) => replica.kill()));
    return wasTaken;
  } finally {
    await client.query('rollback');
    client.release();
    await Promise.all(replicas.map((replica) => replica.start()));
  }
}

/** Kills and restarts during the acts. @returns a callback for every act, and a promise for all restarts */
function createKiller(community: Community): { onAct: (done: number) => void; over: () => Promise<void> } {
  let last = Promise.resolve();
  return {
    onAct(done) {
      const [, what] = KILLS.find(([after]) => after === done) ?? [];
      if (what === undefined) return;
      last = last.then(async () => {
        if (what === 'job') return killInJob(community).then(() => undefined);
        const replica = community.replicas[REPLICA[what]];
        await replica?.kill();
        await replica?.start();
      });
    },
    over: () => last,
  };
}

interface Life extends History {
  journal: Journal;
  end: End;
  killedInJob: boolean;
}

const steadyOf = ({ pilots }: Community) => pilots.filter(({ isFickle }) => !isFickle);

/** Of the events in WORTH, those that have not occurred. */
function findMissing(story: Story): string[] {
  const tally: Tally = new Map();
  findIllegal(story, tally);
  findUnfounded(story, tally);
  return WORTH.filter((rule) => !tally.has(rule));
}

async function live(community: Community, random: Random): Promise<Life> {
  const killer = createKiller(community);
  const isIncomplete = async () => {
    const journal = await readJournal(community.pool, community.aheadMs);
    return findMissing({ ...history, journal, pilots: steadyOf(community) }).length > 0;
  };
  const history = await liveThrough(community, { acts: ACTS, actors: ACTORS, random, onAct: killer.onAct });
  await killer.over();
  // by chance a rare event, such as a suspension, may not have occurred yet
  while (history.calls.length < 3 * ACTS && (await isIncomplete())) {
    const more = await liveThrough(community, { acts: MORE_ACTS, actors: ACTORS, random });
    history.calls.push(...more.calls);
    for (const tx of more.clockTxs) history.clockTxs.add(tx);
  }
  // no later act would reveal the consequences
  const killedInJob = await killInJob(community);
  const restMs = await comeToRest(community, history.clockTxs);
  await community.silence();
  await tickJournal(community.pool);
  const journal = await readJournal(community.pool, community.aheadMs);
  return { ...history, journal, end: await readEnd(community, journal, restMs), killedInJob };
}

/** A history cannot be repeated: its journal is kept for analysis. @returns its path */
function keepEvidence(seed: number, life: Life, { pilots }: Story): string {
  mkdirSync(EVIDENCE, { recursive: true });
  const file = join(EVIDENCE, `life-${seed}.json`);
  writeFileSync(file, JSON.stringify({ ...life, pilots, clockTxs: [...life.clockTxs] }));
  return file;
}

describe.each(SEEDS)('life %i', (seed) => {
  let community: Community;
  let life: Life;
  let story: Story;
  beforeAll(async () => {
    const random = seeded(seed);
    community = await startCommunity(random);
    life = await live(community, random);
    story = { ...life, pilots: steadyOf(community) };
  }, 400_000);
  afterAll(() => community.stop());

  const expectNone = (breaches: readonly string[]) =>
    expect(breaches, breaches.length > 0 ? keepEvidence(seed, life, story) : '').toEqual([]);

  test('every seat, order and mission has a valid history', () => expectNone(findIllegal(story)));

  test('every answer matches the history', () => expectNone(findUnfounded(life)));

  test('in the end no pilot waits for a free seat and no seat that could be filled is empty', () => {
    expect(life.killedInJob).toBe(true);
    expectNone(findStuck(life.end));
  });

  test('every rule had something to check', () => {
    expect(life.calls.length).toBeGreaterThan(ACTS / 2);
    expect(findMissing(story)).toEqual([]);
    const unknown = life.calls.filter(({ outcome }) => outcome === 'unknown');
    expect(unknown.length).toBeGreaterThan(0);
  });

  describe('the checkers find planted faults:', () => {
    const orderSteps = () =>
      life.journal.steps.flatMap(({ tx, change }) =>
        change.table === 'order' && change.after ? [{ tx, ...change }] : [],
      );
    const stepFrom = (from: string, to: string) => {
      const found = orderSteps().find(({ before, after }) => stateOf(before) === from && stateOf(after) === to);
      if (!found?.before || !found.after) throw new Error(`nothing went from ${from} to ${to}`);
      return { ...found, before: found.before, after: found.after };
    };
    /** A transaction after all others. */
    const later = (changes: Change[]): Journal => {
      const atMs = Math.max(...life.journal.txs.map(({ lastMs }) => lastMs)) + 1_000;
      const tx: Tx = { id: 'planted', beganMs: atMs, lastMs: atMs, committedByMs: atMs + 1, changes };
      const steps = changes.map((change, index) => ({ tx, change, isLast: index === changes.length - 1 }));
      return { txs: [...life.journal.txs, tx], steps: [...life.journal.steps, ...steps] };
    };
    const illegal = (changes: Change[]) => findIllegal({ ...story, journal: later(changes) });

    test('a seat with two holders', () => {
      const held = life.journal.steps.find(({ change }) => change.table === 'seat' && !change.before)?.change;
      if (held?.table !== 'seat' || !held.after) throw new Error('no seat was taken');
      const seat = held.after;
      const changes: Change[] = ['a', 'b'].map((id) => ({
        table: 'seat',
        before: null,
        after: { ...seat, orderId: id, pilotId: id },
      }));
      expect(illegal(changes).join()).toContain(`seat ${seat.flightId}:${seat.seatIndex} has two holders`);
      const twins: Change[] = changes.map(
        (change, index) => ({ ...change, after: { ...seat, orderId: `${index}`, seatIndex: index } }) as Change,
      );
      expect(illegal(twins).join()).toContain('is in two missions at once');
    });

    test('an order that was accepted after it had expired or ended', () => {
      const { tx, before, after } = stepFrom('pending', 'accepted');
      const steps = life.journal.steps.map((step) =>
        step.tx === tx && step.change.table === 'order' && step.change.after?.id === after.id
          ? {
              ...step,
              change: { table: 'order' as const, before: { ...before, expiresMs: tx.beganMs - 60_000 }, after },
            }
          : step,
      );
      const own: Tx = { ...tx, changes: steps.filter((step) => step.tx === tx).map(({ change }) => change) };
      const journal = { ...life.journal, steps: steps.map((step) => (step.tx === tx ? { ...step, tx: own } : step)) };
      expect(findIllegal({ ...story, journal }).join()).toContain(
        `order ${after.id} was accepted after it had run out`,
      );

      const over = stepFrom('pending', 'expired').after;
      const line = `order ${over.id} was answered when it was over`;
      expect(illegal([{ table: 'order', before: over, after: { ...over, rsvp: 'accepted' } }]).join()).toContain(line);
      const alive = { ...over, status: 'issued' as const, statusReason: null };
      expect(illegal([{ table: 'order', before: over, after: alive }]).join()).toContain(
        `order ${over.id} went from expired to pending`,
      );
    });

    test('an answer that was never given', () => {
      const { after } = stepFrom('pending', 'accepted');
      const calls = life.calls.filter(({ act }) => !('orderId' in act && act.orderId === after.id));
      expect(findIllegal({ ...story, calls }).join()).toContain(
        `order ${after.id} went from pending to accepted without`,
      );
    });

    test('a pilot who has declined and is asked again', () => {
      const { tx, after } = stepFrom('pending', 'declined');
      const again = { ...after, id: 'again', status: 'issued' as const, statusReason: null, rsvp: 'pending' as const };
      const next: Tx = { ...tx, id: 'again', changes: [{ table: 'order', before: null, after: again }] };
      const steps = life.journal.steps.flatMap((step) => {
        const isPlace = step.tx === tx && step.isLast;
        return isPlace ? [step, ...next.changes.map((change) => ({ tx: next, change, isLast: true }))] : [step];
      });
      expect(findIllegal({ ...story, journal: { ...life.journal, steps } }).join()).toContain(
        'order again asks a pilot again who has declined',
      );
    });

    test('a seat that is in no flight', () => {
      const moved = life.journal.steps.find(({ change }) => change.table === 'seat' && !change.before)?.change;
      if (moved?.table !== 'seat' || !moved.after) throw new Error('no seat was taken');
      const seat = { ...moved.after, orderId: 'nobody' };
      expect(illegal([{ table: 'seat', before: null, after: { ...seat, seatIndex: 9 } }]).join()).toContain(
        `seat ${seat.flightId}:9 is in no flight`,
      );
    });

    test('an accepted seat that was lost, and a refusal without cause', () => {
      const heard = life.calls.find(
        (call) => isOf(call, 'answer') && call.outcome === 'ok' && call.act.response === 'accepted',
      );
      if (!heard || !isOf(heard, 'answer')) throw new Error('nothing was accepted');
      const { orderId } = heard.act;
      const steps = life.journal.steps.filter(
        ({ change }) => change.table !== 'seat' || (change.after ?? change.before)?.orderId !== orderId,
      );
      expect(findUnfounded({ calls: [heard], journal: { ...life.journal, steps } }).join()).toContain('held no seat');
      const refused = { ...heard, outcome: 'refused' as const, status: 410, message: copy.orderExpired };
      expect(findUnfounded({ calls: [refused], journal: life.journal }).join()).toContain('without cause');
    });

    test('an order that is stuck, and a seat that was offered to nobody', () => {
      const { end } = life;
      const order = stepFrom('pending', 'accepted').before;
      const stuck = { ...order, id: 'stuck', expiresMs: end.nowMs - 60_000 };
      const lines = findStuck({ ...end, orders: [...end.orders, stuck], seats: [...end.seats], wakings: [] });
      expect(lines).toContain('order stuck ran out and is still there');
      expect(lines).toContain('nobody will end order stuck');
      const mission: MissionRow = {
        id: 'm',
        name: 'm',
        status: 'scheduled',
        startMs: end.nowMs + 9e9,
        endMs: end.nowMs + 9.01e9,
      };
      const flight: FlightRow = {
        id: 'f',
        missionId: 'm',
        aircraftId: 2,
        side: 0,
        role: 'CAP',
        sizeCap: 1,
        radioFreq: null,
      };
      const empty = findStuck({ ...end, missions: [mission], flights: [flight] });
      expect(empty.join()).toContain('seat f:0 is empty');
      const { startMs, endMs } = mission;
      const leaves = [{ pilotId: order.pilotId, startMs, endMs }];
      const held = { ...order, id: 'held', missionId: 'm', flightId: 'f' };
      const away = findStuck({ ...end, missions: [mission], flights: [flight], orders: [held], leaves });
      expect(away).toContain('order held stands, though its pilot is on leave');
    });
  });
});
