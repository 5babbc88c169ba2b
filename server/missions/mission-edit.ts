/** An admin's edit of a mission: plans, stores, updates orders and notifies pilots in one transaction. */
import { emit } from '#server/signals/emit.ts';
import { Mission, type Flight } from '#server/schema/mission.ts';
import { db } from '#server/schema/database.ts';
import { unitOfWork } from '#server/schema/flushing.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import type { Interval } from '#server/time/intervals.ts';
import {
  planEdit,
  type EditFlight,
  type EditRefusal,
  type EditRequest,
  type FlightEdit,
  type MissionState,
} from '#server/missions/rules/edit-flights.ts';
import { frequencyText } from '#server/planning/rules/radio.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  callsignInUseSentence,
  copy,
  flightTimesSentence,
  packageInUseSentence,
  radioInUseSentence,
} from '#shared/copy.ts';
import { eachField, givenOf, isEditable, MISSION_FIELD_KEYS, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type {
  EditedMissionDto,
  EditMissionInput,
  EditPreviewDto,
  MissionValues,
} from '#shared/schemas/mission-edit.ts';
import type { MissionStatus } from '#shared/vocabulary.ts';
import { findAircraft, requireOffered } from '#server/accounts/pilots/aircraft.ts';
import { backfill } from '#server/orders/backfill.ts';
import { versionOf } from '#server/schema/base.ts';
import { getMission } from './mission-detail.ts';
import { listEditChanges } from './mission-edit-audit.ts';
import { checkFit, lostReasons, presentMisfits } from './mission-edit-fit.ts';
import { freeLostSeats, listAskedOrders, tellOrders, type EditEffect } from './mission-edit-orders.ts';
import { storeEdit } from './mission-edit-store.ts';
import { nameGuilds, requireGuilds, requireSlots, resolveEditTimes } from '#server/planning/mission-request.ts';
import { lockForWork, requireWork } from '#server/orders/seats/mission-lock.ts';
import { expireOverdueOrders, isSeatRace, selectMissions, type MissionRow } from '#server/orders/seats/orders.ts';
import { findCallsignUser, findFrequencyUser, listTaken, lockPlanning } from '#server/planning/planning.ts';
import type { Viewer } from '#server/platform/viewer.ts';

const NOTHING = { askedAgain: 0, told: 0, freed: 0 };

const toEditFlight = (flight: Flight): EditFlight => ({
  id: flight.id,
  packageId: flight.package.id,
  slotIndex: flight.slotIndex,
  callsign: flight.callsign,
  aircraft: { id: flight.aircraft.id, code: flight.aircraft.code, name: flight.aircraft.name },
  role: flight.role,
  side: flight.side,
  sizeCap: flight.sizeCap,
  launchMs: flight.launchAt?.getTime() ?? null,
  totMs: flight.totAt?.getTime() ?? null,
  launchMinutes: flight.launchMinutes ?? null,
  totMinutes: flight.totMinutes ?? null,
  radioFreq: flight.radioFreq ?? null,
  notes: flight.notes ?? null,
});

function stateOf(mission: Mission): MissionState {
  const packages = mission.packages.getItems();
  return {
    theater: mission.theater,
    startMs: mission.startsAt.getTime(),
    endMs: mission.endsAt.getTime(),
    packages: packages.map(({ id, callsign, objective, ownObjective = null }) => ({
      id,
      callsign,
      objective,
      ownObjective,
    })),
    flights: packages.flatMap(({ flights }) => flights.getItems().map(toEditFlight)),
  };
}

const valuesOf = (mission: Mission): MissionValues => ({
  name: mission.name,
  theater: mission.theater,
  ...eachField(MISSION_TEXT_KEYS, (key) => mission[key] ?? null),
  links: mission.links ?? [],
});

/** True if an edit can affect callsigns or frequencies, which overlapping missions share: it then needs the planning lock. */
const needsPlanning = ({ startLocal, flights = [], addAircraftSlots = [] }: EditMissionInput) =>
  startLocal !== undefined || flights.length > 0 || addAircraftSlots.length > 0;

/** The request as input for the plan; 404 for a flight or package of another mission, 400 for unknown aircraft. */
async function readRequest(
  tx: Em,
  input: EditMissionInput,
  before: MissionState,
  times: Interval,
): Promise<EditRequest> {
  const { flights = [], packages = [], removeFlightIds = [], addAircraftSlots = [] } = input;
  const known = new Set(before.flights.map(({ id }) => id));
  if ([...flights.map(({ id }) => id), ...removeFlightIds].some((id) => !known.has(id))) {
    throw new AppError('FLIGHT_NOT_FOUND');
  }
  if (packages.some((one) => !before.packages.some(({ id }) => id === one.id))) {
    throw new AppError('PACKAGE_NOT_FOUND');
  }
  const fieldOf = (id: number): string =>
    `flights.${flights.findIndex(({ aircraftId }) => aircraftId === id)}.aircraftId`;
  const aircraft = await findAircraft(
    tx,
    flights.flatMap(({ aircraftId }) => aircraftId ?? []),
    fieldOf,
  );
  // a flight keeps an aircraft that has been switched off since
  const kept = new Set(before.flights.map((flight) => flight.aircraft.id));
  const chosen = [...aircraft.values()].filter(({ id }) => !kept.has(id));
  requireOffered(chosen, fieldOf);
  const toEdit = ({ aircraftId, radioFreq, ...edit }: (typeof flights)[number]): FlightEdit => ({
    ...edit,
    ...(aircraftId === undefined ? {} : { aircraft: aircraft.get(aircraftId) }),
    ...(radioFreq === undefined ? {} : { radioFreq: radioFreq === null ? null : frequencyText(radioFreq) }),
  });
  const nobody = { takenCallsigns: new Set<string>(), takenFrequencies: new Set<string>() };
  return {
    startMs: times.startMs,
    endMs: times.endMs,
    theater: input.theater ?? before.theater,
    flightEdits: new Map(flights.map((flight) => [flight.id, toEdit(flight)])),
    packageEdits: new Map(packages.map((one) => [one.id, one])),
    removedFlightIds: new Set(removeFlightIds),
    added: await requireSlots(tx, addAircraftSlots, 'addAircraftSlots'),
    ...(needsPlanning(input) ? await listTaken(tx, times, input.id) : nobody),
  };
}

/** The refusal of a plan. */
async function refusePlan(tx: Em, row: MissionRow, input: EditMissionInput, times: Interval, plan: EditRefusal) {
  const fieldOf = (flightId: string, field: string) => {
    const place = input.flights?.findIndex(({ id }) => id === flightId) ?? -1;
    return { field: place < 0 ? 'flights' : `flights.${place}.${field}` };
  };
  if (plan.problem === 'callsign taken') {
    const user = await findCallsignUser(tx, times, plan.callsign);
    const sentence = callsignInUseSentence(plan.callsign, user?.name ?? row.name);
    return new AppError('CALLSIGN_IN_USE', sentence, fieldOf(plan.flightId, 'callsign'));
  }
  if (plan.problem === 'time outside') {
    const { callsign, field, flightId } = plan;
    return new AppError('VALIDATION', flightTimesSentence(callsign, field), fieldOf(flightId, field));
  }
  if (plan.problem === 'package taken') {
    const place = input.packages?.findIndex(({ id }) => id === plan.packageId) ?? -1;
    return new AppError('CALLSIGN_IN_USE', packageInUseSentence(plan.callsign), {
      field: `packages.${place}.callsign`,
    });
  }
  if (plan.problem !== 'frequency taken') {
    return new AppError('VALIDATION', plan.problem === 'no seats' ? copy.missionNeedsSeat : copy.missionTooManySeats);
  }
  const user = await findFrequencyUser(tx, times, { ...plan, missionId: input.id });
  const sentence = user ? radioInUseSentence(plan.radioFreq, user.callsign, user.name) : copy.radioInvalid;
  return new AppError('RADIO_IN_USE', sentence, fieldOf(plan.flightId, 'radioFreq'));
}

/** The instants and the zone of an occurrence of a series, in place of the wall times of an edit. */
export interface SeriesTimes extends Interval {
  timeZone: string;
}

/** The secrecy of a mission's sides as a change quotes it. */
const nameSecrecy = (secretSides: boolean | null): string =>
  secretSides === null ? 'automatic' : secretSides ? 'on' : 'off';

/** An edit as planned for the mission's current state, which is loaded into a unit of work of its own. Nothing is stored. */
async function prepareEdit(
  tx: Em,
  row: MissionRow,
  status: MissionStatus,
  input: EditMissionInput,
  now: Date,
  bySeries: SeriesTimes | null = null,
) {
  const own = unitOfWork(tx);
  const mission = await own.findOneOrFail(
    Mission,
    { id: input.id },
    { populate: ['packages.flights.aircraft'], refresh: true },
  );
  if (input.version !== undefined && input.version !== versionOf(mission.updatedAt)) {
    throw new AppError('CHANGED', copy.missionChangedMeanwhile);
  }
  const before = stateOf(mission);
  const times = bySeries ?? resolveEditTimes(input, { ...before, timeZone: mission.timeZone }, status, now);
  const plan = planEdit(before, await readRequest(tx, input, before, times));
  if (!plan.ok) throw await refusePlan(tx, row, input, times, plan);

  const from = valuesOf(mission);
  const to: MissionValues = { ...from, ...givenOf(input, [...MISSION_FIELD_KEYS, 'links']) };
  const ownZone = input.startLocal === undefined ? mission.timeZone : (input.timeZone ?? mission.timeZone);
  const timeZone = bySeries?.timeZone ?? ownZone;
  const after = plan.packages.flatMap(({ flights }) => flights);
  const changes = listEditChanges({ ...before, ...from }, { ...to, ...times, packages: plan.packages, flights: after });
  const isUnderWay = status === 'launched';
  // a callsign can change under way: a later end may overlap another mission that uses it
  if (changes.some(({ field }) => !isEditable(field, { isUnderWay }))) {
    throw new AppError('MISSION_UNDER_WAY');
  }
  const effect: EditEffect = {
    mission: { ...row, name: to.name },
    times,
    isUnderWay,
    fields: { from, to },
    before: before.flights,
    after,
    packages: { from: before.packages, to: plan.packages },
  };
  const known = mission.guildIds ?? null;
  const guildIds = input.guildIds === undefined ? known : await requireGuilds(tx, input.guildIds, known ?? []);
  if (JSON.stringify(guildIds) !== JSON.stringify(known)) {
    changes.push({ field: 'servers', from: await nameGuilds(tx, known), to: await nameGuilds(tx, guildIds) });
  }
  const wasSecret = mission.secretSides ?? null;
  const secretSides = input.secretSides === undefined ? wasSecret : input.secretSides;
  if (secretSides !== wasSecret) {
    changes.push({ field: 'secretSides', from: nameSecrecy(wasSecret), to: nameSecrecy(secretSides) });
  }
  const isChanged = changes.length > 0 || timeZone !== mission.timeZone;
  return { own, mission, plan, effect, changes, isChanged, to: { ...to, timeZone, guildIds, secretSides, ...times } };
}

/** Changes of a series leave an occurrence as it is that was edited separately. */
async function markOwn(tx: Em, missionId: string): Promise<void> {
  await db(tx).updateTable('series_occurrence').set({ is_own: true }).where('mission_id', '=', missionId).execute();
}

interface EditOptions {
  /** the change of the series that edits the mission */
  bySeries?: SeriesTimes | null;
  /** What else the transaction does. @param name of the mission after the edit */
  also?: (tx: Em, name: string) => Promise<void>;
}

async function editInside(
  tx: Em,
  viewer: Viewer,
  input: EditMissionInput,
  now: Date,
  { bySeries = null, also }: EditOptions,
): Promise<typeof NOTHING> {
  // the planning lock always comes before a mission's lock, to prevent deadlocks
  if (bySeries || needsPlanning(input)) await lockPlanning(tx);
  const { mission: locked, status } = await lockForWork(tx, input.id, now);
  const prepared = await prepareEdit(tx, locked, status, input, now, bySeries);
  const { own, mission, plan, effect, changes, isChanged, to } = prepared;
  if (!isChanged) {
    await also?.(tx, to.name);
    return NOTHING;
  }
  if (!bySeries) await markOwn(tx, input.id);
  const asked = await listAskedOrders(tx, effect);
  await expireOverdueOrders(tx, now, { pilotIds: asked.map(({ pilotId }) => pilotId) });
  const { misfits, reasons } = await checkFit(tx, effect, now);
  const kept = new Set(input.keepPilotIds);
  const lost = misfits.filter(({ order, isKeepable }) => !isKeepable || !kept.has(order.pilotId));
  const freed = await freeLostSeats(
    tx,
    locked,
    effect,
    lost.map((misfit) => ({ order: misfit.order, reasons: lostReasons(misfit) })),
    now,
  );
  await storeEdit(own, mission, to, plan, now);
  const { askedAgain, told } = await tellOrders(tx, effect, reasons, now);
  emit(tx, { type: 'mission.edited', by: viewer, mission: { id: input.id, name: to.name }, changes });
  await also?.(tx, to.name);
  await backfill(tx, { ...locked, name: to.name, ...effect.times }, now);
  return { askedAgain, told, freed };
}

/**
 * Edit a mission. Changes to time, side, aircraft and role are material, and so is a launch or TOT that moves far: pilots who accepted are asked again, with the old
 * and new values and the reasons that hold now. Of other changes they are only informed. Seats that a flight loses, and
 * those of pilots who are asked again but no longer fit, are freed, except for pilots whom the admin keeps; free seats are
 * filled at once. A draft has no orders, so nobody is notified.
 * @throws AppError 400 for invalid times or seats; 404 for an unknown mission or flight; 409 when the mission is over, for
 *   fields that cannot change under way, for a frequency in use, and for an outdated version
 */
export async function editMission(
  em: Em,
  viewer: Viewer,
  input: EditMissionInput,
  now: Date,
  options: EditOptions = {},
): Promise<EditedMissionDto> {
  const counts = await transact(em, (tx) => editInside(tx, viewer, input, now, options), isSeatRace);
  return { mission: await getMission(em, { id: input.id }, now), ...counts };
}

/**
 * The pilots who would no longer fit after an edit, in order of their orders. Changes nothing.
 * @throws AppError like the edit itself
 */
export async function previewEdit(em: Em, input: EditMissionInput, now: Date): Promise<EditPreviewDto> {
  const row = await selectMissions(em).where('m.id', '=', input.id).executeTakeFirst();
  if (!row) throw new AppError('MISSION_NOT_FOUND');
  const { effect } = await prepareEdit(em, row, requireWork(row, now), input, now);
  const { misfits } = await checkFit(em, effect, now);
  return { misfits: await presentMisfits(em, misfits, effect) };
}
