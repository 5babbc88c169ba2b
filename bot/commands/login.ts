import { command, type Command } from './command.ts';

export const login = {
  data: command('login', 'Get a link that signs you in on the site, once'),
  execute: ({ actor, server }) => server.login.mutate({ actor }),
} satisfies Command;
