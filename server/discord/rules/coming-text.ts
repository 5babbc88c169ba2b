/** Message that lists a pilot's upcoming missions. */
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import { listEmbed, orderWords, startWords } from './inbox-text.ts';
import { escapeMarkdown, nameText } from './markdown.ts';
import { buttonRow, linkButton } from './parts.ts';

type OpenMission = OpeningsDto['open'][number];

function openWords({ missionName, theater, startUtc, seats }: OpenMission): string {
  const kinds = Map.groupBy(
    seats,
    ({ role, aircraftName, isListed }) =>
      `${nameText(`${role} ${aircraftName}`)}${isListed ? '' : ' (not on your list)'}`,
  );
  const free = [...kinds].map(([kind, of]) => `${of.length} × ${kind}`).join(', ');
  return `**${nameText(missionName)}** · ${escapeMarkdown(theater)}\n${startWords(startUtc)}\nFree for you: ${free}`;
}

function closedWords({ missionName, theater, startUtc, sentence }: OpeningsDto['closed'][number]): string {
  return `**${nameText(missionName)}** · ${escapeMarkdown(theater)}\n${startWords(startUtc)}\n${escapeMarkdown(sentence)}`;
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
  return {
    ...(isEmpty ? { content: 'No missions are planned in the coming weeks.' } : {}),
    embeds: [
      ...listEmbed(
        "You're flying",
        orders.map((order) => `${orderWords(order)}\n${startWords(order.startUtc)}`),
      ),
      ...listEmbed('Open seats', open.map(openWords)),
      ...listEmbed('Other missions', closed.map(closedWords)),
    ],
    components: [buttonRow(linkButton('Take a seat on the site', `${publicUrl}/home`))],
  };
}
