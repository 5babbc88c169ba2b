/** A refusal as people read it in Discord: the sentence, and a link to where its reason is removed. */
import type { Texts } from './discord-texts/catalogue.ts';
import { buttonRow, linkButton } from './discord-links.ts';
import type { RefusalCode } from './refusals.ts';
import type { DiscordMessage } from './schemas/bot.ts';
import { wayOn } from './ways-on.ts';

/** The person who reads a reply in Discord. */
export interface DiscordReader {
  texts: Texts;
  /** origin of the site, for links */
  publicUrl: string;
  /** an admin at work, or a pilot; a pilot if left out */
  reader?: 'pilot' | 'admin';
}

/** @param sentence as the API says it */
export function refusalMessage(
  code: RefusalCode,
  sentence: string,
  { texts, publicUrl, reader = 'pilot' }: DiscordReader,
): DiscordMessage {
  const way = wayOn(code, reader);
  return {
    content: texts.refusal(code, sentence),
    ...(way && { components: [buttonRow(linkButton(texts.way(way), `${publicUrl}${way.path}`))] }),
  };
}
