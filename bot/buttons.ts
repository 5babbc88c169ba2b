/** Discord button handlers: the server call and the place of the answer. */
import { MessageFlags, type ButtonInteraction } from 'discord.js';
import { type ButtonAction, parseButtonId } from '#shared/discord-button-ids.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import type { Ask } from './commands/command.ts';

/** What to show: in place of the message that has the button, and beside it for the person alone. */
interface Shown {
  message?: DiscordMessage;
  aside?: DiscordMessage;
}

interface About {
  /** an order's id where the button answers one */
  subject: string;
  /** ISO instant of the order's last change as the button's message shows it; null when there was none */
  seen: string | null;
}

interface Button {
  /** `update`: its message changes; `reply`: the person gets a message of their own */
  answers: 'update' | 'reply' | ((interaction: ButtonInteraction) => 'update' | 'reply');
  press: (ask: Ask, about: About, interaction: ButtonInteraction) => Promise<Shown>;
}

/** A message that only its reader sees was made by a command of theirs: with buttons for orders it is the inbox. */
const isPrivate = ({ message }: ButtonInteraction): boolean => message.flags.has(MessageFlags.Ephemeral);

const answer = (response: RsvpResponse): Button => ({
  answers: 'update',
  async press({ actor, server }, { subject: orderId, seen }, interaction) {
    const { reply, isRefused, card } = await server.answerOrder.mutate({ actor, orderId, response, seen });
    const message = isPrivate(interaction) ? await server.inbox.query({ actor }) : card;
    return { ...(message === null ? {} : { message }), ...(isRefused ? { aside: reply } : {}) };
  },
});

const choose = (wantsOrders: boolean): Button => ({
  answers: (interaction) => (isPrivate(interaction) ? 'update' : 'reply'),
  async press({ actor, server }, { subject }) {
    const message = await server.setWantsOrders.mutate({ actor, wantsOrders });
    return { message: subject === 'inbox' ? await server.inbox.query({ actor }) : message };
  },
});

const BUTTONS: Record<ButtonAction, Button> = {
  register: {
    answers: 'reply',
    press: async ({ actor, server }) => ({ message: await server.register.mutate({ actor, campaignId: null }) }),
  },
  accept: answer('accepted'),
  standby: answer('standby'),
  decline: answer('declined'),
  'orders-off': choose(false),
  'orders-on': choose(true),
  inbox: { answers: 'reply', press: async ({ actor, server }) => ({ message: await server.inbox.query({ actor }) }) },
  unlink: {
    answers: 'update',
    press: async ({ actor, server }) => ({ message: await server.unlink.mutate({ actor, isConfirmed: true }) }),
  },
};

/** @returns null for a button of another version, or one that is none of ours */
export function findButton(customId: string): { action: ButtonAction; button: Button; about: About } | null {
  const id = parseButtonId(customId);
  if (id === null) return null;
  const seen = id.seenMs === null ? null : new Date(id.seenMs).toISOString();
  return { action: id.action, button: BUTTONS[id.action], about: { subject: id.subject, seen } };
}
