/** Cards of frag orders in Discord, as tests read them. */
import { expect, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import type { StoredMessage } from './emulator/types.ts';
import type { DiscordWorld } from './given.ts';

type Pressable = { label?: string; custom_id?: string; url?: string; disabled?: boolean };

const buttonsOf = (message: StoredMessage): Pressable[] =>
  message.components.flatMap((row) => ('components' in row ? (row.components as Pressable[]) : []));

/** The actions of a message's buttons, in order. */
export const actionsOf = (message: StoredMessage): string[] =>
  buttonsOf(message).flatMap(({ custom_id: id = '', disabled }) =>
    id === '' || disabled === true ? [] : [id.split(':')[1] ?? ''],
  );

/** The label of the button that shows the state. */
export const badgeOf = (message: StoredMessage): string | undefined =>
  buttonsOf(message).find(({ disabled }) => disabled)?.label;

export const linksOf = (message: StoredMessage): string[] => buttonsOf(message).flatMap(({ url }) => url ?? []);

/** All that a message says, buttons apart. */
export const textOf = ({ content, embeds }: StoredMessage): string =>
  [
    content,
    ...embeds.flatMap(({ title, description, fields = [] }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ]),
  ].join('\n');

/** The one direct message that this person has and no other has replaced, once there is one (of this state). */
export async function cardOf(
  { emulator }: Pick<DiscordWorld, 'emulator'>,
  { discordUserId }: { discordUserId: string },
  state?: string | RegExp,
): Promise<StoredMessage> {
  const [message] = await vi.waitFor(
    () => {
      const messages = emulator
        .directMessages(discordUserId)
        .filter((found) => found.ephemeralFor === null && badgeOf(found) !== 'Replaced');
      expect(messages).toHaveLength(1);
      const [one] = messages;
      if (typeof state === 'string') expect(one && badgeOf(one)).toBe(state);
      if (state instanceof RegExp) expect(one && textOf(one)).toMatch(state);
      return messages;
    },
    { timeout: 20_000, interval: 20 },
  );
  if (!message) throw new Error('There is no message');
  return message;
}

/** Waits until no job for Discord is due and nothing is being sent: nothing more arrives after that. */
export async function nothingLeft({ service }: Pick<DiscordWorld, 'service'>): Promise<void> {
  await vi.waitFor(
    async () => {
      const left = await query(
        service.app.orm.em.fork(),
        sql`select j.task_identifier as what from graphile_worker.jobs j
            where j.run_at <= now() and j.attempts < j.max_attempts
              and (j.task_identifier like '%discord%' or j.task_identifier like 'backfill%')
            union all select state from delivery where channel = 'discord' and state in ('queued', 'sending')`,
      );
      expect(left).toEqual([]);
    },
    { timeout: 20_000, interval: 20 },
  );
}
