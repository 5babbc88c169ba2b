/** Discord button handlers: each makes one server call and shows the answer in the message or beside it. */
import { MessageFlags, type ButtonInteraction } from 'discord.js';
import { type ButtonAction, parseButtonId } from '#shared/discord-button-ids.ts';
import { type DiscordMessage, QUICK_TIMES } from '#shared/schemas/bot.ts';
import { parseStandbyChoice } from '#shared/seat-choice.ts';
import { type RsvpResponse, STATUS_STATES } from '#shared/vocabulary.ts';
import { type Ask, takeChoice } from './commands/command.ts';

interface Shown {
  /** replaces the message with the button, or is a new reply (see `answers`) */
  message?: DiscordMessage;
  /** an ephemeral message beside it */
  aside?: DiscordMessage;
}

interface About {
  /** the order's id for an answer, the reminder's for one to "Still flying?" */
  subject: string;
  /** last change of the order before the button was shown, ISO instant; null for an unchanged order */
  seen: string | null;
}

interface Button {
  /** for admins at work: links beside refusals lead to their pages */
  isForAdmins?: boolean;
  /** `update` changes the message with the button; `reply` sends an ephemeral message */
  answers: 'update' | 'reply' | ((interaction: ButtonInteraction) => 'update' | 'reply');
  press: (ask: Ask, about: About, interaction: ButtonInteraction) => Promise<Shown>;
}

/** True when the message is ephemeral: then it answers a command, and one with order buttons is the inbox. */
const isPrivate = ({ message }: ButtonInteraction): boolean => message.flags.has(MessageFlags.Ephemeral);

const answer = (response: RsvpResponse): Button => ({
  answers: 'update',
  async press({ actor, server }, { subject: orderId, seen }, interaction) {
    const { reply, isRefused, card } = await server.answerOrder.mutate({ actor, orderId, response, seen });
    const message = isPrivate(interaction) ? await server.inbox.query({ actor }) : card;
    return { ...(message === null ? {} : { message }), ...(isRefused ? { aside: reply } : {}) };
  },
});

/** An answer to "Still flying?". */
const answerReminder = (isFlying: boolean): Button => ({
  answers: 'update',
  async press({ actor, server }, { subject: reminderId }) {
    const { reply, isRefused, card } = await server.answerReminder.mutate({ actor, reminderId, isFlying });
    return { ...(card === null ? {} : { message: card }), ...(isRefused ? { aside: reply } : {}) };
  },
});

const choose = (wantsOrders: boolean): Button => ({
  answers: (interaction) => (isPrivate(interaction) ? 'update' : 'reply'),
  async press({ actor, server }, { subject }) {
    const message = await server.setWantsOrders.mutate({ actor, wantsOrders });
    return { message: subject === 'inbox' ? await server.inbox.query({ actor }) : message };
  },
});

/** A button on the card of a mission, answered beside it. */
const onCard = (call: 'offerSeats' | 'dropOut' | 'myOrder'): Button => ({
  answers: 'reply',
  press: async ({ actor, server }, { subject: missionId }) => ({
    message: await server[call].mutate({ actor, missionId }),
  }),
});

/** A button of an admin's reply to `/mission`, whose answer takes its place. */
const onMission = (call: 'publish' | 'discard' | 'cancel'): Button => ({
  isForAdmins: true,
  answers: 'update',
  press: async ({ actor, server }, { subject: missionId }) => ({
    message: await server.mission[call].mutate({ actor, missionId }),
  }),
});

/** `available`, `dnd` or `now-60`. */
const STATUS_SUBJECT = /^(?<state>[a-z]+)(?:-(?<minutes>\d{1,4}))?$/;

const BUTTONS: Record<Exclude<ButtonAction, 'pick-seat'>, Button> = {
  register: {
    answers: 'reply',
    press: async ({ actor, server }) => ({ message: await server.register.mutate({ actor, campaignId: null }) }),
  },
  accept: answer('accepted'),
  standby: answer('standby'),
  decline: answer('declined'),
  confirm: answerReminder(true),
  'cant-fly': answerReminder(false),
  'orders-off': choose(false),
  'orders-on': choose(true),
  inbox: { answers: 'reply', press: async ({ actor, server }) => ({ message: await server.inbox.query({ actor }) }) },
  'take-seat': onCard('offerSeats'),
  'join-standby': {
    answers: 'reply',
    press: async ({ actor, server }, { subject }) => ({
      message: await server.joinStandby.mutate({ actor, ...parseStandbyChoice(subject) }),
    }),
  },
  'drop-out': onCard('dropOut'),
  'my-order': onCard('myOrder'),
  publish: onMission('publish'),
  discard: onMission('discard'),
  'cancel-mission': onMission('cancel'),
  'set-status': {
    answers: 'update',
    async press({ actor, server }, { subject }) {
      const { state = '', minutes } = STATUS_SUBJECT.exec(subject)?.groups ?? {};
      const chosen = {
        state: takeChoice(STATUS_STATES, state),
        minutes: minutes === undefined ? null : Number(minutes),
      };
      return { message: await server.setStatus.mutate({ actor, ...chosen }) };
    },
  },
  'add-times': {
    answers: 'update',
    press: async ({ actor, server }, { subject }) => ({
      message: await server.addTimes.mutate({ actor, times: takeChoice(QUICK_TIMES, subject) }),
    }),
  },
  'undo-times': {
    answers: 'update',
    press: async ({ actor, server }, { subject: packed }) => ({
      message: await server.undoTimes.mutate({ actor, packed }),
    }),
  },
  unlink: {
    answers: 'update',
    press: async ({ actor, server }) => ({ message: await server.unlink.mutate({ actor, isConfirmed: true }) }),
  },
};

/** @returns null for a button of another version, or one that is not Marshal's */
export function findButton(customId: string): { action: ButtonAction; button: Button; about: About } | null {
  const id = parseButtonId(customId);
  if (id === null || id.action === 'pick-seat') return null;
  const seen = id.seenMs === null ? null : new Date(id.seenMs).toISOString();
  return { action: id.action, button: BUTTONS[id.action], about: { subject: id.subject, seen } };
}
