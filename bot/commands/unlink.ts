import { command, type Command } from './command.ts';

export const unlink = {
  data: command('unlink', 'Take this Discord account off your pilot'),
  execute: ({ actor, server }) => server.unlink.mutate({ actor, isConfirmed: false }),
} satisfies Command;
