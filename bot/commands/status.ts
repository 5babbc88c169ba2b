import { STATUS_MINUTES } from '#shared/limits.ts';
import { STATUS_STATES } from '#shared/vocabulary.ts';
import { command, takeChoice, type Command } from './command.ts';

const STATE_NAMES = { available: 'Idle', dnd: 'Do Not Disturb', now: 'Find Flight' } as const;

export const status = {
  data: command('status', 'Show or set whether you want to fly now')
    .addSubcommand((show) => show.setName('show').setDescription('Show your status'))
    .addSubcommand((set) =>
      set
        .setName('set')
        .setDescription('Set your status')
        .addStringOption((state) =>
          state
            .setName('state')
            .setDescription('Your status from now on')
            .setRequired(true)
            .addChoices(...STATUS_STATES.map((value) => ({ name: STATE_NAMES[value], value }))),
        )
        .addIntegerOption((minutes) =>
          minutes
            .setName('minutes')
            .setDescription('How many minutes you want to find a flight')
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
