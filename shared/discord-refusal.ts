/** A refusal as people read it in Discord: the sentence, and a link to where its reason is removed. */
import type { Texts } from './discord-texts/catalogue.ts';
import { buttonRow, linkButton } from './discord-links.ts';
import type { RefusalCode } from './refusals.ts';
import type { DiscordMessage } from './schemas/bot.ts';
import { wayOn } from './ways-on.ts';

/**
 * @param sentence as the API says it
 * @param publicUrl origin of the site
 * @param reader an admin at work, or a pilot
 */
export function refusalMessage(
  code: RefusalCode,
  sentence: string,
  { texts, publicUrl, reader = 'pilot' }: { texts: Texts; publicUrl: string; reader?: 'pilot' | 'admin' },
): DiscordMessage {
  const way = wayOn(code, reader);
  return {
    content: texts.refusal(code, sentence),
    ...(way && { components: [buttonRow(linkButton(texts.way(way), `${publicUrl}${way.path}`))] }),
  };
}
