/** Messages in every state in a language made from English: no English word is left but names and sentences of the API. */
import { describe, expect, test } from 'vitest';
import {
  announcedMessage,
  cancelledMessage,
  cancelQuestion,
  discardedMessage,
  missionChoice,
  missionPreview,
  publishedMessage,
  rosterMessage,
} from '#server/discord/rules/mission-admin-text.ts';
import { leftOutCard, missionCard, type MissionCardFacts } from '#server/discord/rules/mission-card.ts';
import { missionEvent, type MissionFacts } from '#server/discord/rules/mission-event.ts';
import { readSeats, readTimes } from '#server/discord/rules/mission-request.ts';
import { closedDmsMention, communityNews, missionNews, weekNews } from '#server/discord/rules/news-text.ts';
import { orderCard, replacedCard } from '#server/discord/rules/order-card.ts';
import { registrationAnnouncement, welcomeMessage } from '#server/discord/rules/registration-text.ts';
import { endedReminder, reminderCard, turnoutCard } from '#server/discord/rules/reminder-card.ts';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { addCatalogue, textsFor } from '#shared/discord-texts/catalogue.ts';
import { copy } from '#shared/copy.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { MISSION_ROLES, RSVPS, THEATERS, TURNOUT_STAGES } from '#shared/vocabulary.ts';
import { englishWords, pseudoMessages } from '#tests/harness/pseudo-language.ts';
import { SAMPLE_ORDER, SAMPLE_START } from '#tests/harness/sample-order.ts';

addCatalogue('el', pseudoMessages);
const texts = textsFor('el');
const AIRCRAFT = AIRCRAFT_CATALOGUE.map((one) => ({ ...one, active: true }));
const SITE = 'https://marshal.example';
const HOUR = 3_600_000;

const { label, missionName, flightCallsign, aircraftName, notes, missionTexts } = SAMPLE_ORDER;
const NAMES = [label, missionName, flightCallsign, aircraftName, SAMPLE_ORDER.package.callsign];
const WRITTEN = [notes ?? '', missionTexts.notes ?? '', 'Akrotiri', 'Maverick', 'Vesper', 'Viper', 'Lantern Wing'];
const DATA = [
  ...NAMES,
  ...WRITTEN,
  ...SAMPLE_ORDER.reasons,
  copy.noLongerFits,
  'Europe/Berlin',
  ...MISSION_ROLES,
  ...THEATERS,
];

/** What people read of a message: everything but ids, addresses and types. */
function readable(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(readable);
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== 'string') return readable(value);
    return ['url', 'custom_id', 'scheduled_start_time', 'scheduled_end_time', 'location'].includes(key) ? [] : [value];
  });
}

/** @param least how many texts it has at least, so that an empty message does not pass */
function expectNoEnglish(message: object, least = 2): void {
  const all = readable(message);
  expect(all.length).toBeGreaterThanOrEqual(least);
  expect(all.flatMap((text) => englishWords(text, DATA))).toEqual([]);
}

describe('a frag order', () => {
  const ENDS = [null, 'expired', 'mission cancelled', 'superseded'] as const;
  const CHANGES: OrderChange[][] = [
    [],
    [
      { field: 'side', from: 'Blue', to: 'Red' },
      { field: 'radio', from: null, to: '251.000 AM' },
      { field: 'start', from: 'Nov 20 1800Z', to: 'Nov 20 1900Z' },
    ],
    [{ field: 'seat', from: 'Viper 1', to: null }],
  ];
  const REASONS = [SAMPLE_ORDER.reasons, [copy.noLongerFits, 'You fly the F-16C.']];
  const states = ENDS.flatMap((statusReason) =>
    RSVPS.flatMap((rsvp) =>
      CHANGES.flatMap((changes) => REASONS.map((reasons) => ({ statusReason, rsvp, changes, reasons }))),
    ),
  );

  test.each([-48, -1, 0, 4])('in every state, %i hours after the start', (hours) => {
    for (const state of states) {
      const order = {
        ...SAMPLE_ORDER,
        ...state,
        status: state.statusReason === null ? 'issued' : 'cancelled',
      } as const;
      expectNoEnglish(orderCard(order, SITE, SAMPLE_START + hours * HOUR, texts), 8);
    }
  });

  test('seated from standby, and replaced by a newer message', () => {
    const promoted = { ...SAMPLE_ORDER, rsvp: 'accepted' as const, reasons: [copy.wasOnStandby] };
    const card = orderCard(promoted, SITE, SAMPLE_START - 40 * HOUR, texts);
    expect(readable(card).flatMap((text) => englishWords(text, [...DATA, copy.wasOnStandby]))).toEqual([]);
    expectNoEnglish(replacedCard(SAMPLE_ORDER, SITE, texts), 4);
  });
});

