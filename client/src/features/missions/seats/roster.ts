/** A mission's roster for Discord. */
import { discordTimestamp } from '#client/lib/time.ts';
import { seatLabel, sideName } from '#shared/labels.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';

/** Longest message that Discord takes from everybody, in UTF-16 units. */
const MESSAGE_MAX_LENGTH = 2000;
const MARKUP = /[\\*_~`|>#[\]()<:-]/g;
/** Discord honours a mention even behind a backslash; a space without width after the @ ends it. */
const SAFE_AT = '@\u200b';

/** Names are text, not markup: what Discord would read as markup is escaped, and nobody is pinged. */
function escape(text: string): string {
  return text.replaceAll(MARKUP, '\\$&').replaceAll('@', SAFE_AT);
}

/** `<t:1795201500:t>`: the time of day alone. */
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
 * Packages, flights and who sits where, in Discord's markdown; the times show in each reader's zone.
 * @returns one message, or several that Discord takes, split between flights
 */
export function rosterMessages(mission: MissionDto): string[] {
  const messages: string[] = [];
  for (const piece of rosterBlocks(mission).flatMap(cutToLength)) {
    const last = messages.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= MESSAGE_MAX_LENGTH) {
      messages[messages.length - 1] = `${last}\n${piece}`;
    } else {
      messages.push(piece);
    }
  }
  return messages;
}

/** A block longer than a message is cut at its lines; a line cannot be that long, since no name is. */
function cutToLength(block: string): string[] {
  return block.length <= MESSAGE_MAX_LENGTH ? [block] : block.split('\n');
}

/** The head, then each package and each flight. */
function rosterBlocks(mission: MissionDto): string[] {
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
      const pilots = flight.assignments
        .toSorted((a, b) => a.seatIndex - b.seatIndex)
        .map(({ seatIndex, userDisplayName }) => `${seatLabel(seatIndex)}: ${escape(userDisplayName)}`);
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
