import { describe, expect, test } from 'vitest';
import { describeKneeboard } from '#shared/kneeboard-content.ts';
import { eachField, MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import { notesOf, orderTexts } from '#shared/order-facts.ts';
import { SAMPLE_ORDER } from '#tests/harness/sample-order.ts';

const NO_TEXTS = { notes: null, missionTexts: eachField(MISSION_TEXT_KEYS, () => null) };

describe('the texts of an order', () => {
  test("have the mission's labels; notes are last, the flight's before the mission's", () => {
    const texts = orderTexts(SAMPLE_ORDER);
    expect(texts.at(-1)).toEqual({ key: 'notes', label: 'Notes', parts: ['Two HARMs each', 'notes of the mission'] });
    expect(new Set(texts.map(({ label }) => label))).toEqual(
      new Set(MISSION_TEXT_KEYS.map((key) => MISSION_TEXTS[key].words)),
    );
  });

  test('are empty when there are none', () => {
    expect(orderTexts(NO_TEXTS)).toEqual([]);
    expect(notesOf(NO_TEXTS)).toEqual([]);
    expect(notesOf({ ...NO_TEXTS, notes: 'Low' })).toEqual(['Low']);
  });

  test('follow their labels below a heading, except the notes', () => {
    const lines = notesOf(SAMPLE_ORDER);
    expect(lines.slice(-2)).toEqual(['Two HARMs each', 'notes of the mission']);
    expect(lines.slice(0, -2)).toEqual(
      MISSION_TEXT_KEYS.filter((key) => key !== 'notes').map(
        (key: keyof typeof MISSION_TEXTS) => `${MISSION_TEXTS[key].words}: ${key} of the mission`,
      ),
    );
  });
});

describe('the text of the kneeboard card', () => {
  test("has the order, its times in Zulu and in the pilot's zone, and its package with the pilot's flight first", () => {
    expect(describeKneeboard(SAMPLE_ORDER, 'Asia/Tokyo', 'marshal.example')).toEqual({
      label: 'FRAG-012',
      mission: 'Op Iron Hound',
      theater: 'Syria',
      role: 'CAP',
      side: 1,
      dateZulu: 'Fri, Nov 20, 2026',
      dateLocal: 'Sat, Nov 21, 2026',
      zone: 'Asia/Tokyo',
      times: [
        { label: 'Brief', zulu: '1900Z', local: '0400L', shift: '+1' },
        { label: 'Launch', zulu: '1930Z', local: '0430L', shift: '+1' },
        { label: 'TOT', zulu: '2000Z', local: '0500L', shift: '+1' },
        { label: 'End', zulu: '2200Z', local: '0700L', shift: '+1' },
      ],
      seat: {
        flightCallsign: { label: 'Flight', value: 'VIPER 1' },
        seatIndex: { label: 'Seat', value: '2 of 2' },
        aircraftName: { label: 'Aircraft', value: 'F-16C Viper' },
      },
      radio: {
        radioFreq: { label: 'Radio', value: '251.000 AM' },
        package: { label: 'Package ALPHA', value: 'CAP, Syria' },
      },
      flights: [
        {
          callsign: 'VIPER 1',
          aircraft: 'F-16C Viper',
          radio: '251.000 AM',
          isOwn: true,
          seats: [null, 'Maverick'],
        },
        { callsign: 'DUDE 1', aircraft: 'F-15E', radio: null, isOwn: false, seats: ['Goose'] },
      ],
      notes: notesOf(SAMPLE_ORDER),
      links: [{ kind: 'chart', title: 'Akrotiri', url: 'https://charts.example/akrotiri' }],
      footer: { pilot: 'Maverick', issued: 'issued Tue, Nov 17, 2026, 1900Z', host: 'marshal.example' },
    });
  });

  test('leaves out times that are not set, and names a pilot without a call sign a pilot', () => {
    const { package: own } = SAMPLE_ORDER;
    const card = describeKneeboard(
      { ...SAMPLE_ORDER, launchUtc: null, totUtc: null, package: { ...own, composition: [] } },
      'UTC',
      '',
    );
    expect(card.times.map(({ label, shift }) => label + shift)).toEqual(['Brief', 'End']);
    expect(card.seat.seatIndex.value).toBe('2 of 2');
    expect(card.footer.pilot).toBe('Pilot');
  });
});
