/** `npm run bot:doctor` prints the findings about the bot's set-up. Exit code 1 if something that it needs is missing. */
import { examine } from '#bot/doctor.ts';
import type { Finding } from '#bot/doctor-findings.ts';
import { installLink } from '#server/discord/rules/install-link.ts';
import { readEnv } from '#server/platform/env.ts';

const MARKS: Record<Finding['state'], string> = { ok: 'ok     ', hint: 'hint   ', missing: 'MISSING' };

try {
  const env = readEnv();
  const findings = await examine({
    token: env.DISCORD_TOKEN,
    clientId: env.DISCORD_CLIENT_ID,
    clientSecret: env.DISCORD_CLIENT_SECRET,
    apiUrl: env.DISCORD_API_URL,
    publicUrl: env.PUBLIC_URL,
    installLink,
  });
  for (const { state, about, says } of findings) console.log(`${MARKS[state]}  ${about}: ${says}`);
  const count = findings.filter(({ state }) => state === 'missing').length;
  console.log(
    count === 0 ? '\nThe bot has everything it needs.' : `\nMissing: ${count}. The bot will not work as it should.`,
  );
  process.exitCode = count === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
