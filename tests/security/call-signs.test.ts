/** Call signs that are invisible, illegible, or look like another pilot's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS } from '#tests/harness/transports.ts';

const INVISIBLE = 'Call sign needs at least one visible character';
const STACKED = 'Call sign has too many accents on one letter';

let service: Service;
let pilot: Person;
let admin: Person;
let registered = 0;

beforeAll(async () => {
  service = await startService();
  pilot = await givenPerson(service, { displayName: 'Kestrel' });
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

/** Every way in for a call sign: [status, sentence] by each. */
async function tryEverywhere(displayName: string): Promise<[number, string | null][]> {
  const outcomes: [number, string | null][] = [];
  for (const transport of TRANSPORTS) {
    registered += 1;
    const account = { email: `new-${registered}@example.org`, password: PASSWORD, confirmPassword: PASSWORD };
    const profile = { id: pilot.id, displayName, timeZone: 'UTC' };
    const replies = [
      await ask(service, transport, 'pilot.updateProfile', profile, pilot.client.cookie()),
      await ask(service, transport, 'auth.register', { ...account, displayName }, ''),
    ];
    outcomes.push(...replies.map(({ status, message }): [number, string | null] => [status, message]));
  }
  return outcomes;
}

describe('refused everywhere', () => {
  test.each([
    ['zero-width spaces', '\u200b\u200b'],
    ['joiners and word joiners', '\u200d\u200c\u2060'],
    ['byte order marks between spaces', '\u200b \ufeff \u200b'],
    ['a Hangul filler', '\u3164'],
    ['Hangul choseong and jungseong fillers', '\u115f\u1160'],
    ['a half-width Hangul filler', '\uffa0'],
    ['a blank Braille pattern', '\u2800'],
    ['soft hyphens', '\u00ad\u00ad'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['tags', '\u{e0041}\u{e0042}'],
    ['a Mongolian vowel separator', '\u180e'],
    ['a musical null note', '\u{1d159}'],
    ['private use', '\ue000'],
    ['combining marks alone', '\u0301\u0302'],
    ['an enclosing keycap alone', '\u20e3'],
    ['everything of it at once', '\u3164\u2800\u200b\u0301\ufe0f'],
  ])('%s', async (_what, displayName) => {
    const outcomes = await tryEverywhere(displayName);
    expect(outcomes).toEqual(outcomes.map(() => [400, INVISIBLE]));
  });

  test.each([
    ['four marks on one letter', `a${'\u0301'.repeat(4)}`],
    ['a tower of them', `Z${'\u0321\u0338\u035c\u0489'.repeat(20)}`],
    ['marks that joiners hold apart', `a${'\u0301\u200d'.repeat(4)}`],
  ])('%s', async (_what, displayName) => {
    const outcomes = await tryEverywhere(displayName);
    expect(outcomes).toEqual(outcomes.map(() => [400, STACKED]));
  });
});

test('names in any script are accepted', async () => {
  for (const displayName of [
    'X',
    'Мара',
    '雷鳥',
    'เพื่อน',
    'Nguyễn'.normalize('NFD'),
    'שָׁלוֹם',
    'क्षत्रिय',
    '👨‍✈️ Ace',
    '1️⃣',
    '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    `a${'\u0301'.repeat(3)}`,
    "O'Brien-Ω",
  ]) {
    const outcomes = await tryEverywhere(displayName);
    expect(
      outcomes.map(([status]) => status < 300),
      displayName,
    ).toEqual(outcomes.map(() => true));
  }
});

describe('lookalikes are pointed out', () => {
  test.each([
    ['Cyrillic letters', 'Vіpеr', 'Viper'],
    ['a Cyrillic capital', 'Вandit', 'Bandit'],
    ['Greek capitals', 'ΜΑΚΟ', 'MAKO'],
    ['a small L for a capital I', 'RAPlER', 'RAPIER'],
    ['a digit for a letter', 'Gh0st', 'Ghost'],
    ['r and n for m', 'Harnrner', 'Hammer'],
    ['full-width letters', 'Ｊｅｓｔｅｒ', 'Jester'],
    ['letters of mathematics', '𝓜𝓮𝓻𝓵𝓲𝓷', 'Merlin'],
    ['an invisible filler', 'Slider\u3164', 'Slider'],
    ['a joiner in the middle', 'Wolf\u200dman', 'Wolfman'],
    ['an accent', 'Stìnger', 'Stinger'],
    ['spaces and dashes', 'Sun-Down', 'Sun down'],
    ['the very same', 'Hollywood', 'Hollywood'],
  ])('%s', async (_what, imitation, original) => {
    const owner = await givenPerson(service, { displayName: original });
    const imitator = await givenPerson(service);
    const profile = { id: imitator.id, displayName: imitation, timeZone: 'UTC' };
    for (const transport of TRANSPORTS) {
      const reply = await ask(service, transport, 'pilot.updateProfile', profile, imitator.client.cookie());
      expect(reply.body).toMatchObject({ displayName: imitation, looksLike: [original] });
    }
    const { body } = await admin.client.call('GET', '/admin/users?pageSize=100&sort=createdAt&direction=desc');
    const listed = (id: string) => body.users.find((user: { id: string }) => user.id === id).looksLike;
    expect([listed(imitator.id), listed(owner.id)]).toEqual([[original], [imitation]]);

    // suspended pilots are not compared
    await admin.client.call('DELETE', `/admin/users/${owner.id}/roles/user`);
    const again = await ask(service, 'rest', 'pilot.updateProfile', profile, imitator.client.cookie());
    expect(again.body).toMatchObject({ looksLike: [] });
  });

  test('others are not', async () => {
    const names = ['Falcon', 'Falcons', 'Magpie', 'Osprey 1', 'Osprey 2', '風神', '雷神', 'Сокол', 'Орёл', 'क्षमता'];
    const people: Person[] = [];
    for (const displayName of names) people.push(await givenPerson(service, { displayName }));
    const { body } = await admin.client.call('GET', '/admin/users?pageSize=100&sort=createdAt&direction=desc');
    const found = body.users.filter(({ id }: { id: string }) => people.some((person) => person.id === id));
    expect(found).toHaveLength(names.length);
    expect(found.flatMap(({ looksLike }: { looksLike: string[] }) => looksLike)).toEqual([]);
  });
});
