/** All commands of `npm run marshal`, in the order of its help. */
import type { Command } from '#server/cli/command.ts';
import { backup } from './backup.ts';
import { doctor } from './doctor.ts';
import { exportCommunity } from './export.ts';
import { grantAdmin } from './grant-admin.ts';
import { resetPassword } from './reset-password.ts';
import { resetSecondFactor } from './reset-second-factor.ts';
import { restore } from './restore.ts';
import { seed } from './seed.ts';
import { token } from './token.ts';
import { upgradeDatabase } from './upgrade-database.ts';

export const COMMANDS: readonly Command[] = [
  grantAdmin,
  resetPassword,
  resetSecondFactor,
  token,
  seed,
  exportCommunity,
  backup,
  restore,
  upgradeDatabase,
  doctor,
];
