import { expect, test } from 'vitest';
import { isEventOf, missionEvent, type MissionFacts } from '#server/discord/rules/mission-event.ts';
import { closedDmsMention, missionNews } from '#server/discord/rules/news-text.ts';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { discordMessage } from '#shared/schemas/bot.ts';

const SITE = 'https://marshal.example';
const MISSION: MissionFacts = {
  id: '0192c0de-0000-7000-8000-000000000000',
  name: 'Op Iron Hound',
  theater: 'Syria',
  startMs: Date.UTC(2026, 10, 20, 19, 0),
  endMs: Date.UTC(2026, 10, 20, 22, 0),
  isCancelled: false,
  aircraft: [
    { name: 'F-16C Viper', seats: 4 },
    { name: 'KC-135', seats: 1 },
  ],
};

test('an event has the mission’s name, times, seats and a link to the site', () => {
  const event = missionEvent(MISSION, SITE, englishTexts);
  expect(event).toMatchObject({
    name: 'Op Iron Hound',
    scheduled_start_time: '2026-11-20T19:00:00.000Z',
    scheduled_end_time: '2026-11-20T22:00:00.000Z',
    privacy_level: 2,
    entity_type: 3,
    entity_metadata: { location: `${SITE}/missions/${MISSION.id}` },
  });
  expect(event.description).toContain('5 seats: 4 × F-16C Viper, 1 × KC-135.');
  expect(event.description).toContain('FRI 20 NOV 1900Z');
});

test('an event says that "Interested" is no seat, and where to get one, also in its longest description', () => {
  const most = Array.from({ length: 40 }, (_, index) => ({ name: `${index} ${'*'.repeat(60)}`, seats: 99 }));
  for (const aircraft of [MISSION.aircraft, most]) {
    const { description } = missionEvent({ ...MISSION, aircraft }, SITE, englishTexts);
    expect(description).toContain('"Interested" only makes Discord remind you.');
    expect(description).toContain(`get a seat on the site: ${SITE}/missions/${MISSION.id}`);
  }
});

test('events are identified by the mission in their link, also for a site with a long name', () => {
  for (const site of [SITE, `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example`]) {
    const { location } = missionEvent(MISSION, site, englishTexts).entity_metadata;
    expect(location.length).toBeLessThanOrEqual(100);
    expect(isEventOf(MISSION.id, location)).toBe(true);
    expect(isEventOf('0192c0de-0000-7000-8000-000000000001', location)).toBe(false);
  }
  expect(isEventOf(MISSION.id, null)).toBe(false);
});

test.each([
  ['long', 'Op Iron Hound '.repeat(14)],
  ['all astral', '🛩️'.repeat(66)],
  ['all to be escaped', '*_~`|<@'.repeat(28)],
])('a name that is %s fits', (_rule, name) => {
  const aircraft = Array.from({ length: 40 }, (_, index) => ({ name: `${name.slice(0, 90)}${index}`, seats: 2 }));
  const mission = { ...MISSION, name, aircraft };
  const event = missionEvent(mission, SITE, englishTexts);
  expect(event.name.length).toBeLessThanOrEqual(100);
  expect(event.name.isWellFormed()).toBe(true);
  expect(event.description.length).toBeLessThanOrEqual(1000);
  expect(event.description).toContain(`${SITE}/missions/`);
  expect(discordMessage.safeParse(missionNews(mission, SITE, MISSION.id, englishTexts)).error).toBeUndefined();
});

test('the message of a cancelled mission says so and has only the link to the site', () => {
  const message = missionNews({ ...MISSION, isCancelled: true }, SITE, 'row', englishTexts);
  expect(message.embeds?.[0]?.description).toBe("This mission won't take place.");
  const buttons = message.components?.[0]?.components ?? [];
  expect(buttons.filter((button) => 'custom_id' in button && button.disabled !== true)).toEqual([]);
});

test('the public mention contains nothing of the order', () => {
  const { content, embeds } = closedDmsMention('123456789012345678', 'row', englishTexts);
  expect(content).toMatch(/^<@123456789012345678>, Marshal has an order for you/);
  expect(embeds).toBeUndefined();
});
