/** Roster of a mission as Discord messages. */
import { discordTimestamp } from '#client/lib/time.ts';
import { seatLabel, sideName } from '#shared/labels.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { seatKey } from './order-groups.ts';

/** Discord's maximum message length without Nitro, UTF-16 units. */
const MESSAGE_MAX_LENGTH = 2000;
const MARKUP = /[\\*_~`|>#[\]()<:-]/g;
/** Prevents mentions: a backslash does not, so a zero-width space follows the @. */
const SAFE_AT = '@\u200b';

/** Escapes Discord's markup and mentions in names. */
function escape(text: string): string {
  return text.replaceAll(MARKUP, '\\$&').replaceAll('@', SAFE_AT);
}

/** Discord timestamp with the time of day only: `<t:1795201500:t>`. */
function discordClock(instant: string): string {
  return discordTimestamp(instant).replace(':F>', ':t>');
}

function timesOf({ launchUtc, totUtc }: { launchUtc: string | null; totUtc: string | null }): string[] {
  return [
    ...(launchUtc === null ? [] : [`launch ${discordClock(launchUtc)}`]),
    ...(totUtc === null ? [] : [`TOT ${discordClock(totUtc)}`]),
  ];
}

/**
 * Packages, flights and pilots in Discord's markdown; times appear in each reader's zone.
 * @param holders orders that hold a seat, by seat: their pilots are listed as asked unless they have accepted
 * @returns one or more messages within Discord's length limit, split between flights
 */
export function rosterMessages(mission: MissionDto, holders: ReadonlyMap<string, MissionOrderDto>): string[] {
  const messages: string[] = [];
  for (const piece of rosterBlocks(mission, holders).flatMap(cutToLength)) {
    const last = messages.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= MESSAGE_MAX_LENGTH) {
      messages[messages.length - 1] = `${last}\n${piece}`;
    } else {
      messages.push(piece);
    }
  }
  return messages;
}

/** Splits a block that is longer than a message into lines, which are always short enough. */
function cutToLength(block: string): string[] {
  return block.length <= MESSAGE_MAX_LENGTH ? [block] : block.split('\n');
}

/** Text blocks: the heading, then each package and each flight. */
function rosterBlocks(mission: MissionDto, holders: ReadonlyMap<string, MissionOrderDto>): string[] {
  const byOrder = (a: { sortOrder: number }, b: { sortOrder: number }): number => a.sortOrder - b.sortOrder;
  const blocks = [`**${escape(mission.name)}** (${escape(mission.theater)}) ${discordTimestamp(mission.startUtc)}`];
  for (const pack of mission.packages.toSorted(byOrder)) {
    blocks.push([`__${escape(pack.callsign)}__ ${escape(pack.objective)}`, ...timesOf(pack)].join(', '));
    for (const flight of pack.flights.toSorted(byOrder)) {
      const facts = [
        escape(flight.aircraftName),
        flight.role,
        sideName(flight.side),
        ...(flight.radioFreq === null ? [] : [flight.radioFreq]),
      ];
      const accepted = new Map(flight.assignments.map((one) => [one.seatIndex, one.userDisplayName]));
      const pilots = Array.from({ length: flight.sizeCap }, (_seat, seatIndex) => {
        const asked = holders.get(seatKey(flight.id, seatIndex))?.userDisplayName;
        const name = accepted.get(seatIndex) ?? asked;
        const state = accepted.has(seatIndex) ? '' : ' (asked)';
        return name === undefined ? [] : [`${seatLabel(seatIndex)}: ${escape(name)}${state}`];
      }).flat();
      const open = flight.sizeCap - pilots.length;
      blocks.push(
        [`**${escape(flight.callsign)}** ${facts.join(', ')}`, ...pilots, ...(open > 0 ? [`${open} open`] : [])].join(
          '\n',
        ),
      );
    }
  }
  return blocks;
}