describe('a reminder', () => {
  const accepted = { ...SAMPLE_ORDER, rsvp: 'accepted' as const };
  const facts = { id: 'row', order: accepted, asks: true, isCurrent: true, hasMoved: false };

  test.each([
    facts,
    { ...facts, asks: false },
    { ...facts, asks: false, order: { ...accepted, confirmedAt: SAMPLE_ORDER.issuedAt } },
    { ...facts, isCurrent: false },
  ])('is said whole', (reminder) => {
    expectNoEnglish(reminderCard(reminder, SITE, SAMPLE_START - 24 * HOUR, texts), 8);
  });

  test('that no longer applies says why', () => {
    const why = [
      { ...accepted, rsvp: 'declined' as const },
      { ...accepted, status: 'cancelled' as const, statusReason: 'mission cancelled' as const },
      { ...accepted, rsvp: 'standby' as const },
      { ...accepted, rsvp: 'pending' as const },
      accepted,
    ].flatMap((order) =>
      [SAMPLE_START - HOUR, SAMPLE_START].map((ms) => endedReminder({ order, hasMoved: false }, ms, texts)),
    );
    expect(new Set(why).size).toBe(5);
    expect(why.flatMap((text) => englishWords(text, []))).toEqual([]);
  });

  test.each(TURNOUT_STAGES)('of too few pilots, %s before', (stage) => {
    const mission = { missionId: 'm', missionName: 'Viper', startMs: SAMPLE_START, minutes: 120, timeZone: 'UTC' };
    for (const held of [0, 1, 2]) {
      const numbers = { stage, probability: 0.4, seats: 4, accepted: held, enough: held + 1 };
      expectNoEnglish(turnoutCard({ ...mission, ...numbers }, SITE, 'row', texts), 4);
    }
  });
});

const MISSION: MissionFacts = {
  id: '0192c0de-0000-7000-8000-000000000000',
  name: 'Viper',
  theater: 'Syria',
  startMs: SAMPLE_START,
  endMs: SAMPLE_START + 3 * HOUR,
  isCancelled: false,
  aircraft: Array.from({ length: 14 }, () => ({ name: 'F-16C Viper', seats: 1 })),
};

const seat = (pilot: string | null, change = {}) => ({ pilot, isAsked: false, isNoShow: false, ...change });
const CARD: MissionCardFacts = {
  ...MISSION,
  secretSides: false,
  sides: 2,
  notes: 'Two HARMs each',
  standby: 2,
  flights: ([0, 1] as const).map((side) => ({
    callsign: 'Viper 1',
    aircraft: 'F-16C Viper',
    role: 'CAP',
    side,
    seats: [seat('Vesper'), seat('Vesper', { isAsked: true }), seat('Vesper', { isNoShow: true }), seat(null)],
  })),
};
const [flight] = CARD.flights;

