/** Slots: the seats of current missions with the pilots for whom they are kept, for game servers. */
import { readLineUp, type LineUp, type LineUpSeat } from '#server/missions/line-up.ts';
import { fileKey } from '#server/missions/mission-file/rules/file-key.ts';
import { listQueue } from '#server/orders/seats/standby-queue.ts';
import { AppError } from '#server/platform/errors.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { HOUR_MS, MINUTE_MS, toIso } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { NAMELESS } from '#shared/labels.ts';
import type { MissionSlots, SlotDto, SlotPilotDto } from '#shared/schemas/slots.ts';
import { SLOTS } from '#shared/slots.ts';

/** Missions whose slots can be read: published, from some hours before the start until the end, also practice missions. */
const selectCurrent = (em: Em, now: Date) =>
  db(em)
    .selectFrom('mission')
    .select('id')
    .where('status', '=', 'scheduled')
    .where('starts_at', '<=', new Date(now.getTime() + SLOTS.hoursBefore * HOUR_MS))
    .where('ends_at', '>', now)
    .orderBy('starts_at')
    .orderBy('id');

/** The pilots by their ids, with the names by which a game server can know them. */
async function namePilots(em: Em, ids: readonly string[]): Promise<Map<string, SlotPilotDto>> {
  const callSigns = await db(em)
    .selectFrom('app_user')
    .select(['id', 'display_name as callSign'])
    .where(isOneOf('id', ids))
    .execute();
  const others = await db(em)
    .selectFrom('game_identity')
    .select(['user_id as userId', 'name'])
    .where(isOneOf('user_id', ids))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return new Map(
    callSigns.map(({ id, callSign }) => {
      const names = [callSign ?? [], ...others.filter(({ userId }) => userId === id).map(({ name }) => name)].flat();
      return [id, { callSign: callSign ?? NAMELESS, names }];
    }),
  );
}

function unitOf({ groupId, unitId, station }: LineUpSeat, groups: LineUp['groups']): SlotDto['unit'] {
  const group = groups.find((one) => one.groupId === groupId);
  const unit = group?.units.find((one) => one.unitId === unitId);
  return group && unit ? { unitId: unit.unitId, name: unit.name, group: group.name, station: station ?? 1 } : null;
}

async function presentSlots(em: Em, missionId: string, now: Date): Promise<MissionSlots> {
  const { name, startMs, endMs, seats, groups } = await readLineUp(em, missionId);
  const standby = await listQueue(em, missionId);
  const pilots = await namePilots(em, [...seats.flatMap(({ holderId }) => holderId ?? []), ...standby]);
  const keptUntilMs = startMs + SLOTS.minutesKept * MINUTE_MS;
  return {
    missionId,
    name,
    fileKey: fileKey(missionId),
    startUtc: toIso(startMs),
    endUtc: toIso(endMs),
    slots: seats.map((seat) => {
      const pilot = (seat.holderId === null ? null : pilots.get(seat.holderId)) ?? null;
      return {
        label: `${seat.callsign}-${seat.seatIndex + 1}`,
        side: seat.side,
        aircraft: seat.aircraftName,
        unit: unitOf(seat, groups),
        pilot,
        keptUntilUtc: pilot === null ? null : toIso(keptUntilMs),
        isOpen: pilot === null || now.getTime() >= keptUntilMs,
      };
    }),
    standby: standby.flatMap((id) => pilots.get(id) ?? []),
  };
}

/** The slots of a current mission. @throws AppError 404 for every other mission */
export async function readSlots(em: Em, missionId: string, now: Date): Promise<MissionSlots> {
  const mission = await selectCurrent(em, now).where('id', '=', missionId).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND', copy.noSlotsNow);
  return presentSlots(em, missionId, now);
}

/** The slots of all current missions, by start. */
export async function readCurrentSlots(em: Em, now: Date): Promise<MissionSlots[]> {
  const missions: MissionSlots[] = [];
  for (const { id } of await selectCurrent(em, now).execute()) missions.push(await presentSlots(em, id, now));
  return missions;
}
