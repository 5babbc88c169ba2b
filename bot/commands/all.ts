/** All slash commands, in the order of /help; commands with options have their own files. */
import { type Ask, command, type Command } from './command.ts';
import { mission } from './mission.ts';
import { rsvp } from './rsvp.ts';
import { setup } from './setup.ts';
import { status } from './status.ts';

/** A command without options: one call answers it. */
const plain = (name: string, description: string, execute: (ask: Ask) => ReturnType<Command['execute']>): Command => ({
  data: command(name, description),
  execute,
});

export const COMMANDS: readonly Command[] = [
  plain('register', 'Get your personal link to register with Marshal', ({ actor, server }) =>
    server.register.mutate({ actor, campaignId: null }),
  ),
  plain('login', 'Get a one-time link that signs you in on the site', ({ actor, server }) =>
    server.login.mutate({ actor }),
  ),
  status,
  plain('missions', 'Your seats in upcoming missions, and open seats', ({ actor, server }) =>
    server.missions.query({ actor }),
  ),
  plain('inbox', 'Your frag orders, with buttons to answer them', ({ actor, server }) => server.inbox.query({ actor })),
  rsvp,
  plain('availability', 'When you can fly in the next seven days', ({ actor, server }) =>
    server.availability.query({ actor }),
  ),
  plain('unlink', 'Unlink this Discord account from your pilot', ({ actor, server }) =>
    server.unlink.mutate({ actor, isConfirmed: false }),
  ),
  mission,
  setup,
  plain('help', 'What Marshal does for you here', ({ actor, server }) => server.help.query({ actor })),
];
