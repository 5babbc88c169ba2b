/** Registration messages: the announcement and the personal link. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { discordTime, escapeMarkdown, nameText } from './markdown.ts';
import { actionButton } from './parts.ts';

/** The public announcement. Everybody can use its button, which creates a personal link for the person who presses it. */
export function registrationAnnouncement(guildName: string, rowId: string, texts: Texts): DiscordMessage {
  return {
    embeds: [
      {
        title: texts('announcement.title'),
        description: texts('announcement.text', { server: escapeMarkdown(guildName) }),
      },
    ],
    components: [buttonRow(actionButton(texts('link.register'), 'register', rowId, 'primary'))],
  };
}

/** The only message that a server gets after it has installed the bot without having asked for it. */
export function welcomeMessage(rowId: string, texts: Texts): DiscordMessage {
  return {
    content: [texts('welcome.hello'), texts('welcome.setup'), texts('welcome.register')].join('\n'),
    components: [buttonRow(actionButton(texts('link.register'), 'register', rowId, 'primary'))],
  };
}

/**
 * The personal link, shown only to the person who asked for it.
 * @param expiresMs when the link expires
 * @param registeredAs call sign of a person who is registered already; null for others
 */
export function registrationLinkMessage(
  url: string,
  expiresMs: number,
  registeredAs: string | null,
  texts: Texts,
): DiscordMessage {
  const when = discordTime(expiresMs, 'R');
  return {
    content:
      registeredAs === null
        ? texts('register.link', { when })
        : texts('register.linkAgain', { pilot: nameText(registeredAs), when }),
    components: [buttonRow(linkButton(texts('register.open'), url))],
  };
}
