/** Details of a template applied to a plan: by kind of flight, as far as they are free, and within the mission. */
import { expect, test } from 'vitest';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { planMission, type PlanRequest, type PlanSlot } from '#server/planning/rules/mission-plan.ts';
import { detailPlan, NO_DETAILS, type PlanDetails } from '#server/planning/rules/plan-details.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import type { FlightDetails } from '#shared/mission-content.ts';

const START = Date.UTC(2026, 6, 1, 19);
function slot(id: number, slotCount: number, role: PlanSlot['role']): PlanSlot {
  const aircraft = AIRCRAFT_CATALOGUE.find((one) => one.id === id);
  if (!aircraft) throw new Error(`no aircraft ${id}`);
  return { aircraft, slotCount, role, side: 0, additionalNotes: null };
}
const requestOf = (slots: PlanSlot[], taken: Partial<PlanRequest> = {}): PlanRequest => ({
  theater: 'Syria',
  startMs: START,
  endMs: START + 120 * MINUTE_MS,
  slots,
  takenCallsigns: new Set(),
  takenFrequencies: new Set(),
  ...taken,
});
const detail = (callsign: string, rest: Partial<FlightDetails> = {}): FlightDetails => ({
  aircraftId: 2,
  role: 'CAP',
  side: 0,
  callsign,
  radioFreq: null,
  launchMinutes: null,
  totMinutes: null,
  ...rest,
});
function apply(request: PlanRequest, details: Partial<PlanDetails>) {
  const { packages } = detailPlan(planMission(request), { ...NO_DETAILS, ...details }, request);
  return { packages, flights: packages.flatMap(({ flights }) => flights) };
}

test('without details it is the plan', () => {
  const request = requestOf([slot(2, 8, 'CAP'), slot(5, 4, 'Strike')]);
  const plan = planMission(request).packages;
  const { packages } = apply(request, {});
  expect(packages).toEqual(
    plan.map((one) => ({
      ...one,
      ownObjective: null,
      flights: one.flights.map((flight) => ({ ...flight, launchMinutes: null, totMinutes: null })),
    })),
  );
});

test('the n-th flight of a kind takes the n-th details, and others keep the plan', () => {
  const request = requestOf([slot(2, 8, 'CAP'), slot(5, 4, 'Strike')]);
  const { flights } = apply(request, { flights: [detail('Reaper 1'), detail('Reaper 2'), detail('Reaper 3')] });
  expect(flights.map(({ callsign }) => callsign)).toEqual([
    'Reaper 1',
    'Reaper 2',
    expect.not.stringMatching(/^Reaper/),
  ]);
});

test('a callsign or frequency in use is not taken, in any case; a planned one makes way for a wished one', () => {
  const request = requestOf([slot(2, 8, 'CAP')]);
  const [first, second] = planMission(request).packages[0]?.flights ?? [];
  const wish = { radioFreq: first?.radioFreq ?? null };
  const { flights } = apply(request, { flights: [detail(second?.callsign ?? '', {}), detail('reaper 1', wish)] });
  expect(flights.map(({ callsign }) => callsign)).toEqual([second?.callsign, 'reaper 1']);
  expect(flights[1]?.radioFreq).toBe(first?.radioFreq);
  expect(new Set(flights.map(({ radioFreq }) => radioFreq)).size).toBe(2);
  const taken = { takenCallsigns: new Set(['Reaper 1']), takenFrequencies: new Set([wish.radioFreq ?? '']) };
  const beside = apply(requestOf([slot(2, 4, 'CAP')], taken), { flights: [detail('reaper 1', wish)] }).flights;
  expect(beside[0]?.callsign).not.toBe('reaper 1');
  expect(beside[0]?.radioFreq).not.toBe(wish.radioFreq);
});

test('own times within the mission move flight and package; others become the usual ones', () => {
  const request = requestOf([slot(2, 2, 'CAP'), slot(2, 2, 'SEAD')]);
  const late = detail('Late 1', { role: 'SEAD', launchMinutes: 121 });
  const { packages, flights } = apply(request, {
    flights: [detail('Early 1', { launchMinutes: 20, totMinutes: 60 }), late],
  });
  expect(flights[0]).toMatchObject({
    launchMs: START + 20 * MINUTE_MS,
    totMs: START + 60 * MINUTE_MS,
    launchMinutes: 20,
  });
  expect(packages[0]).toMatchObject({ launchMs: START + 20 * MINUTE_MS, totMs: START + 60 * MINUTE_MS });
  expect(flights[1]).toMatchObject({ launchMinutes: null, totMinutes: null });
});

test('packages take callsign and objective by side and kind of role', () => {
  const request = requestOf([slot(2, 2, 'CAP'), slot(2, 2, 'SEAD')]);
  const wish = { role: 'DEAD', side: 0, callsign: 'HAMMER', objective: 'Bridge' } as const;
  const { packages } = apply(request, { packages: [wish] });
  expect(packages.map(({ callsign, objective, ownObjective }) => [callsign, objective, ownObjective])).toEqual([
    ['ALPHA', 'CAP, Syria', null],
    ['HAMMER', 'Bridge', 'Bridge'],
  ]);
});
