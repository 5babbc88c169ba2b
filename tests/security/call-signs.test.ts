/** Call signs that cannot be seen, read or told from another pilot's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenPerson, PASSWORD, type Person } from '#tests/given.ts';
import { startService, type Service } from '#tests/service.ts';
import { ask, TRANSPORTS } from '#tests/transports.ts';

const INVISIBLE = 'Call sign needs at least one visible character';
const STACKED = 'Call sign has too many accents on one letter';

let service: Service;
let pilot: Person;
let registered = 0;

beforeAll(async () => {
  service = await startService();
  pilot = await givenPerson(service, { displayName: 'Kestrel' });
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

describe('refused by every way in', () => {
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

test('what people are called in any script is taken', async () => {
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
