/** The app (the parts of a process) and the request context of procedures. */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Em } from '#server/schema/orm.ts';
import type { Replica } from '#server/schema/replica.ts';
import type { Env } from '#server/platform/env.ts';
import type { Live } from './live.ts';
import type { Log } from '#server/platform/log.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import type { DiscordClient } from '#server/discord/discord-client.ts';
import type { AccessCache } from '#server/accounts/access-cache.ts';
import type { AccessToken } from '#server/accounts/access-tokens.ts';
import type { CalendarReader } from '#server/availability/busy/calendar-thread.ts';
import type { HeavyReads } from '#server/board/heavy-reads.ts';
import type { MailLinks } from '#server/delivery/mail/mail-links.ts';
import type { MissionFileReader } from '#server/missions/mission-file/mission-file-thread.ts';
import type { Mailer } from '#server/delivery/mail/transport.ts';
import type { LimitUse } from '#server/platform/errors.ts';
import type { InviteLinks } from '#server/accounts/invite-links.ts';
import type { KnownDevice } from '#server/accounts/known-device.ts';
import type { PasswordHasher } from '#server/accounts/password-hashing.ts';
import type { SecondFactorCookies } from '#server/accounts/second-factor/cookies.ts';
import type { Sessions } from '#server/accounts/sessions.ts';
import type { Sealer } from '#server/platform/sealed.ts';
import type { ReadTurns } from '#server/platform/read-turns.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { WeekSolver } from '#server/orders/seating/week-solver.ts';
import type { WriteLimit } from '#server/platform/write-limit.ts';

/** The parts of a process, created once and passed down instead of globals. */
export interface App {
  orm: MikroORM;
  /** where lists may be read; null without DATABASE_REPLICA_URL */
  replica: Replica | null;
  env: Env;
  log: Log;
  metrics: Metrics;
  /** the pilots to whom sessions and access tokens belonged a moment ago */
  accessCache: AccessCache;
  sessions: Sessions;
  knownDevice: KnownDevice;
  secondFactorCookies: SecondFactorCookies;
  /** encrypts the keys of authenticator apps */
  sealer: Sealer;
  /** encrypts the secret addresses of busy calendars */
  calendarSealer: Sealer;
  calendarReader: CalendarReader;
  inviteLinks: InviteLinks;
  passwords: PasswordHasher;
  weekSolver: WeekSolver;
  heavyReads: HeavyReads;
  missionFiles: MissionFileReader;
  writeLimit: WriteLimit;
  readTurns: ReadTurns;
  /** the SMTP server; null without SMTP_URL: nothing is sent, and nothing is offered that needs it */
  mailer: Mailer | null;
  mailLinks: MailLinks;
  live: Live;
  /** the credential of this installation's bot */
  botToken: string;
  /** Discord over HTTP; null without DISCORD_TOKEN */
  discord: DiscordClient | null;
}

export interface RequestContext {
  app: App;
  /** the clock, read once for the request */
  now: Date;
  viewer: Viewer | null;
  /** the personal access token that the request was sent with; null for browsers */
  token: AccessToken | null;
  /** the token of the viewer's session; null for visitors and scripts */
  sessionToken: string | null;
  /** the caller's network address, for attempt limits */
  address: string;
  /** the User-Agent header, truncated to 300 characters */
  userAgent: string | null;
  /** the device cookie as it was sent, which shows that this browser has signed in before */
  deviceCookie: string | null;
  /** the token of the sign-in that waits for its second factor in this browser */
  pendingCookie: string | null;
  /** the tokens of the accounts for which this browser is remembered */
  rememberedCookie: string | null;
  /** the request's headers name a proxy, but TRUST_PROXY is off: `address` may be the proxy's */
  isForwardingIgnored: boolean;
  idempotencyKey: string | null;
  /** Set a cookie in the answer, replacing one of the same name. @param cookie the Set-Cookie value */
  setCookie(cookie: string): void;
  /** the ETags of answers that the caller has; null where answers have no ETag, as by tRPC */
  knownTags: readonly string[] | null;
  setTag(tag: string): void;
  /** Announce in the answer what is left of a limit. */
  setLimitUse(use: LimitUse): void;
  /** Make the browser clear its cache of our answers, such as kneeboard cards. */
  clearBrowserCache(): void;
}

export interface ProcedureContext extends RequestContext {
  /** each call has its own fork, because a tRPC batch runs its calls concurrently */
  em: Em;
}
