/** Messages about open missions, for pilots who want them, and about direct messages that could not be sent. */
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
export function missionNews(mission: MissionFacts, publicUrl: string, rowId: string): DiscordMessage {
  const { name, theater, startMs, isCancelled } = mission;
  const url = `${publicUrl}/home`;
  const button: DiscordButton = isCancelled
    ? stateButton('Cancelled', 'inbox', rowId)
    : actionButton('My orders', 'inbox', rowId);
  return {
    embeds: [
      {
        title: `Open mission: ${escapeMarkdown(cut(name.replaceAll(/\s+/g, ' '), TITLE_LENGTH))}`,
        url,
        description: isCancelled
          ? "This mission won't take place."
          : 'There are free seats, and you have no order for this mission. If you can fly then, add the time on the site: seats that suit you are offered there.',
        color: isCancelled ? 0x6b7280 : 0x4a7fb5,
        fields: [
          { name: 'Theater', value: theater, inline: true },
          { name: 'Aircraft', value: aircraftWords(mission) || 'None', inline: true },
          {
            name: 'Start',
            value: `${discordTime(startMs, 'F')} (${discordTime(startMs, 'R')})\n${zuluDayWords(startMs)}`,
          },
        ],
        footer: { text: 'You asked to hear about open missions. You can turn this off in your profile on the site.' },
      },
    ],
    components: [buttonRow(button, linkButton('Open on the site', url))],
  };
}

/** Public mention of somebody whose direct messages are closed, without any details. @param rowId of this message */
export function closedDmsMention(discordUserId: string, rowId: string): DiscordMessage {
  return {
    content: `<@${discordUserId}>, Marshal has an order for you, but your direct messages are closed. Allow them in this server's privacy settings, or press the button.`,
    components: [buttonRow(actionButton('Show my orders', 'inbox', rowId, 'primary'))],
  };
}
