/** The logic of the edit form: payload, consequences, and rebase on a newer state; long rosters. */
import { expect, test } from 'vitest';
import { findConsequences, sayConsequences } from '#client/features/missions/edit/edit-consequences.ts';
import { changesOf, draftOf, rebase, type EditDraft } from '#client/features/missions/edit/mission-edit.ts';
import { rosterMessages } from '#client/features/missions/seats/roster.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { MissionDetailDto, MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { FlightDto } from '#shared/schemas/missions.ts';

const flight = (id: string, more: Partial<FlightDto> = {}): FlightDto => ({
  id,
  callsign: id.toUpperCase(),
  aircraftId: 2,
  aircraftName: 'F-16C Viper',
  role: 'CAP',
  side: 0,
  launchUtc: null,
  launch: null,
  totUtc: null,
  tot: null,
  launchMinutes: null,
  totMinutes: null,
  radioFreq: '251.000 AM',
  sizeCap: 2,
  notes: null,
  sortOrder: 0,
  acceptedCount: 0,
  pendingCount: 0,
  openSlots: 2,
  assignments: [],
  ...more,
});

const mission = (flights: FlightDto[], more: Partial<MissionDetailDto> = {}): MissionDetailDto => ({
  id: 'm',
  name: 'Op',
  theater: 'Syria',
  status: 'scheduled',
  timeZone: 'UTC',
  ownTimeZone: 'UTC',
  guildIds: null,
  secretSides: null,
  version: '1',
  startLocal: '2027-06-10T18:00',
  endLocal: '2027-06-10T21:00',
  startUtc: '2027-06-10T18:00:00.000Z',
  endUtc: '2027-06-10T21:00:00.000Z',
  isPractice: false,
  createdByName: 'Goose',
  ...eachField(MISSION_TEXT_KEYS, () => null),
  links: [],
  aircraftSlots: [],
  packages: [
    {
      id: 'p',
      callsign: 'ALPHA',
      objective: 'CAP, Syria',
      ownObjective: null,
      launchUtc: null,
      launch: null,
      totUtc: null,
      tot: null,
      notes: null,
      sortOrder: 0,
      flights,
    },
  ],
  ...more,
});

const order = (
  id: string,
  flightId: string,
  seatIndex: number,
  more: Partial<MissionOrderDto> = {},
): MissionOrderDto => ({
  id,
  seq: 1,
  label: 'FRAG-001',
  userId: id,
  userDisplayName: id,
  flightId,
  flightCallsign: flightId.toUpperCase(),
  aircraftName: 'F-16C Viper',
  seatIndex,
  status: 'issued',
  statusReason: null,
  rsvp: 'accepted',
  isOpenOffer: false,
  holdsSeat: true,
  isLate: false,
  standbyPosition: null,
  issuedAt: '2027-06-01T00:00:00.000Z',
  expiresAt: '2027-06-03T00:00:00.000Z',
  answeredAt: null,
  reminders: [],
  confirmedAt: null,
  reasons: [],
  changes: [],
  attendance: null,
  ...more,
});

const base = draftOf(mission([flight('viper'), flight('dodge')]), 'Europe/Berlin');
const withFlight = (id: string, change: Partial<EditDraft['flights'][number]>): EditDraft => ({
  ...base,
  flights: base.flights.map((one) => (one.id === id ? { ...one, ...change } : one)),
});

test.each<[string, EditDraft, object]>([
  ['nothing', base, {}],
  ['a space more is nothing', { ...base, name: 'Op ' }, {}],
  [
    'both times and their zone when one of them changed',
    { ...base, endLocal: '2027-06-10T23:30' },
    { startLocal: '2027-06-10T20:00', endLocal: '2027-06-10T23:30', timeZone: 'Europe/Berlin' },
  ],
  ['an emptied radio is none', withFlight('dodge', { radioFreq: '' }), { flights: [{ id: 'dodge', radioFreq: null }] }],
  [
    'no changes of a flight that is removed',
    withFlight('viper', { role: 'SEAD', isRemoved: true }),
    { removeFlightIds: ['viper'] },
  ],
])('an edit sends what changed: %s', (_rule, draft, sent) => {
  expect(changesOf(base, draft, 'Europe/Berlin')).toEqual(sent);
});

const CREW = [
  order('a', 'viper', 0),
  order('b', 'viper', 1, { rsvp: 'pending' }),
  order('c', 'dodge', 0),
  order('d', 'dodge', 1, { rsvp: 'standby', holdsSeat: false }),
  order('e', 'dodge', 1, { rsvp: 'declined', holdsSeat: false }),
  order('f', 'viper', 1, { rsvp: 'pending', expiresAt: '2027-05-01T00:00:00.000Z', holdsSeat: false }),
];
const NOW = new Date('2027-06-01T12:00:00Z');

test.each<[EditDraft, string[]]>([
  [{ ...base, name: 'Other', theater: 'Kola' }, ['No pilots are affected.']],
  [{ ...base, notes: 'Tanks' }, ['Notes changed. 4 pilots will be notified.']],
  [
    { ...base, startLocal: '2027-06-10T20:15' },
    ['Start changed. 3 pilots will be asked again; 2 had accepted.', 'Start changed. 1 pilot will be notified.'],
  ],
  [
    withFlight('dodge', { side: 1 }),
    [
      'DODGE side changed. 1 pilot, who had accepted, will be asked again.',
      'DODGE side changed. 1 pilot will be notified.',
    ],
  ],
  [
    withFlight('viper', { sizeCap: 1, radioFreq: '252.000' }),
    ['VIPER radio changed. 1 pilot will be notified.', '1 pilot will lose their seat: VIPER has fewer seats.'],
  ],
  [withFlight('viper', { sizeCap: 4 }), ['2 seats are added; orders will go out to suitable pilots.']],
])('tells the consequences of saving: %#', (draft, said) => {
  expect(
    sayConsequences(findConsequences(base, draft, CREW, { isUnderWay: false, now: NOW, lost: new Set() }), false),
  ).toEqual(said);
});

