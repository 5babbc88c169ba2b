/** Every command, in the order in which /help lists them. */
import { availability } from './availability.ts';
import type { Command } from './command.ts';
import { help } from './help.ts';
import { inbox } from './inbox.ts';
import { login } from './login.ts';
import { missions } from './missions.ts';
import { register } from './register.ts';
import { rsvp } from './rsvp.ts';
import { setup } from './setup.ts';
import { status } from './status.ts';
import { unlink } from './unlink.ts';

export const COMMANDS: readonly Command[] = [
  register,
  login,
  status,
  missions,
  inbox,
  rsvp,
  availability,
  unlink,
  setup,
  help,
];
