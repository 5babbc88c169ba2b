/** The specification's validation rules (section 5), word for word, on both transports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeDigest } from '#tests/harness/digest.ts';
import { hoursFromNow, PASSWORD } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, isRecord, TRANSPORTS, type Reply } from '#tests/harness/transports.ts';
import { givenWorld, OPERATIONS, type World } from './operations.ts';
import { entryWith, type Fields, passwords, REFUSED, slotsWith } from './refused-inputs.ts';

let service: Service;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await givenWorld(service);
});
afterAll(() => service.stop());

/** Ask with a working input and these fields in it; undefined takes a field away. */
async function askWith(transport: 'rest' | 'trpc', procedure: string, change: Fields): Promise<Reply> {
  const operation = OPERATIONS[procedure];
  const person = operation?.policy === 'admin' ? world.admin : world.self;
  const { sessions } = service.app;
  const { token } = await sessions.create(person.id);
  const input = { ...operation?.input(world.subject), ...change };
  return ask(service, transport, procedure, input, `${sessions.cookieName}=${token}`);
}

/** Paths of the fields that a refusal names. */
function namedFields({ body }: Reply): unknown[] {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
  const issues = error === undefined ? Object(body).issues : Object(error.data).issues;
  return Array.isArray(issues) ? issues.map((issue) => Object(issue).path) : [];
}

describe.each(TRANSPORTS)('refused with its sentence by %s', (transport) => {
  test.each(REFUSED)('%s (%s)', async (_rule, procedure, change, sentence, field, code = 'VALIDATION') => {
    const before = await takeDigest(service);
    const reply = await askWith(transport, procedure, change);
    expect([reply.status, reply.code, reply.message, namedFields(reply)[0]]).toEqual([400, code, sentence, field]);
    expect(await takeDigest(service)).toEqual(before);
  });
});

describe('the last values that are allowed', () => {
  test.each<[rule: string, procedure: string, change: Fields]>([
    ['a password of 8 characters', 'auth.register', passwords('k7wzp3mh')],
    ['a password of 8 emoji', 'auth.register', passwords('🙂'.repeat(8))],
    ['a password of 256 characters', 'auth.register', passwords('xy'.repeat(128))],
    ['a call sign of one character', 'pilot.updateProfile', { displayName: 'X' }],
    ['a call sign of 200 emoji', 'pilot.updateProfile', { displayName: '🛩'.repeat(200) }],
    ['any real zone', 'pilot.updateProfile', { timeZone: 'Australia/Lord_Howe' }],
    ['one minute', 'pilot.setStatus', { minutes: 1 }],
    ['480 minutes', 'pilot.setStatus', { minutes: 480 }],
    ['no minutes for a state without', 'pilot.setStatus', { state: 'dnd', minutes: undefined }],
    ['a slot over midnight', 'availability.createTemplate', slotsWith({ endLocal: '02:00' })],
    ['a slot to midnight', 'availability.createTemplate', slotsWith({ endLocal: '00:00' })],
    ['a leap day', 'availability.window', { start: '2028-02-29' }],
    ['64 aircraft', 'admin.createMission', entryWith({ slotCount: 64 })],
    ['a name that looks like SQL', 'admin.createMission', { name: "'; drop table mission; --" }],
    [
      'an end before the start on the same date is the next day',
      'admin.createMission',
      {
        startLocal: `${hoursFromNow(200).slice(0, 10)}T19:00`,
        endLocal: `${hoursFromNow(200).slice(0, 10)}T02:00`,
      },
    ],
  ])('%s', async (_rule, procedure, change) => {
    for (const transport of TRANSPORTS) {
      const email = `edge-${transport}-${JSON.stringify(change).length}@example.org`;
      const reply = await askWith(transport, procedure, procedure === 'auth.register' ? { ...change, email } : change);
      expect([reply.status < 300, reply.message]).toEqual([true, null]);
    }
  });
});

test('unknown fields are ignored: a profile cannot give itself roles or another address', async () => {
  const change = {
    displayName: 'Iceman',
    roles: ['admin', 'user'],
    email: 'evil@example.org',
    passwordHash: 'x',
    isAdmin: true,
  };
  for (const transport of TRANSPORTS) {
    const reply = await askWith(transport, 'pilot.updateProfile', change);
    expect(reply.body).toMatchObject({ displayName: 'Iceman', roles: ['user'], email: world.self.email });
  }
  const again = await askWith('rest', 'admin.users', { query: world.self.email });
  expect(Object(again.body).users).toMatchObject([{ id: world.self.id, roles: ['user'], email: world.self.email }]);
  expect(await askWith('rest', 'auth.login', { password: PASSWORD })).toMatchObject({ status: 200 });
});

test('registration gives the role user, whatever the request contains', async () => {
  for (const transport of TRANSPORTS) {
    const email = `greedy-${transport}@example.org`;
    const reply = await askWith(transport, 'auth.register', { email, roles: ['admin'], id: world.self.id });
    expect(reply.body).toMatchObject({ email, roles: ['user'] });
    expect(Object(reply.body).id).not.toBe(world.self.id);
  }
});
