import { RSVP_RESPONSES } from '#shared/vocabulary.ts';
import { command, takeChoice, type Command } from './command.ts';

const RESPONSE_NAMES = { accepted: 'Accept', standby: 'Standby', declined: 'Decline' } as const;

export const rsvp = {
  data: command('rsvp', 'Answer a frag order, or give a seat back')
    .addStringOption((order) =>
      order.setName('order').setDescription('One of your frag orders').setRequired(true).setAutocomplete(true),
    )
    .addStringOption((response) =>
      response
        .setName('response')
        .setDescription('Your answer')
        .setRequired(true)
        .addChoices(...RSVP_RESPONSES.map((value) => ({ name: RESPONSE_NAMES[value], value }))),
    ),
  async execute({ actor, server }, { options }) {
    const response = takeChoice(RSVP_RESPONSES, options.getString('response', true));
    const { reply } = await server.answerOrder.mutate({ actor, orderId: options.getString('order', true), response });
    return reply;
  },
  autocomplete: ({ actor, server }, { options }) =>
    server.orderChoices.query({ actor, text: options.getFocused().slice(0, 100) }),
} satisfies Command;
