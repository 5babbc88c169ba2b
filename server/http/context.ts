/** Request context of a procedure. */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Em } from '#server/schema/orm.ts';
import type { Env } from '#server/platform/env.ts';
import type { Live } from './live.ts';
import type { Log } from '#server/platform/log.ts';
import type { DiscordClient } from '#server/discord/discord-client.ts';
import type { HeavyReads } from '#server/board/heavy-reads.ts';
import type { KnownDevice } from '#server/accounts/known-device.ts';
import type { PasswordHasher } from '#server/accounts/passwords.ts';
import type { Sessions } from '#server/accounts/sessions.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { WeekSolver } from '#server/seating/week-solver.ts';
import type { WriteLimit } from '#server/platform/write-limit.ts';

/** Made once for a process and handed down; nothing below reads globals. */
export interface App {
  orm: MikroORM;
  env: Env;
  log: Log;
  sessions: Sessions;
  knownDevice: KnownDevice;
  passwords: PasswordHasher;
  weekSolver: WeekSolver;
  heavyReads: HeavyReads;
  writeLimit: WriteLimit;
  live: Live;
  /** what the bot of this installation shows to be let in */
  botToken: string;
  /** Discord over HTTP; null without DISCORD_TOKEN */
  discord: DiscordClient | null;
}

export interface RequestContext {
  app: App;
  /** the clock, read once for the request */
  now: Date;
  viewer: Viewer | null;
  /** the token that named the viewer; null for visitors */
  sessionToken: string | null;
  /** the caller's network address, for attempt limits */
  address: string;
  /** the browser's own words, cut to 300 characters */
  userAgent: string | null;
  /** what shows that this browser has signed in before, as it was sent */
  deviceCookie: string | null;
  /** the request says that a proxy forwarded it, and TRUST_PROXY is off: `address` may be the proxy's */
  isForwardingIgnored: boolean;
  idempotencyKey: string | null;
  /** Set a cookie with the answer, in place of one of the same name. @param cookie the Set-Cookie value */
  setCookie(cookie: string): void;
  /** Let the browser drop what it has kept of our answers, such as kneeboard cards. */
  clearBrowserCache(): void;
}

export interface ProcedureContext extends RequestContext {
  /** a fork of its own for every call: a tRPC batch runs its calls side by side */
  em: Em;
}
