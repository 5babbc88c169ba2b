/** The text of a mission's card in each state, and its size for the largest mission. */
import { expect, test } from 'vitest';
import { missionCard, type CardFlight, type MissionCardFacts } from '#server/discord/rules/mission-card.ts';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { discordMessage } from '#shared/schemas/bot.ts';

const START = Date.parse('2031-03-08T19:00:00Z');
const END = Date.parse('2031-03-08T22:00:00Z');
const HOUR = 3_600_000;

const seat = (pilot: string | null, changes = {}) => ({ pilot, isAsked: false, isNoShow: false, ...changes });
const flight = (changes: Partial<CardFlight> = {}): CardFlight => ({
  callsign: 'Viper 1',
  aircraft: 'F-16C Viper',
  role: 'CAP',
  side: 0,
  seats: [seat('Vesper'), seat('Ember', { isAsked: true }), seat('Kestrel', { isNoShow: true }), seat(null)],
  ...changes,
});
const facts = (changes: Partial<MissionCardFacts> = {}): MissionCardFacts => ({
  id: '0199aaaa-0000-7000-8000-000000000001',
  name: 'Op Iron Hound',
  theater: 'Syria',
  startMs: START,
  endMs: END,
  isCancelled: false,
  secretSides: null,
  sides: 1,
  notes: null,
  standby: 2,
  flights: [flight()],
  ...changes,
});
const card = (mission: MissionCardFacts, nowMs: number) =>
  missionCard(mission, { publicUrl: 'https://marshal.example', roleId: null }, nowMs, englishTexts);
const textOf = (mission: MissionCardFacts, nowMs: number): string => {
  const [embed] = card(mission, nowMs).embeds ?? [];
  return [embed?.title, embed?.description, ...(embed?.fields ?? []).flatMap(({ name, value }) => [name, value])].join(
    '\n',
  );
};

test('before the start it says who sits where, what was asked and what is open', () => {
  const text = textOf(facts(), START - HOUR);
  expect(text).toContain('**2 of 4 seats taken**, 1 asked, 1 open · 2 on standby');
  expect(text).toContain('Viper 1 · F-16C Viper · CAP\n1 Vesper\n2 asked\n3 Kestrel\n4 open');
  expect(text).toContain('<t:1930762800:F> (<t:1930762800:R>)\nSAT 08 MAR 1900Z · Syria');
});

test('under way it shows the crews, and after the end who flew', () => {
  expect(textOf(facts(), START)).toContain('**Under way.**');
  expect(textOf(facts(), START)).toContain('1 Vesper\n2 (empty)\n3 Kestrel\n4 (empty)');
  const over = textOf(facts(), END);
  expect(over).toContain('**This mission is over.**');
  expect(over).toContain('1 pilot flew.');
  expect(over).toContain('3 ~~Kestrel~~ (absent)');
});

test('cancelled it is struck through and names no crews', () => {
  const text = textOf(facts({ isCancelled: true }), START - HOUR);
  expect(text).toMatch(/^~~Op Iron Hound~~\n\*\*Cancelled\.\*\* This mission will not take place\./);
  expect(text).not.toContain('Vesper');
});

test('names and notes format nothing and mention nobody, and notes are cut', () => {
  const notes = `@everyone ${'word '.repeat(200)}`;
  const text = textOf(facts({ name: 'Op **@here**', notes, flights: [flight({ seats: [seat('*Vesper*')] })] }), 0);
  expect(text).not.toMatch(/@everyone|@here/);
  expect(text).toContain(String.raw`1 \*Vesper\*`);
  expect(text.match(/word/g)?.length).toBeLessThanOrEqual(60);
});

test('sides are named where there are two', () => {
  const text = textOf(facts({ flights: [flight(), flight({ callsign: 'Colt 1', side: 1 })] }), 0);
  expect(text).toContain('Viper 1 · F-16C Viper · CAP · Blue');
  expect(text).toContain('Colt 1 · F-16C Viper · CAP · Red');
});

test.each([1, 20, 21, 64])("%i flights of the longest names fit Discord's limits", (count) => {
  const flights = Array.from({ length: count }, (_, index) =>
    flight({
      callsign: `${'*'.repeat(60)} ${index}`,
      aircraft: '_'.repeat(80),
      seats: Array.from({ length: 4 }, () => seat('*'.repeat(200))),
    }),
  );
  const message = card(facts({ name: '*'.repeat(200), notes: '*'.repeat(4000), flights }), START - HOUR);
  expect(discordMessage.safeParse(message).error).toBeUndefined();
  const [embed] = message.embeds ?? [];
  const texts = [
    embed?.title,
    embed?.description,
    ...(embed?.fields ?? []).flatMap(({ name, value }) => [name, value]),
  ];
  expect(texts.join('').length).toBeLessThanOrEqual(6000);
  if (count === 64) expect(embed?.description).toMatch(/\d+ more flights are on the site\./);
});
