import { command, type Command } from './command.ts';

export const inbox = {
  data: command('inbox', 'Your frag orders, with buttons to answer them'),
  execute: ({ actor, server }) => server.inbox.query({ actor }),
} satisfies Command;
