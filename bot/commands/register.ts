import { command, type Command } from './command.ts';

export const register = {
  data: command('register', 'Get your personal link to register with Marshal'),
  execute: ({ actor, server }) => server.register.mutate({ actor, campaignId: null }),
} satisfies Command;
