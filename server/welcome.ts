/** What a person at a terminal reads while Marshal starts; logs for machines go through pino. */
import { REGISTRATION_LINK_MINUTES } from '#shared/limits.ts';
import type { Env } from './env.ts';
import type { SignIn } from './services/first-admin.ts';
import type { SampleSignIns } from './services/sample-community.ts';

export function sayStep(text: string): void {
  process.stderr.write(`• ${text}\n`);
}

/**
 * The address and every way to sign in that this start knows of.
 * @param registrationLink into the sample community, as the Discord bot would hand it out
 */
export function sayReady(
  env: Env,
  admin: SignIn | null,
  sample: SampleSignIns | null,
  registrationLink: string | null,
): void {
  const lines = ['', `Marshal is ready: ${env.PUBLIC_URL}`, ''];
  if (sample) {
    lines.push('Sign in to the sample community:');
    lines.push(`  admin   ${sample.admin.email}   ${sample.admin.password}`);
    for (const pilot of sample.pilots) lines.push(`  pilot   ${pilot.email}   ${pilot.password}`);
    if (registrationLink !== null) {
      lines.push('', `Register as a newcomer from Discord (once, within ${REGISTRATION_LINK_MINUTES} minutes):`);
      lines.push(`  ${registrationLink}`);
    }
  } else if (admin) {
    lines.push('First admin, shown this once:', `  ${admin.email}   ${admin.password}`);
  }
  lines.push('', 'Stop with Ctrl-C.', '');
  process.stderr.write(`${lines.join('\n')}\n`);
}
