import { command, type Command } from './command.ts';

export const help = {
  data: command('help', 'What Marshal does for you here'),
  execute: ({ actor, server }) => server.help.query({ actor }),
} satisfies Command;