test('pilots who no longer fit are not counted among those who are asked again', () => {
  const moved = { ...base, startLocal: '2027-06-10T20:15' };
  const said = findConsequences(base, moved, CREW, { isUnderWay: false, now: NOW, lost: new Set(['a']) });
  expect(sayConsequences(said, false)[0]).toBe('Start changed. 2 pilots will be asked again; 1 had accepted.');
});

test('only typed values survive a rebase on a newer state', () => {
  const mine: EditDraft = { ...withFlight('viper', { notes: 'mine' }), name: 'Mine' };
  const newer = draftOf(
    mission([flight('viper', { role: 'SEAD' }), flight('hawg')], { notes: 'theirs', name: 'Theirs' }),
    'Europe/Berlin',
  );
  const kept = rebase(base, mine, newer);
  expect([kept.name, kept.notes]).toEqual(['Mine', 'theirs']);
  expect(kept.flights.map(({ id, role, notes }) => [id, role, notes])).toEqual([
    ['viper', 'SEAD', 'mine'],
    ['hawg', 'CAP', ''],
  ]);
});

test('links are sent as a whole when one of them changed, and typed ones survive a rebase', () => {
  const chart = { kind: 'chart', title: 'Akrotiri', url: 'https://charts.example/akrotiri' } as const;
  const mine: EditDraft = { ...base, links: [chart] };
  expect(changesOf(base, mine, 'UTC')).toEqual({ links: [chart] });
  expect(changesOf(mine, { ...mine, links: [] }, 'UTC')).toEqual({ links: [] });
  const newer = { ...base, name: 'Theirs', links: [{ ...chart, title: 'Theirs' }] };
  expect(rebase(base, mine, newer)).toMatchObject({ name: 'Theirs', links: [chart] });
  expect(rebase(base, base, newer).links).toEqual(newer.links);
  const said = findConsequences(base, mine, CREW, { isUnderWay: false, now: NOW, lost: new Set() });
  expect(sayConsequences(said, false)[0]).toMatch(/^Links changed\. \d pilots will be notified\.$/);
});

test('a long roster is split into messages that Discord accepts, without losing a line', () => {
  const pilots = (id: string) =>
    [0, 1, 2, 3].map((seatIndex) => ({
      flightId: id,
      seatIndex,
      userId: `${id}${seatIndex}`,
      userDisplayName: `${id}-${seatIndex} ${'*'.repeat(190)}`,
    }));
  const flights = Array.from({ length: 64 }, (_, at) =>
    flight(`f${at}`, { sizeCap: 4, sortOrder: at, assignments: pilots(`f${at}`) }),
  );
  const messages = rosterMessages(mission(flights), new Map());
  expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(2000);
  const seats = messages.flatMap((message) => message.split('\n')).filter((line) => line.startsWith('Seat '));
  expect(seats).toHaveLength(256);
});

test('a launch asks again when it moves by 15 minutes, counted from the stored time; packages only inform', () => {
  const timed = { launchUtc: '2027-06-10T18:30:00.000Z', totUtc: '2027-06-10T19:00:00.000Z' };
  const before = draftOf(mission([flight('a', timed)]), 'UTC');
  const orders = [order('o', 'a', 0, { rsvp: 'accepted' })];
  const now = new Date('2027-06-01T00:00:00.000Z');
  const look = (after: EditDraft) => {
    const { askedAgain, told } = findConsequences(before, after, orders, { isUnderWay: false, now, lost: new Set() });
    return [askedAgain.pilots, told.pilots];
  };
  const launching = (launchMinutes: string) => ({
    ...before,
    flights: before.flights.map((one) => ({ ...one, launchMinutes })),
  });
  expect(look(launching('44'))).toEqual([0, 1]);
  expect(look(launching('45'))).toEqual([1, 0]);
  expect(look(launching('15'))).toEqual([1, 0]);
  const named = {
    ...before,
    packages: before.packages.map((one) => ({ ...one, callsign: 'HAMMER', objective: 'Hama' })),
  };
  expect(look(named)).toEqual([0, 1]);
  expect(changesOf(before, named, 'UTC')).toEqual({ packages: [{ id: 'p', callsign: 'HAMMER', objective: 'Hama' }] });
  expect(changesOf(before, launching(' 45 '), 'UTC')).toEqual({ flights: [{ id: 'a', launchMinutes: 45 }] });
  // what somebody else changed meanwhile stays, and so does what was typed
  const newer = draftOf(mission([flight('a', { ...timed, totMinutes: 70 })]), 'UTC');
  const merged = rebase(before, { ...named, flights: launching('45').flights }, newer);
  expect(merged.packages[0]).toMatchObject({ callsign: 'HAMMER', objective: 'Hama' });
  expect(merged.flights[0]).toMatchObject({ launchMinutes: '45', totMinutes: '70' });
});
