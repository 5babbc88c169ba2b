import { englishTexts as say } from '#shared/discord-texts/catalogue.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import { STATUS_STATES } from '#shared/vocabulary.ts';
import { command, takeChoice, type Command } from './command.ts';

export const status = {
  data: command('status')
    .addSubcommand((show) => show.setName('show').setDescription(say('command.status.show')))
    .addSubcommand((set) =>
      set
        .setName('set')
        .setDescription(say('command.status.set'))
        .addStringOption((state) =>
          state
            .setName('state')
            .setDescription(say('command.status.set.state'))
            .setRequired(true)
            .addChoices(...STATUS_STATES.map((value) => ({ name: say(`command.status.set.state.${value}`), value }))),
        )
        .addIntegerOption((minutes) =>
          minutes
            .setName('minutes')
            .setDescription(say('command.status.set.minutes'))
            .setMinValue(STATUS_MINUTES.min)
            .setMaxValue(STATUS_MINUTES.max),
        ),
    ),
  execute({ actor, server }, { options }) {
    if (options.getSubcommand() === 'show') return server.status.query({ actor });
    const state = takeChoice(STATUS_STATES, options.getString('state', true));
    return server.setStatus.mutate({ actor, state, minutes: options.getInteger('minutes') });
  },
} satisfies Command;
