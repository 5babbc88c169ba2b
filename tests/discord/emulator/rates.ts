/**
 * Rate limits of the REST API: a bucket per call and top-level resource, the global limit, and the ban of addresses that make
 * too many invalid requests. https://docs.discord.com/developers/topics/rate-limits
 */
import type { Answer } from './routes/route.ts';
import type { Rate } from './types.ts';

/** "All bots can make up to 50 requests per second to our API." */
const GLOBAL: Rate = { count: 50, perMs: 1000 };
/** "10,000 per 10 minutes. An invalid request is one that results in 401, 403, or 429 statuses." */
const INVALID: Rate = { count: 10_000, perMs: 600_000 };
const INVALID_STATUSES = new Set([401, 403, 429]);
const BAN_SECONDS = 3600;

const MESSAGES = '/channels/{channel_id}/messages';
const EVENTS = '/guilds/{guild_id}/scheduled-events';

/**
 * Rates of single calls. Discord does not publish them and changes them ("rate limits should not be hard coded"), so these
 * are the ones that its headers have shown to bots; other calls have `OTHERS`.
 */
const RATES: Readonly<Record<string, Rate>> = {
  [`POST ${MESSAGES}`]: { count: 5, perMs: 5000 },
  [`GET ${MESSAGES}`]: { count: 5, perMs: 5000 },
  [`PATCH ${MESSAGES}/{message_id}`]: { count: 5, perMs: 5000 },
  [`DELETE ${MESSAGES}/{message_id}`]: { count: 5, perMs: 5000 },
  [`POST ${EVENTS}`]: { count: 5, perMs: 5000 },
  [`PATCH ${EVENTS}/{guild_scheduled_event_id}`]: { count: 5, perMs: 5000 },
  'POST /users/@me/channels': { count: 10, perMs: 10_000 },
};
const OTHERS: Rate = { count: 50, perMs: 1000 };
const WIDE: Rate = { count: 1_000_000, perMs: 1000 };

/** The top-level resources, each with buckets of its own. */
const MAJOR = ['channel_id', 'guild_id', 'webhook_id', 'webhook_token'];
/** "Interaction endpoints are not bound to the bot's Global Rate Limit." */
const OF_INTERACTIONS = /^\/(?:interactions|webhooks)\//;

interface Window {
  used: number;
  endsMs: number;
}

export interface Rates {
  /** Counts a request. @param path as in Discord's specification @returns its headers, and the 429 if it came too soon */
  take: (method: string, path: string, params: Record<string, string>) => { headers: Headers; refusal: Answer | null };
  /** Counts a response. */
  answered: (status: number, scope?: string) => void;
  /** The answer to every request from an address that is banned; null for others. */
  ban: () => Answer | null;
  /** invalid requests of the last ten minutes */
  invalid: () => number;
}

type Headers = Record<string, string>;

/** The header by which clients tell Discord's own responses from those of Cloudflare. */
const VIA = { via: '1.1 google' };

/** @param own rates that tests have set */
export function createRates(own: ReadonlyMap<string, Rate>, { isWide }: { isWide: boolean }): Rates {
  const windows = new Map<string, Window>();
  let invalidMs: number[] = [];

  const rateOf = (call: string): Rate => own.get(call) ?? (isWide ? WIDE : (RATES[call] ?? OTHERS));

  function windowOf(key: string, { perMs }: Rate): Window {
    const now = Date.now();
    const open = windows.get(key);
    if (open !== undefined && open.endsMs > now) return open;
    const window = { used: 0, endsMs: now + perMs };
    windows.set(key, window);
    return window;
  }

  const invalid = () => own.get('invalid') ?? INVALID;
  function recentInvalid(): number {
    const since = Date.now() - invalid().perMs;
    invalidMs = invalidMs.filter((ms) => ms > since);
    return invalidMs.length;
  }

  function refuse(waitMs: number, headers: Headers, isGlobal: boolean): Answer {
    const seconds = Math.max(0.001, waitMs / 1000);
    return {
      status: 429,
      headers: {
        ...headers,
        'retry-after': String(Math.ceil(seconds)),
        'x-ratelimit-scope': isGlobal ? 'global' : 'user',
        ...(isGlobal ? { 'x-ratelimit-global': 'true' } : {}),
      },
      body: { message: 'You are being rate limited.', retry_after: seconds, global: isGlobal, code: 0 },
    };
  }

  return {
    take(method, path, params) {
      const call = `${method} ${path}`;
      const rate = rateOf(call);
      const now = Date.now();
      if (!OF_INTERACTIONS.test(path) && !isWide) {
        const global = own.get('global') ?? GLOBAL;
        const all = windowOf('global', global);
        if (all.used >= global.count) return { headers: VIA, refusal: refuse(all.endsMs - now, VIA, true) };
        all.used += 1;
      }
      const window = windowOf([call, ...MAJOR.map((key) => params[key] ?? '')].join(' '), rate);
      const isFull = window.used >= rate.count;
      if (!isFull) window.used += 1;
      const headers = {
        ...VIA,
        'x-ratelimit-limit': String(rate.count),
        'x-ratelimit-remaining': String(rate.count - window.used),
        'x-ratelimit-reset': (window.endsMs / 1000).toFixed(3),
        'x-ratelimit-reset-after': ((window.endsMs - now) / 1000).toFixed(3),
        'x-ratelimit-bucket': Buffer.from(call).toString('hex').slice(-32),
      };
      return { headers, refusal: isFull ? refuse(window.endsMs - now, headers, false) : null };
    },
    answered(status, scope) {
      if (INVALID_STATUSES.has(status) && scope !== 'shared') invalidMs.push(Date.now());
    },
    ban() {
      if (recentInvalid() < invalid().count) return null;
      return { status: 429, page: 'error code: 1015', headers: { 'retry-after': String(BAN_SECONDS) } };
    },
    invalid: recentInvalid,
  };
}
