/** Message that lists a pilot's upcoming missions. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { TextKey, Texts } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import type { IneligibilityReason } from '#shared/vocabulary.ts';
import { reasonText } from './closed-text.ts';
import { listEmbed, orderWords, startWords } from './inbox-text.ts';
import { discordTime, escapeMarkdown, nameText } from './markdown.ts';

type OpenMission = OpeningsDto['open'][number];
type ClosedMission = OpeningsDto['closed'][number];

/** More missions than this without a seat for the same reason are one entry. */
const APART_MAX = 2;
/** So many of them are named. */
const NAMED_MAX = 6;
const CLOSED_WORDS: Record<IneligibilityReason, TextKey> = {
  NOT_AVAILABLE: 'missions.notAvailable',
  ON_LEAVE: 'missions.onLeave',
  AIRCRAFT: 'missions.noAircraft',
  COMMITTED: 'missions.committed',
  DO_NOT_DISTURB: 'missions.dnd',
  OUTRANKED: 'missions.outranked',
};

function openWords({ missionName, theater, startUtc, seats }: OpenMission, texts: Texts): string {
  const kinds = Map.groupBy(seats, ({ role, aircraftName, isListed }) => {
    const seat = nameText(`${role} ${aircraftName}`);
    return isListed ? seat : texts('missions.notOnList', { seat });
  });
  const free = [...kinds].map(([kind, of]) => `${of.length} × ${kind}`).join(', ');
  return `**${nameText(missionName)}** · ${escapeMarkdown(theater)}\n${startWords(startUtc)}\n${texts('missions.free', { seats: free })}`;
}

function closedWords(mission: ClosedMission, texts: Texts): string {
  const { missionName, theater, startUtc } = mission;
  return `**${nameText(missionName)}** · ${escapeMarkdown(theater)}\n${startWords(startUtc)}\n${reasonText(mission, texts)}`;
}

/** Missions without a seat for the pilot: a few with all details, many with the same reason in one entry. */
function closedEntries(closed: readonly ClosedMission[], texts: Texts): string[] {
  return [...Map.groupBy(closed, ({ reason }) => reason)].flatMap(([reason, missions]) => {
    if (missions.length <= APART_MAX) return missions.map((mission) => closedWords(mission, texts));
    const named = missions
      .slice(0, NAMED_MAX)
      .map(({ missionName, startUtc }) => `**${nameText(missionName)}** (${discordTime(Date.parse(startUtc), 'R')})`);
    const left = missions.length - named.length;
    const list = [...named, ...(left > 0 ? [texts('missions.more', { left })] : [])].join(', ');
    return [texts(CLOSED_WORDS[reason], { missions: list })];
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
  texts: Texts,
): DiscordMessage {
  const isEmpty = orders.length + open.length + closed.length === 0;
  const lacksTimes = closed.some(({ reason }) => reason === 'NOT_AVAILABLE');
  const content = isEmpty
    ? texts('missions.none')
    : open.length + orders.length > 0
      ? null
      : lacksTimes
        ? texts('missions.noTimes')
        : texts('missions.noSeat');
  return {
    ...(content === null ? {} : { content }),
    embeds: [
      ...listEmbed(
        texts('inbox.flying'),
        orders.map((order) => `${orderWords(order, texts)}\n${startWords(order.startUtc)}`),
        texts,
      ),
      ...listEmbed(
        texts('missions.openSeats'),
        open.map((mission) => openWords(mission, texts)),
        texts,
      ),
      ...listEmbed(texts('missions.others'), closedEntries(closed, texts), texts),
    ],
    components: [
      buttonRow(
        open.length > 0
          ? linkButton(texts('missions.take'), `${publicUrl}/home`)
          : linkButton(texts('missions.onSite'), `${publicUrl}/missions`),
        ...(open.length === 0 && lacksTimes
          ? [linkButton(texts('missions.enterTimes'), `${publicUrl}/availability`)]
          : []),
      ),
    ],
  };
}
