/** Messages about open missions, for pilots who want them, and about direct messages that could not be sent. */
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import type { DiscordButton, DiscordMessage } from '#shared/schemas/bot.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { discordTime, escapeMarkdown } from './markdown.ts';
import { aircraftWords, cut, type MissionFacts } from './mission-event.ts';
import { actionButton, buttonRow, linkButton, stateButton } from './parts.ts';

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
        color: isCancelled ? 0x6b7280 : 0x4a7fb5,
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

/** Public mention of somebody whose direct messages are closed, without any details. @param rowId of this message */
export function closedDmsMention(discordUserId: string, rowId: string, texts: Texts): DiscordMessage {
  return {
    content: texts('mention.closed', { pilot: `<@${discordUserId}>` }),
    components: [buttonRow(actionButton(texts('mention.show'), 'inbox', rowId, 'primary'))],
  };
}
