/** A mission's roster for Discord. */
import { discordTimestamp } from '#client/lib/time.ts';
import { seatLabel, sideName } from '#shared/labels.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';

/** Names are text, not markup: what Discord would read as markup is escaped. */
function escape(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<@-]/g, '\\$&');
}

/** Packages, flights and who sits where, in Discord's markdown; the time shows in each reader's zone. */
export function rosterMarkdown(mission: MissionDto): string {
  const byOrder = (a: { sortOrder: number }, b: { sortOrder: number }): number => a.sortOrder - b.sortOrder;
  const lines = [`**${escape(mission.name)}** (${escape(mission.theater)}) ${discordTimestamp(mission.startUtc)}`];
  for (const pack of mission.packages.toSorted(byOrder)) {
    lines.push(`__${escape(pack.callsign)}__ ${escape(pack.objective)}`);
    for (const flight of pack.flights.toSorted(byOrder)) {
      const facts = [
        escape(flight.aircraftName),
        flight.role,
        sideName(flight.side),
        ...(flight.radioFreq === null ? [] : [flight.radioFreq]),
      ];
      lines.push(`**${escape(flight.callsign)}** ${facts.join(', ')}`);
      const pilots = flight.assignments
        .toSorted((a, b) => a.seatIndex - b.seatIndex)
        .map(({ seatIndex, userDisplayName }) => `${seatLabel(seatIndex)}: ${escape(userDisplayName)}`);
      const open = flight.sizeCap - pilots.length;
      lines.push(...pilots, ...(open > 0 ? [`${open} open`] : []));
    }
  }
  return lines.join('\n');
}
