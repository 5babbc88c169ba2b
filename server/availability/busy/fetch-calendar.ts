/**
 * One request for a calendar, which connects to checked addresses only, also after a redirect. Its answer is bounded in time and
 * size: as it arrives, and as it is unpacked.
 */
import { createHash } from 'node:crypto';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createGunzip } from 'node:zlib';
import { type AddressRules, checkHost } from '#server/platform/checked-hosts.ts';
import { findAddressProblem } from '#server/platform/public-addresses.ts';
import { BUSY_CALENDARS } from '#shared/limits.ts';
import type { CalendarProblem } from '#shared/calendar-problems.ts';

/** What the last answer said of itself. */
export interface KnownCalendar {
  etag: string | null;
  lastModified: string | null;
}

export type FetchedCalendar =
  | { is: 'unchanged' }
  | ({ is: 'read'; text: string; hash: string } & KnownCalendar)
  | { is: 'failed'; problem: CalendarProblem };

interface FetchOptions extends AddressRules {
  timeoutMs?: number;
}

class Failed extends Error {
  readonly problem: CalendarProblem;
  constructor(problem: CalendarProblem) {
    super(problem);
    this.problem = problem;
  }
}

const MARK_MAX_LENGTH = 200;
/** Google writes the time of the request into every event. */
const STAMPS = /^DTSTAMP[;:].*$/gim;

const hashOf = (text: string): string => createHash('sha256').update(text.replace(STAMPS, '')).digest('base64url');

/** An ETag or date that is sent back; a longer one is not kept. */
const markOf = (header: string | undefined): string | null =>
  header !== undefined && header.length <= MARK_MAX_LENGTH ? header : null;

async function open(url: URL, known: KnownCalendar | null, options: FetchOptions, signal: AbortSignal) {
  if (findAddressProblem(url.href, options.allowPrivate) !== null) throw new Failed('address');
  const host = await checkHost(url, options);
  if (host === null) throw new Failed('address');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const settings: RequestOptions = {
    headers: {
      accept: 'text/calendar, */*;q=0.1',
      'accept-encoding': 'gzip',
      'user-agent': 'Marshal (busy calendars)',
      ...(known?.etag && { 'if-none-match': known.etag }),
      ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
    },
    // an own connection for each request: no agent, whose sockets or proxy settings could lead elsewhere
    agent: false,
    signal,
    ...host,
  };
  (url.protocol === 'https:' ? requestHttps : requestHttp)(url, settings, resolve).on('error', reject).end();
  return promise;
}

/** The body as text. @throws Failed for one that is too large, packed or not */
async function readBody(response: IncomingMessage): Promise<string> {
  const packing = response.headers['content-encoding'] ?? 'identity';
  if (packing !== 'identity' && packing !== 'gzip') throw new Failed('answer');
  const body = packing === 'gzip' ? response.pipe(createGunzip()) : response;
  if (body !== response) response.on('error', (error) => body.destroy(error));
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BUSY_CALENDARS.bytes) throw new Failed('tooLarge');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function problemOfStatus(status: number): CalendarProblem {
  if (status === 401 || status === 403) return 'refused';
  return status === 404 || status === 410 ? 'gone' : 'answer';
}

async function follow(address: string, known: KnownCalendar | null, options: FetchOptions, signal: AbortSignal) {
  let url = new URL(address);
  for (let redirects = 0; redirects <= BUSY_CALENDARS.redirects; redirects += 1) {
    const response = await open(url, known, options, signal);
    try {
      const { statusCode: status = 0, headers } = response;
      if (status === 304) return { is: 'unchanged' } as const;
      if (status >= 300 && status < 400) {
        if (headers.location === undefined || !URL.canParse(headers.location, url)) throw new Failed('redirect');
        url = new URL(headers.location, url);
        continue;
      }
      if (status !== 200) throw new Failed(problemOfStatus(status));
      const text = await readBody(response);
      const marks = { etag: markOf(headers.etag), lastModified: markOf(headers['last-modified']) };
      return { is: 'read', text, hash: hashOf(text), ...marks } as const;
    } finally {
      response.destroy();
    }
  }
  throw new Failed('redirect');
}

/**
 * Fetch a calendar, unless it is as it was. Never rejects: the result says what went wrong.
 * @param known null to get it whatever it was
 */
export async function fetchCalendar(
  address: string,
  known: KnownCalendar | null,
  options: FetchOptions,
): Promise<FetchedCalendar> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? BUSY_CALENDARS.timeoutSeconds * 1000);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Failed('slow')), { once: true });
  });
  try {
    return await Promise.race([follow(address, known, options, signal), late]);
  } catch (error) {
    if (signal.aborted) return { is: 'failed', problem: 'slow' };
    return { is: 'failed', problem: error instanceof Failed ? error.problem : 'unreachable' };
  }
}
