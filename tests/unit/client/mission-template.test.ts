/** The form filled in from a template: its hours in its own zone, on the first date on which it has not started. */
import { expect, test } from 'vitest';
import { draftOfTemplate } from '#client/features/missions/create/mission-template.ts';
import type { MissionTemplateDto } from '#shared/schemas/mission-templates.ts';

const TEMPLATE: MissionTemplateDto = {
  id: '0192c0de-0000-7000-8000-0000000000b1',
  name: 'Wednesday strike',
  isStarter: false,
  theater: 'Syria',
  seats: 4,
  createdByName: 'Ops',
  updatedAt: '2026-03-01T12:00:00.000Z',
  missionName: 'Op Iron Hound',
  startLocal: '20:00',
  minutes: 180,
  timeZone: 'Europe/Berlin',
  notes: null,
  links: [],
  guildIds: null,
  secretSides: null,
  aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 1, notes: 'SEAD', additionalNotes: null }],
  missingAircraft: [],
};

test.each([
  // 19:59 and 20:00 in Berlin, read in New York
  ['before its start', undefined, '2026-03-03T18:59:00Z', '2026-03-03T14:00'],
  ['from its start on', undefined, '2026-03-03T19:00:00Z', '2026-03-04T14:00'],
  // New York has changed its clocks, Berlin has not yet
  ['on a date', '2026-03-20', '2026-03-03T12:00:00Z', '2026-03-20T15:00'],
])('%s', (_name, date, now, startLocal) => {
  const draft = draftOfTemplate(TEMPLATE, date, 'America/New_York', new Date(now));
  expect(draft.startLocal).toBe(startLocal);
  expect(draft.endLocal.slice(11)).toBe(`${Number(startLocal.slice(11, 13)) + 3}:00`);
});

test('fills in every field; a starter has no details of flights', () => {
  const at = new Date('2026-03-03T12:00:00Z');
  const { aircraftSlots, ...draft } = draftOfTemplate(TEMPLATE, undefined, 'Europe/Berlin', at);
  expect(draft).toEqual({
    name: 'Op Iron Hound',
    theater: 'Syria',
    notes: '',
    startLocal: '2026-03-03T20:00',
    endLocal: '2026-03-03T23:00',
    links: [],
    guildIds: null,
    secretSides: null,
    templateId: TEMPLATE.id,
    missionFile: null,
  });
  expect(aircraftSlots).toMatchObject([
    { aircraftId: '2', slotCount: '4', role: 'SEAD', side: 1, additionalNotes: '' },
  ]);
  const starter = { ...TEMPLATE, id: 'starter-flag', isStarter: true };
  expect(draftOfTemplate(starter, undefined, 'UTC', at).templateId).toBeNull();
});
