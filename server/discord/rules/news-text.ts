/** Messages about open missions, for pilots who want them, and about direct messages that could not be sent. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import type { DiscordButton, DiscordMessage } from '#shared/schemas/bot.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { discordMarkdown, discordTime, escapeMarkdown, fitLines } from './markdown.ts';
import { aircraftWords, cut, type MissionFacts } from './mission-event.ts';
import { actionButton, stateButton } from './parts.ts';
import { COLOURS } from './colours.ts';

/** The length of a name that fits into a heading even after escaping. */
const TITLE_LENGTH = 75;

/**
 * News of an open mission. It leaves out the number of free seats, which would soon be wrong.
 * @param rowId of the message, to find it again
 */
export function missionNews(mission: MissionFacts, publicUrl: string, rowId: string, texts: Texts): DiscordMessage {
  const { name, theater, startMs, isCancelled } = mission;
  const url = `${publicUrl}/home`;
  const button: DiscordButton = isCancelled
    ? stateButton(texts('badge.cancelled'), 'inbox', rowId)
    : actionButton(texts('reminder.myOrders'), 'inbox', rowId);
  return {
    embeds: [
      {
        title: texts('news.title', { mission: escapeMarkdown(cut(name.replaceAll(/\s+/g, ' '), TITLE_LENGTH)) }),
        url,
        description: texts(isCancelled ? 'reminder.cancelled' : 'news.open'),
        color: isCancelled ? COLOURS.over : COLOURS.waits,
        fields: [
          { name: texts('fact.theater'), value: theater, inline: true },
          {
            name: texts('fact.aircraft'),
            value: aircraftWords(mission, texts) || texts('news.noAircraft'),
            inline: true,
          },
          {
            name: texts('fact.start'),
            value: `${discordTime(startMs, 'F')} (${discordTime(startMs, 'R')})\n${zuluDayWords(startMs)}`,
          },
        ],
        footer: { text: texts('news.footer') },
      },
    ],
    components: [buttonRow(button, linkButton(texts('site.openHere'), url))],
  };
}

/** Discord allows 4,096 characters in a description. */
const LIST_MAX = 3_200;

function missionLines(mission: MissionFacts, texts: Texts): string {
  const { name, theater, startMs, isCancelled } = mission;
  const title = `**${escapeMarkdown(cut(name.replaceAll(/\s+/g, ' '), TITLE_LENGTH))}**`;
  if (isCancelled) return `${texts('news.week.cancelled', { mission: title })}\n`;
  const when = `${discordTime(startMs, 'F')} (${discordTime(startMs, 'R')}) · ${zuluDayWords(startMs)}`;
  return `${title} · ${theater}\n${when}\n${aircraftWords(mission, texts) || texts('news.noAircraft')}\n`;
}

/** News of missions that were published together, by start. @param rowId of the message, to find it again */
export function weekNews(
  missions: readonly MissionFacts[],
  publicUrl: string,
  rowId: string,
  texts: Texts,
): DiscordMessage {
  const open = missions.filter(({ isCancelled }) => !isCancelled).length;
  const url = `${publicUrl}/missions`;
  const lines = missions.map((mission) => missionLines(mission, texts));
  return {
    embeds: [
      {
        title: texts('news.week.title', { count: open }),
        url,
        description: [
          ...(open > 0 ? [`${texts('news.week.open')}\n`] : []),
          fitLines(lines, LIST_MAX, (left) => texts('news.week.more', { left })).trim(),
        ].join('\n'),
        color: open > 0 ? COLOURS.waits : COLOURS.over,
        footer: { text: texts('news.footer') },
      },
    ],
    components: [
      buttonRow(actionButton(texts('reminder.myOrders'), 'inbox', rowId), linkButton(texts('site.openHere'), url)),
    ],
  };
}

/** Discord's limit on a description, with room for what is escaped. */
const MESSAGE_ROOM = 4_000;

/** An admin's message to the community. @param rowId of the message, to find it again */
export function communityNews(
  { text, community }: { text: string; community: string | null },
  publicUrl: string,
  rowId: string,
  texts: Texts,
): DiscordMessage {
  const name = community === null ? null : escapeMarkdown(cut(community, TITLE_LENGTH));
  return {
    embeds: [
      {
        title: name === null ? texts('news.community') : texts('news.communityOf', { community: name }),
        description: discordMarkdown([text], MESSAGE_ROOM),
        color: COLOURS.waits,
        footer: { text: texts('news.communityFooter') },
      },
    ],
    components: [
      buttonRow(
        actionButton(texts('reminder.myOrders'), 'inbox', rowId),
        linkButton(texts('site.openHere'), `${publicUrl}/home`),
      ),
    ],
  };
}

/** Public mention of somebody whose direct messages are closed, without any details. @param rowId of this message */
export function closedDmsMention(discordUserId: string, rowId: string, texts: Texts): DiscordMessage {
  return {
    content: texts('mention.closed', { pilot: `<@${discordUserId}>` }),
    components: [buttonRow(actionButton(texts('mention.show'), 'inbox', rowId, 'primary'))],
  };
}
