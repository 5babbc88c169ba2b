import { command, type Command } from './command.ts';

export const missions = {
  data: command('missions', 'Your seats in the coming missions, and the open ones'),
  execute: ({ actor, server }) => server.missions.query({ actor }),
} satisfies Command;
