/** The rules of proposed attendance: whose a name is, and when a pilot has flown. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOwnerOf, isUnitName, nameKey, ownersOf } from '#server/missions/attendance/rules/game-names.ts';
import { assess, type SeenBy } from '#server/missions/attendance/rules/propose.ts';
import { isSameAircraft } from '#server/missions/attendance/rules/same-aircraft.ts';
import { mergeIntervals } from '#server/time/intervals.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';

describe('a name in the game', () => {
  test.each([
    ['Vesper'],
    ['VESPER'],
    ['[JG54] Vesper'],
    ['(VF-1) vesper'],
    ['Vesper [=132nd=]'],
    ['<TAG>Vesper'],
    ['=RvE=Vesper'],
    ['Vesper | 1-1'],
    ['Viper 1-1 | Vesper'],
    ['Viper 1-1 Vesper'],
    ['JG54 | Vesper'],
    ['VF-84 / Vesper'],
    ['Ｖｅｓｐｅｒ'],
    [' ves per '],
  ])('%s is Vesper without case and decoration', (name) => expect(nameKey(name)).toBe('vesper'));

  test.each([['Vesper2'], ['Vesper Lynd'], ['Vespa'], ['[Vesper]'], ['Raven | Vesper']])(
    '%s is another one, or all decoration',
    (name) => expect([nameKey(name) === nameKey('Vesper'), name === '[Vesper]']).toContain(name === '[Vesper]'),
  );

  test.each([
    ['Aerial-1-1', 'Aerial-1', true],
    ['CAP North-2', 'CAP North', true],
    ['Enfield-1', 'Enfield-1', true],
    ['Pilot #004', '', true],
    ['Vesper', 'Enfield-1', false],
    ['Vesper', 'Vesp', false],
    ['Vesper', '', false],
  ])('%s in the group %s is a computer: %s', (name, group, is) => expect(isUnitName(name, group)).toBe(is));

  const known = [
    { pilotId: 'vesper', callSign: '[VF-1] Vesper' },
    { pilotId: 'twin', callSign: 'VESPER' },
    { pilotId: 'raven', callSign: 'Raven' },
    { pilotId: 'nameless', callSign: null },
  ];

  test('belongs to nobody among two who are alike, and an admin’s word decides', () => {
    const ownerOf = createOwnerOf(known, [{ pilotId: 'raven', name: 'xX_RVN_Xx' }]);
    expect(ownerOf('Vesper | 1-1')).toEqual({ kind: 'alike', pilotIds: ['vesper', 'twin'] });
    expect(ownerOf('raven | 2-1')).toEqual({ kind: 'pilot', pilotId: 'raven', isProved: false });
    expect(ownerOf('xx_rvn_xx')).toEqual({ kind: 'pilot', pilotId: 'raven', isProved: true });
    expect(ownerOf('Goose')).toEqual({ kind: 'unknown' });
    const decided = createOwnerOf(known, [{ pilotId: 'twin', name: 'Vesper' }]);
    expect(decided('vesper')).toEqual({ kind: 'pilot', pilotId: 'twin', isProved: true });
    expect(decided('[A] Vesper')).toMatchObject({ kind: 'alike' });
  });

  test('is nobody’s where another name of the same pilot is aboard at the same time, unless an admin has said so', () => {
    const times = new Map([
      ['[A] Raven', [{ startMs: 0, endMs: 10 }]],
      ['[B] Raven', [{ startMs: 5, endMs: 15 }]],
    ]);
    const owners = ownersOf(times, createOwnerOf(known, []));
    expect([...owners.values()]).toEqual([
      { kind: 'alike', pilotIds: ['raven'] },
      { kind: 'alike', pilotIds: ['raven'] },
    ]);
    const proved = ownersOf(times, createOwnerOf(known, [{ pilotId: 'raven', name: '[b] raven' }]));
    expect(proved.get('[A] Raven')).toMatchObject({ kind: 'alike' });
    expect(proved.get('[B] Raven')).toMatchObject({ kind: 'pilot' });
    const apart = ownersOf(new Map([...times, ['[B] Raven', [{ startMs: 10, endMs: 15 }]]]), createOwnerOf(known, []));
    expect([...apart.values()].map(({ kind }) => kind)).toEqual(['pilot', 'pilot']);
  });

  test('of any text has a key, at once, and the key is the same in either case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
        expect(nameKey(name.toUpperCase().toLowerCase())).toBe(nameKey(name.toUpperCase()));
      }),
      { numRuns: 300 },
    );
    const spent = startProcessorTime();
    for (const part of ['[', '=', '- ', '1-', '((', 'a 1-1 ']) nameKey(part.repeat(120 / part.length));
    expect(spent()).toBeLessThan(200);
  });
});

test.each([
  ['F-16C_50', true],
  ['F-16C', true],
  ['F-16C Fighting Falcon', true],
  ['f16c', true],
  ['F-16CM-50', false],
  ['F-16A', false],
  ['', false],
])('the type %s is an F-16C Viper: %s', (seen, is) => {
  expect(isSameAircraft(seen, { code: 'F-16C_50', name: 'F-16C Viper' })).toBe(is);
});

test('a variant of a type is that type', () => {
  expect(isSameAircraft('F-14A-135-GR', { code: 'F-14B', name: 'F-14B Tomcat' })).toBe(true);
});

describe('the rule', () => {
  const MINUTE = 60_000;
  const seat = {
    side: SIDES.blue,
    aircraft: { code: 'F-16C_50', name: 'F-16C Viper' },
    launchMs: 60 * MINUTE,
    missionEndMs: 180 * MINUTE,
  };
  const seen = (from: number, to: number, rest: Partial<SeenBy> = {}): SeenBy => ({
    source: 'tacview',
    name: 'Vesper',
    unit: 'Viper 1',
    aircraft: 'F-16C_50',
    side: SIDES.blue,
    startMs: from * MINUTE,
    endMs: to * MINUTE,
    tookOffMs: null,
    landedMs: null,
    ...rest,
  });
  test.each([
    ['twenty minutes in the seat', [seen(40, 60)], 'flew'],
    ['a second less', [seen(40, 60 - 1 / 60)], null],
    ['half an hour before launch, and no earlier', [seen(0, 50)], 'flew'],
    ['what is earlier', [seen(0, 49)], null],
    ['what is later than the end', [seen(170, 260)], null],
    ['two times together', [seen(40, 50), seen(90, 100)], 'flew'],
    ['the same time twice', [seen(40, 55), seen(40, 55), seen(45, 58)], null],
    ['the other side', [seen(40, 100, { side: SIDES.red })], 'other_seat'],
    ['another aircraft', [seen(40, 100, { aircraft: 'A-10C_2' })], 'other_seat'],
    ['a side that is not known', [seen(40, 100, { side: null })], 'other_seat'],
    ['twenty minutes in two seats', [seen(40, 50), seen(50, 60, { aircraft: 'A-10C_2' })], 'other_seat'],
    ['nothing', [], null],
  ])('%s', (_what, presences, verdict) => expect(assess(seat, presences).verdict).toBe(verdict));

  test('counts no time twice, whatever sources repeat, and proposes nothing below twenty minutes', () => {
    const presence = fc
      .record({
        from: fc.integer({ min: 0, max: 220 }),
        length: fc.integer({ min: 1, max: 60 }),
        isSeat: fc.boolean(),
      })
      .map(({ from, length, isSeat }) => seen(from, from + length, isSeat ? {} : { aircraft: 'A-10C_2' }));
    fc.assert(
      fc.property(fc.array(presence, { maxLength: 12 }), (presences) => {
        const { verdict, evidence } = assess(seat, presences);
        // the oracle counts minutes one by one
        const isIn = (minute: number) => (one: SeenBy) => one.startMs <= minute * MINUTE && minute * MINUTE < one.endMs;
        const counted = Array.from({ length: 150 }, (_, index) => index + 30);
        const inSeat = counted.filter((m) => presences.some((one) => one.aircraft === 'F-16C_50' && isIn(m)(one)));
        const aboard = counted.filter((m) => presences.some(isIn(m)));
        expect(verdict).toBe(inSeat.length >= 20 ? 'flew' : aboard.length >= 20 ? 'other_seat' : null);
        expect([evidence?.minutes ?? 0, evidence?.otherMinutes ?? 0]).toEqual([
          inSeat.length,
          aboard.length - inSeat.length,
        ]);
        // the same files again, in another order, and their union say the same
        expect(assess(seat, [...presences, ...presences].toReversed())).toEqual({ verdict, evidence });
        expect(mergeIntervals(presences).length).toBeLessThanOrEqual(presences.length);
      }),
      { numRuns: 300 },
    );
  });
});
