/** Messages as the people in Discord read them. */
import type { InteractionOutcome, StoredMessage } from './emulator/types.ts';

interface Pressable {
  label: string;
  customId: string | null;
  url: string | null;
  isDisabled: boolean;
}

/** Everything that is written in a message, by lines. */
export function textOf(message: Pick<StoredMessage, 'content' | 'embeds'> | null): string {
  if (!message) return '';
  const embeds = message.embeds.flatMap(({ title, description, fields = [], footer }) => [
    title,
    description,
    ...fields.flatMap(({ name, value }) => [name, value]),
    footer?.text,
  ]);
  return [message.content, ...embeds].filter((part) => part !== undefined && part !== '').join('\n');
}

/** All that a message says: its text, the labels of its buttons, and its menu. */
export function wordsOf(message: StoredMessage | null): string {
  const menu = JSON.stringify(message?.components ?? []).matchAll(/"(?:placeholder|description)":"([^"]*)"/g);
  return [textOf(message), ...buttonsOf(message).map(({ label }) => label), ...[...menu].map(([, text]) => text)].join(
    '\n',
  );
}

export function buttonsOf(message: Pick<StoredMessage, 'components'> | null): Pressable[] {
  const rows = message?.components ?? [];
  return rows.flatMap((row) =>
    'components' in row
      ? row.components.map((button) => ({
          label: String(Reflect.get(button, 'label')),
          customId: (Reflect.get(button, 'custom_id') as string | undefined) ?? null,
          url: (Reflect.get(button, 'url') as string | undefined) ?? null,
          isDisabled: Reflect.get(button, 'disabled') === true,
        }))
      : [],
  );
}

/** The address behind a link button. */
export function linkOf(message: StoredMessage | null, label: string): URL {
  const button = buttonsOf(message).find((one) => one.label === label);
  if (!button?.url) throw new Error(`no link "${label}" in: ${textOf(message)}`);
  return new URL(button.url);
}

/** The private text of a reply; throws when it is public or notifies anybody. */
export function privateText({ reply }: InteractionOutcome, discordUserId: string): string {
  if (!reply) throw new Error('nothing was answered');
  if (reply.ephemeralFor !== discordUserId) throw new Error(`not for this person alone: ${textOf(reply)}`);
  if (reply.mentions.length > 0 || reply.mentionsEveryone) throw new Error(`pings: ${textOf(reply)}`);
  return textOf(reply);
}
