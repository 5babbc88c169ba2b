/** Message that lists a pilot's upcoming missions. */
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import type { IneligibilityReason } from '#shared/vocabulary.ts';
import { listEmbed, orderWords, startWords } from './inbox-text.ts';
import { discordTime, escapeMarkdown, nameText } from './markdown.ts';
import { buttonRow, linkButton } from './parts.ts';

type OpenMission = OpeningsDto['open'][number];
type ClosedMission = OpeningsDto['closed'][number];

/** More missions than this without a seat for the same reason are one entry. */
const APART_MAX = 2;
/** So many of them are named. */
const NAMED_MAX = 6;
const CLOSED_WORDS: Record<IneligibilityReason, string> = {
  NOT_AVAILABLE: "You're not available for all of",
  ON_LEAVE: "You're on leave at the time of",
  AIRCRAFT: 'No aircraft on your list has a seat in',
  COMMITTED: 'You hold a seat elsewhere at the time of',
  DO_NOT_DISTURB: 'Your status is Do Not Disturb, so you are not asked to fly in',
  OUTRANKED: 'All seats that fit you are taken in',
};

function openWords({ missionName, theater, startUtc, seats }: OpenMission): string {
  const kinds = Map.groupBy(
    seats,
    ({ role, aircraftName, isListed }) =>
      `${nameText(`${role} ${aircraftName}`)}${isListed ? '' : ' (not on your list)'}`,
  );
  const free = [...kinds].map(([kind, of]) => `${of.length} × ${kind}`).join(', ');
  return `**${nameText(missionName)}** · ${escapeMarkdown(theater)}\n${startWords(startUtc)}\nFree for you: ${free}`;
}

function closedWords({ missionName, theater, startUtc, sentence }: ClosedMission): string {
  return `**${nameText(missionName)}** · ${escapeMarkdown(theater)}\n${startWords(startUtc)}\n${escapeMarkdown(sentence)}`;
}

/** Missions without a seat for the pilot: a few with all details, many with the same reason in one entry. */
function closedEntries(closed: readonly ClosedMission[]): string[] {
  return [...Map.groupBy(closed, ({ reason }) => reason)].flatMap(([reason, missions]) => {
    if (missions.length <= APART_MAX) return missions.map(closedWords);
    const named = missions
      .slice(0, NAMED_MAX)
      .map(({ missionName, startUtc }) => `**${nameText(missionName)}** (${discordTime(Date.parse(startUtc), 'R')})`);
    const left = missions.length - named.length;
    return [`${CLOSED_WORDS[reason]} ${[...named, ...(left > 0 ? [`${left} more`] : [])].join(', ')}`];
  });
}

/**
 * The pilot's own seats, then missions with open seats, then the others with the reason why they have none for this pilot.
 * @param orders accepted orders of missions that have not ended, the next one first
 */
export function missionsMessage(
  orders: readonly FragOrderDto[],
  { open, closed }: OpeningsDto,
  publicUrl: string,
): DiscordMessage {
  const isEmpty = orders.length + open.length + closed.length === 0;
  const lacksTimes = closed.some(({ reason }) => reason === 'NOT_AVAILABLE');
  const content = isEmpty
    ? 'No missions are planned in the coming weeks.'
    : open.length + orders.length > 0
      ? null
      : lacksTimes
        ? 'No mission has an open seat for you yet. Enter when you can fly, and Marshal finds you one.'
        : 'No mission has an open seat for you right now.';
  return {
    ...(content === null ? {} : { content }),
    embeds: [
      ...listEmbed(
        "You're flying",
        orders.map((order) => `${orderWords(order)}\n${startWords(order.startUtc)}`),
      ),
      ...listEmbed('Open seats', open.map(openWords)),
      ...listEmbed('Other missions', closedEntries(closed)),
    ],
    components: [
      buttonRow(
        open.length > 0
          ? linkButton('Take a seat on the site', `${publicUrl}/home`)
          : linkButton('Missions on the site', `${publicUrl}/missions`),
        ...(open.length === 0 && lacksTimes ? [linkButton('Enter your times', `${publicUrl}/availability`)] : []),
      ),
    ],
  };
}
