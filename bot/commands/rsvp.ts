import { englishTexts as say } from '#shared/discord-texts/catalogue.ts';
import { RSVP_RESPONSES } from '#shared/vocabulary.ts';
import { command, takeChoice, type Command } from './command.ts';

export const rsvp = {
  data: command('rsvp')
    .addStringOption((order) =>
      order.setName('order').setDescription(say('command.rsvp.order')).setRequired(true).setAutocomplete(true),
    )
    .addStringOption((response) =>
      response
        .setName('response')
        .setDescription(say('command.rsvp.response'))
        .setRequired(true)
        .addChoices(...RSVP_RESPONSES.map((value) => ({ name: say(`command.rsvp.response.${value}`), value }))),
    ),
  async execute({ actor, server }, { options }) {
    const response = takeChoice(RSVP_RESPONSES, options.getString('response', true));
    const { reply } = await server.answerOrder.mutate({ actor, orderId: options.getString('order', true), response });
    return reply;
  },
  autocomplete: ({ actor, server }, { options }) =>
    server.orderChoices.query({ actor, text: options.getFocused().slice(0, 100) }),
} satisfies Command;
