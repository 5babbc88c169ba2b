import { command, type Command } from './command.ts';

export const availability = {
  data: command('availability', 'When you can fly in the coming week'),
  execute: ({ actor, server }) => server.availability.query({ actor }),
} satisfies Command;
