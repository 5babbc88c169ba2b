/** Console output at startup for a person at a terminal; logs go through pino. */
import { REGISTRATION_LINK_MINUTES } from '#shared/limits.ts';
import type { Env } from '#server/platform/env.ts';
import type { NewSignIn } from '#server/accounts/first-admin.ts';
import type { SampleSignIns } from './sample/sample-community.ts';

/** Sign-ins created at this startup; they are only printed, not stored. */
export interface NewSignIns {
  admin: NewSignIn | null;
  sample: SampleSignIns | null;
}

export function sayStep(text: string): void {
  process.stderr.write(`• ${text}\n`);
}

function say(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

const passwordOf = ({ password }: NewSignIn): string => password ?? '(the password in ADMIN_PASSWORD)';

function signInLines({ admin, sample }: NewSignIns): string[] {
  if (sample) {
    return [
      'Sign in to the sample community (shown this once):',
      `  admin   ${sample.admin.email}   ${passwordOf(sample.admin)}`,
      ...sample.pilots.map(({ email, password }) => `  pilot   ${email}   ${password}`),
    ];
  }
  if (admin) return ['First admin (shown this once):', `  ${admin.email}   ${passwordOf(admin)}`];
  return [];
}

/**
 * Print the address and how to sign in.
 * @param registrationLink a registration link of the sample community, as the Discord bot would give it
 */
export function sayReady(env: Env, made: NewSignIns, registrationLink: string | null): void {
  const signIns = signInLines(made);
  say([
    '',
    `Marshal is ready: ${env.PUBLIC_URL}`,
    '',
    ...(signIns.length > 0
      ? signIns
      : ['Sign in with your email and password. If every admin has lost theirs, run:', '  npm run admin:password']),
    ...(registrationLink === null
      ? []
      : [
          '',
          `Register as a newcomer from Discord (once, within ${REGISTRATION_LINK_MINUTES} minutes):`,
          `  ${registrationLink}`,
        ]),
    '',
    'Stop with Ctrl-C.',
    '',
  ]);
}

/** Print the sign-ins of a startup that failed after creating them, since the next one cannot. */
export function saySignIns(made: NewSignIns): void {
  const signIns = signInLines(made);
  if (signIns.length > 0) say(['', ...signIns, '']);
}
