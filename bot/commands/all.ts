/** All slash commands, in the order of /help; commands with options have their own files. */
import { type Ask, command, type Command } from './command.ts';
import { mission } from './mission.ts';
import { rsvp } from './rsvp.ts';
import { setup } from './setup.ts';
import { status } from './status.ts';

type PlainName = 'register' | 'login' | 'missions' | 'inbox' | 'availability' | 'unlink' | 'help';

/** A command without options: one call answers it. */
const plain = (name: PlainName, execute: (ask: Ask) => ReturnType<Command['execute']>): Command => ({
  data: command(name),
  execute,
});

export const COMMANDS: readonly Command[] = [
  plain('register', ({ actor, server }) => server.register.mutate({ actor, campaignId: null })),
  plain('login', ({ actor, server }) => server.login.mutate({ actor })),
  status,
  plain('missions', ({ actor, server }) => server.missions.query({ actor })),
  plain('inbox', ({ actor, server }) => server.inbox.query({ actor })),
  rsvp,
  plain('availability', ({ actor, server }) => server.availability.query({ actor })),
  plain('unlink', ({ actor, server }) => server.unlink.mutate({ actor, isConfirmed: false })),
  mission,
  setup,
  plain('help', ({ actor, server }) => server.help.query({ actor })),
];
