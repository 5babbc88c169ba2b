/** The hub of live updates: the open event streams (SSE) of this process, and the delivery of signals to them. */
import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '#shared/live.ts';
import type { Role } from '#shared/vocabulary.ts';
import { startListener, type Listener } from '#server/platform/listener.ts';
import type { Log } from '#server/platform/log.ts';
import { LIVE_CHANNEL, readLiveSignal, type LiveSignal } from '#server/signals/live-signals.ts';

/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MS = 22_000;
const STREAMS_PER_USER = 12;
/** A stream with more unread data than this is closed: the page reconnects and reloads everything. */
const UNREAD_BYTES_MAX = 16_384;
/** A topic that concerns everybody, such as the statistics, is broadcast at most this often. */
const BROADCAST_EVERY_MS = 5_000;
/** The pause before a page reconnects; random, so that a restart causes no stampede. */
const RETRY_MS = { least: 2_000, spread: 3_000 };
/** A page that was signed out elsewhere reconnects quickly, is refused, and then shows it. */
const RETRY_SIGNED_OUT_MS = 100;
/** A page whose stream was closed to make room reconnects only when somebody looks at it. */
const RETRY_LATER_MS = 3_600_000;

interface Stream {
  response: ServerResponse;
  userId: string;
  /** the id of the session or access token in the database */
  accessId: string;
  isAdmin: boolean;
}

export interface Live {
  /** Turn a response into an event stream, until either side ends it. The listener is a pilot. */
  open: (to: { userId: string; accessId: string; roles: readonly Role[] }, response: ServerResponse) => void;
  /** The number of open streams. */
  count: () => number;
  /** The heartbeat, which runs on a timer: finds dead connections, ended sessions and changed roles. */
  check: () => Promise<void>;
  /** End all streams and close the database connection; streams that are opened later end at once. */
  stop: () => Promise<void>;
}

const frame = (event: LiveEvent): string => `data: ${JSON.stringify(event)}\n\n`;
const retryFrame = (ms: number): string => `retry: ${Math.round(ms)}\n\n`;

/**
 * The hub of one process. It connects to the database when the first stream is opened.
 * @param findRoles roles of the users of live sessions and access tokens, by id
 */
export function createLive(
  databaseUrl: string,
  findRoles: (accessIds: readonly string[]) => Promise<Map<string, Role[]>>,
  log: Log,
): Live {
  const streamsOf = new Map<string, Set<Stream>>();
  /** topics that were broadcast a moment ago, each with the latest event since */
  const resting = new Map<LiveEvent['topic'], LiveEvent | null>();
  let listener: Listener | null = null;
  let heartbeat: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isInterrupted = false;
  let lastVersion = 0;

  const listStreams = (): Stream[] => [...streamsOf.values()].flatMap((streams) => [...streams]);

  function forget(stream: Stream): void {
    const streams = streamsOf.get(stream.userId);
    streams?.delete(stream);
    if (streams?.size === 0) streamsOf.delete(stream.userId);
  }

  function write(stream: Stream, text: string): void {
    stream.response.write(text);
    if (stream.response.writableLength <= UNREAD_BYTES_MAX) return;
    forget(stream);
    stream.response.destroy();
  }

  function end(stream: Stream, lastWords = ''): void {
    forget(stream);
    stream.response.end(lastWords);
  }

  function send(streams: Iterable<Stream>, event: LiveEvent): void {
    const text = frame(event);
    for (const stream of streams) write(stream, text);
  }

  function broadcast(event: LiveEvent): void {
    if (resting.has(event.topic)) {
      resting.set(event.topic, event);
      return;
    }
    send(listStreams(), event);
    resting.set(event.topic, null);
    setTimeout(() => {
      const since = resting.get(event.topic);
      resting.delete(event.topic);
      if (since) broadcast(since);
    }, BROADCAST_EVERY_MS).unref();
  }

  /** Ends streams whose session or token has ended or whose pilot is suspended, and updates the roles of the others. */
  async function checkSessions(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return;
    const roles = await findRoles(streams.map(({ accessId }) => accessId));
    for (const stream of streams) {
      const held = roles.get(stream.accessId);
      if (held?.includes('user')) stream.isAdmin = held.includes('admin');
      else end(stream, retryFrame(RETRY_SIGNED_OUT_MS));
    }
  }

  const checkSessionsQuietly = (streams: readonly Stream[]): Promise<void> =>
    // While the database is unavailable streams stay open: the next heartbeat checks again.
    checkSessions(streams).catch((error: unknown) => log.debug({ err: error }, 'stream sessions not checked'));

  function findAddressed(to: LiveSignal['to']): Stream[] {
    if (to === 'everybody') return listStreams();
    if (to === 'admins') return listStreams().filter((stream) => stream.isAdmin);
    return to.flatMap((userId) => [...(streamsOf.get(userId) ?? [])]);
  }

  function deliver({ topic, version, to }: LiveSignal): void {
    lastVersion = version;
    if (topic === 'session') void checkSessionsQuietly(findAddressed(to));
    else if (to === 'everybody') broadcast({ topic, version });
    else send(findAddressed(to), { topic, version });
  }

  function listen(): Listener {
    heartbeat = setInterval(() => void check(), HEARTBEAT_MS);
    heartbeat.unref();
    return startListener(databaseUrl, LIVE_CHANNEL, {
      onNotice(payload) {
        const notice = readLiveSignal(payload);
        // a process of a newer release may send signals that this one does not know
        if (notice) deliver(notice);
        else log.debug({ payload }, 'unknown notification ignored');
      },
      onListening() {
        if (isInterrupted) log.info('live updates resumed');
        isInterrupted = false;
        send(listStreams(), { topic: 'all', version: lastVersion });
      },
      onLost(error) {
        if (!isInterrupted) log.warn({ err: error.message }, 'live updates interrupted');
        isInterrupted = true;
      },
    });
  }

  async function check(): Promise<void> {
    const streams = listStreams();
    for (const stream of streams) write(stream, ':\n\n');
    await Promise.all([checkSessionsQuietly(streams), listener?.probe()]);
  }

  return {
    check,
    count: () => listStreams().length,
    open({ userId, accessId, roles }, response) {
      if (response.destroyed) return;
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        // otherwise nginx buffers events
        'X-Accel-Buffering': 'no',
        // the connection is closed with the stream
        Connection: 'close',
      });
      response.write(retryFrame(RETRY_MS.least + Math.random() * RETRY_MS.spread));
      if (isStopped) {
        response.end();
        return;
      }
      const stream: Stream = { response, userId, accessId, isAdmin: roles.includes('admin') };
      const streams = streamsOf.get(userId) ?? new Set();
      streamsOf.set(userId, streams.add(stream));
      response.once('close', () => forget(stream));
      // a connection that breaks during a write; `close` follows
      response.once('error', () => forget(stream));
      const [oldest] = streams;
      if (streams.size > STREAMS_PER_USER && oldest) end(oldest, retryFrame(RETRY_LATER_MS));
      listener ??= listen();
      if (listener.isListening()) send([stream], { topic: 'all', version: lastVersion });
    },
    async stop() {
      isStopped = true;
      clearInterval(heartbeat);
      for (const stream of listStreams()) end(stream);
      await listener?.stop();
    },
  };
}