describe('posts and news of a mission', () => {
  test.each<[string, Partial<MissionCardFacts>]>([
    ['with two flights', {}],
    [
      'with more flights than a card holds',
      { flights: Array.from({ length: 120 }, () => flight ?? []) as typeof CARD.flights },
    ],
    ['without seats', { flights: CARD.flights.map((one) => ({ ...one, seats: [] })) }],
    ['cancelled', { isCancelled: true }],
  ])('the card %s', (_what, change) => {
    for (const hours of [-1, 1, 4]) {
      const place = { publicUrl: SITE, roleId: null };
      expectNoEnglish(missionCard({ ...CARD, ...change }, place, SAMPLE_START + hours * HOUR, texts), 4);
    }
  });

  test.each<[string, object]>([
    ['the event', missionEvent(MISSION, SITE, texts)],
    ['the event of one without a name', missionEvent({ ...MISSION, name: ' ' }, SITE, texts)],
    ['the card in a server that is left out', leftOutCard(CARD, texts)],
    ['news', missionNews(MISSION, SITE, 'row', texts)],
    ['news of a week', weekNews([MISSION, { ...MISSION, isCancelled: true }], SITE, 'row', texts)],
    ['a message to the community', communityNews({ text: 'Akrotiri', community: 'Lantern Wing' }, SITE, 'row', texts)],
    ['one of a community without a name', communityNews({ text: 'Akrotiri', community: null }, SITE, 'row', texts)],
    ['news of one without aircraft', missionNews({ ...MISSION, aircraft: [] }, SITE, 'row', texts)],
    ['news of a cancelled one', missionNews({ ...MISSION, isCancelled: true }, SITE, 'row', texts)],
    ['a mention', closedDmsMention('1', 'row', texts)],
    ['the announcement', registrationAnnouncement('Lantern Wing', 'row', texts)],
    ['the welcome', welcomeMessage('row', texts)],
  ])('%s', (_what, message) => expectNoEnglish(message));
});

describe('/mission', () => {
  const aircraft = AIRCRAFT.find(({ name }) => name === 'F-16C Viper');
  if (!aircraft) throw new Error('There is no F-16C');
  const preview = (filled: number, skipped: string | null): DiscordMessage =>
    missionPreview(
      {
        ...MISSION,
        timeZone: 'Europe/Berlin',
        dateLocal: '2026-11-20',
        seats: Array.from({ length: 90 }, () => ({ aircraft, slotCount: 1, role: 'CAP' as const, side: 1 as const })),
        skipped,
        dryRun: { seats: 2, filled, slots: [] },
        publicUrl: SITE,
      },
      texts,
    );
  const about = { id: MISSION.id, name: MISSION.name, startMs: MISSION.startMs };

  test.each<[string, object]>([
    ['a draft that asks nobody', preview(0, null)],
    ['a draft that asks one', preview(1, '02:30')],
    ['a draft that fills every seat', preview(2, null)],
    ['published', publishedMessage(CARD, '2026-11-20', SITE, texts)],
    ['the roster', rosterMessage(CARD, ['Vesper'], '2026-11-20', { publicUrl: SITE, nowMs: SAMPLE_START }, texts)],
    ['a question about nobody', cancelQuestion(about, 0, texts)],
    ['a question about one', cancelQuestion(about, 1, texts)],
    ['posted', announcedMessage('Viper', '1', SITE, texts)],
  ])('%s', (_what, message) => expectNoEnglish(message));

  test('short answers', () => {
    const draft = missionChoice({ ...about, isDraft: true }, 'Europe/Berlin', texts);
    const said = [
      discardedMessage(texts),
      cancelledMessage('Viper', texts),
      announcedMessage('Viper', '1', null, texts),
      { content: draft.name },
    ];
    expectNoEnglish(said, said.length);
  });

  test.each([
    [{ date: 'someday' }, '4 F-16C CAP'],
    [{ time: 'late' }, 'F-16C'],
    [{ duration: 'long' }, '4 blue'],
    [{}, '4 F-16C blue red'],
  ])('what cannot be read is answered with what to write: %j, %j', (change, seats) => {
    const written = { date: '2026-11-28', time: '19:00', duration: '2h', ...change };
    const readings = [readTimes(written, 'UTC', SAMPLE_START, texts), readSeats(seats, AIRCRAFT, texts)];
    const problems = readings.flatMap((reading) => ('problem' in reading ? [reading.problem] : []));
    expect(problems).not.toEqual([]);
    expect(problems.flatMap((text) => englishWords(text, [seats]))).toEqual([]);
  });
});
