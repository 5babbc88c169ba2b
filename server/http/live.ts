/** The streams that are open in this process, and who hears what. */
import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '#shared/live.ts';
import type { Role } from '#shared/vocabulary.ts';
import { startListener, type Listener } from '#server/platform/listener.ts';
import type { Log } from '#server/platform/log.ts';
import { LIVE_CHANNEL, readLiveSignal, type LiveSignal } from '#server/signals/live-signals.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { isAdmin, type Viewer } from '#server/platform/viewer.ts';

/** Shorter than what proxies allow a silent connection. */
const HEARTBEAT_MS = 22_000;
const STREAMS_PER_USER = 12;
/** A stream that has this much waiting for its reader is given up: the page comes back and reads everything again. */
const UNREAD_BYTES_MAX = 16_384;
/** What concerns everybody, such as a counter, is told this often at most. */
const BROADCAST_EVERY_MS = 5_000;
/** How long a page waits before it comes back; spread, so that a restart is no stampede. */
const RETRY_MS = { least: 2_000, spread: 3_000 };
/** Who was signed out elsewhere is to see it soon: the page asks again, is refused, and leaves. */
const RETRY_SIGNED_OUT_MS = 100;
/** The page of a stream that had to make room comes back when it is looked at, not by itself. */
const RETRY_LATER_MS = 3_600_000;

interface Stream {
  response: ServerResponse;
  userId: string;
  /** what the session table knows the session by */
  sessionId: string;
  isAdmin: boolean;
}

export interface Live {
  /** Take over an answer and write events into it until one side ends it. The viewer is a pilot. */
  open: (viewer: Viewer, sessionToken: string, response: ServerResponse) => void;
  /** Heartbeat: find dead connections, sessions that ended, and roles that changed. Runs by itself. */
  check: () => Promise<void>;
  /** End all streams and let go of the database; streams that are opened later end at once. */
  stop: () => Promise<void>;
}

const frame = (event: LiveEvent): string => `data: ${JSON.stringify(event)}\n\n`;
const retryFrame = (ms: number): string => `retry: ${Math.round(ms)}\n\n`;

/**
 * The hub of one process. It connects to the database when the first stream is opened, not before.
 * @param findRoles the roles behind sessions that still stand, by session id
 */
export function createLive(
  databaseUrl: string,
  findRoles: (sessionIds: readonly string[]) => Promise<Map<string, Role[]>>,
  log: Log,
): Live {
  const streamsOf = new Map<string, Set<Stream>>();
  /** topics that were broadcast a moment ago, with the change that came since */
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

  /** Streams whose session ended, or whose pilot was suspended, end; what the others may hear follows their roles. */
  async function checkSessions(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return;
    const roles = await findRoles(streams.map(({ sessionId }) => sessionId));
    for (const stream of streams) {
      const held = roles.get(stream.sessionId);
      if (held?.includes('user')) stream.isAdmin = held.includes('admin');
      else end(stream, retryFrame(RETRY_SIGNED_OUT_MS));
    }
  }

  const checkSessionsQuietly = (streams: readonly Stream[]): Promise<void> =>
    // With the database away nobody is thrown out: the next heartbeat looks again.
    checkSessions(streams).catch((error: unknown) => log.debug({ err: error }, 'sessions of streams not checked'));

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
        // a process of a newer release may speak of what this one does not know
        if (notice) deliver(notice);
        else log.debug({ payload }, 'a notification that nobody here understands');
      },
      onListening() {
        if (isInterrupted) log.info('live updates are back');
        isInterrupted = false;
        send(listStreams(), { topic: 'all', version: lastVersion });
      },
      onLost(error) {
        if (!isInterrupted) log.warn({ err: error.message }, 'live updates are interrupted');
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
    open(viewer, sessionToken, response) {
      if (response.destroyed) return;
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        // nginx would collect events until a buffer is full
        'X-Accel-Buffering': 'no',
        // a connection of its own, closed with the stream
        Connection: 'close',
      });
      response.write(retryFrame(RETRY_MS.least + Math.random() * RETRY_MS.spread));
      if (isStopped) {
        response.end();
        return;
      }
      const stream: Stream = {
        response,
        userId: viewer.id,
        sessionId: hashToken(sessionToken),
        isAdmin: isAdmin(viewer),
      };
      const streams = streamsOf.get(viewer.id) ?? new Set();
      streamsOf.set(viewer.id, streams.add(stream));
      response.once('close', () => forget(stream));
      // a connection that breaks while it is written to; its close follows
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
