/**
 * Races of sign-in with a change of password: a client that verified the old password, opened a link or requested
 * anything that outlives sessions must not have access afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { issueSignInLink } from '#server/accounts/sign-in-links.ts';
import { randomToken } from '#server/platform/tokens.ts';
import { cheapHash, givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Answer, type Service } from '#tests/harness/service.ts';

const NEW_PASSWORD = 'three blind mice 7';
const ROUNDS = 100;
/** Sign-ins in flight in a round. */
const AT_ONCE = 3;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

async function countWays(userId: string): Promise<Record<'sessions' | 'feeds' | 'devices', number>> {
  const [found] = await rows<Record<'sessions' | 'feeds' | 'devices', number>>(sql`
    select (select count(*)::int from session where user_id = ${userId}) as sessions,
           (select count(*)::int from calendar_feed where user_id = ${userId}) as feeds,
           (select count(*)::int from push_subscription where user_id = ${userId}) as devices`);
  if (!found) throw new Error('nothing was counted');
  return found;
}

/** The password hasher at low cost, which holds verified sign-ins until they are released. */
function holdVerified() {
  const real = service.app.passwords;
  const letGo = Promise.withResolvers<void>();
  const onHashed: (() => void)[] = [];
  let isHolding = true;
  let waiting = 0;
  service.app.passwords = {
    // all at once
    inTurn: (work) => work(),
    async verify(password, stored) {
      const isHeld = isHolding;
      const isRight = await real.verify(password, stored);
      if (isHeld) {
        waiting += 1;
        await letGo.promise;
      }
      return isRight;
    },
    async hash(password) {
      for (const call of onHashed) call();
      return cheapHash(password);
    },
  };
  return {
    waiting: () => waiting,
    /** later ones pass */
    stopHolding: () => (isHolding = false),
    letGo: letGo.resolve,
    onHashed: (call: () => void) => onHashed.push(call),
    restore: () => (service.app.passwords = real),
  };
}

type SignIn = (person: Person) => Promise<number>;

const signIn: SignIn = async ({ email }) =>
  (await createClient(service).call('POST', '/auth/login', { email, password: PASSWORD })).status;

/** A planted fault: the session is created from the verified user, without checking again. */
const signInWithoutLookingAgain: SignIn = async ({ id }) => {
  const [account] = await rows<{ hash: string }>(sql`select password_hash as hash from app_user where id = ${id}`);
  if (!(await service.app.passwords.verify(PASSWORD, account?.hash ?? null))) return 401;
  await service.app.sessions.create(id);
  return 200;
};

const reset = ({ id }: Person): Promise<Answer> =>
  admin.client.call('POST', `/admin/users/${id}/reset-password`, { newPassword: NEW_PASSWORD });
const change = ({ client }: Person): Promise<Answer> =>
  client.call('POST', '/auth/password', {
    currentPassword: PASSWORD,
    newPassword: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
  });

/**
 * One round: sign-ins that verified the old password reach the database together with the new password, or after it.
 * @returns the remaining sessions
 */
async function race(way: SignIn, replace: typeof reset, isTogether: boolean): Promise<number> {
  const person = await givenPerson(service);
  const hold = holdVerified();
  try {
    const attempts = Array.from({ length: AT_ONCE }, () => way(person));
    await expect.poll(hold.waiting, { interval: 2 }).toBe(AT_ONCE);
    hold.stopHolding();
    if (isTogether) hold.onHashed(hold.letGo);
    expect((await replace(person)).status).toBe(200);
    hold.letGo();
    const statuses = await Promise.all(attempts);
    expect(statuses.filter((status) => ![200, 401].includes(status))).toEqual([]);
    return (await countWays(person.id)).sessions;
  } finally {
    hold.restore();
  }
}

describe('a sign-in with the old password', () => {
  test(`does not survive an admin's reset or the owner's change: ${ROUNDS} rounds`, async () => {
    const survivors = { reset: 0, change: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const isReset = round % 2 === 0;
      const left = await race(signIn, isReset ? reset : change, round % 4 < 2);
      // the session that changes the password is kept
      if (isReset) survivors.reset += left;
      else survivors.change += left - 1;
    }
    expect(survivors).toEqual({ reset: 0, change: 0 });
  }, 120_000);

  test('is found where the session is created without checking again', async () => {
    expect(await race(signInWithoutLookingAgain, reset, false)).toBe(AT_ONCE);
  });

  test('cannot set a password of its own after the reset', async () => {
    const person = await givenPerson(service);
    const hold = holdVerified();
    try {
      const late = change(person);
      await expect.poll(hold.waiting, { interval: 2 }).toBe(1);
      hold.stopHolding();
      const chosen = 'what the admin chose 8';
      const { status } = await admin.client.call('POST', `/admin/users/${person.id}/reset-password`, {
        newPassword: chosen,
      });
      expect(status).toBe(200);
      hold.letGo();
      expect(await late).toMatchObject({ status: 400, body: { message: 'The current password is not correct' } });
      const login = (password: string) =>
        createClient(service).call('POST', '/auth/login', { email: person.email, password });
      expect([(await login(NEW_PASSWORD)).status, (await login(chosen)).status]).toEqual([401, 200]);
    } finally {
      hold.restore();
    }
  });
});

describe('together with a reset', () => {
  /** Runs `call` when the new password is being stored. @returns the access that remains */
  async function duringReset(person: Person, call: () => Promise<unknown>) {
    const hold = holdVerified();
    hold.stopHolding();
    try {
      const called = Promise.withResolvers<unknown>();
      hold.onHashed(() => called.resolve(call()));
      expect((await reset(person)).status).toBe(200);
      await called.promise;
      return await countWays(person.id);
    } finally {
      hold.restore();
    }
  }
  const NOTHING = { sessions: 0, feeds: 0, devices: 0 };

  test('a sign-in link does not sign in: 25 rounds', async () => {
    for (let round = 0; round < 25; round += 1) {
      const person = await givenPerson(service);
      const token = randomToken();
      await issueSignInLink(service.app.orm.em.fork(), person.id, token, new Date());
      const redeem = () => createClient(service).call('POST', '/auth/sign-in-link', { token });
      expect(await duringReset(person, redeem)).toEqual(NOTHING);
    }
  });

  test('no calendar link and no device is added by a session that is being ended: 25 rounds', async () => {
    for (let round = 0; round < 25; round += 1) {
      const person = await givenPerson(service);
      const left = await duringReset(person, () =>
        Promise.all([
          person.client.call('POST', '/pilot/calendar'),
          person.client.call('POST', '/pilot/push/subscriptions', subscription(`round-${round}`)),
        ]),
      );
      expect(left).toEqual(NOTHING);
    }
  });
});

/** A point on the curve and a secret, as a browser would make them. */
function subscription(name: string) {
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  };
}
