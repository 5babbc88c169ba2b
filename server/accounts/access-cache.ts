/**
 * The pilots to whom sessions and access tokens belonged a moment ago, so that polled reads need no lookup. Triggers of the database
 * announce every change (see `server/schema/user.ts`), which empties the cache. It answers only while it cannot have missed
 * one: the listening connection has answered recently, and after this process's last write.
 */
import { ownWrites } from '#server/schema/own-writes.ts';
import { ACCESS_CHANNEL } from '#server/schema/user.ts';
import { startListener, type Listener } from '#server/platform/listener.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { AccessToken } from './access-tokens.ts';

/** How long an entry counts. */
const KEPT_MS = 5_000;
/** A connection that has not answered for so long may be dead without having been closed. */
const ANSWERED_WITHIN_MS = 2_000;
/** It is asked again, in the background, when its last answer is older than this. */
const ASKED_EVERY_MS = 1_000;
/** A session or token that expires sooner is always looked up, because the database's clock decides. */
const EXPIRY_MARGIN_MS = 3_600_000;
const ENTRIES_MAX = 20_000;

/** Whom a session or an access token stands for. */
interface Access {
  viewer: Viewer;
  /** null for a session */
  token: AccessToken | null;
}

export interface AccessCache {
  /** @param hash of the session's or access token's secret @returns null if it has to be looked up */
  find: (hash: string) => Access | null;
  /**
   * Begin a lookup.
   * @returns keeps its answer, unless something has changed meanwhile or it is about to expire
   */
  begin: () => (hash: string, access: Access, expiresAt: Date) => void;
  stop: () => Promise<void>;
}

/** The cache of one process. It connects to the database when something is first looked for. */
export function createAccessCache(databaseUrl: string): AccessCache {
  const entries = new Map<string, Access & { keptAtMs: number }>();
  let listener: Listener | null = null;
  let isStopped = false;
  /** raised by every notification, and whenever some may have been missed */
  let changes = 0;
  /** as of the last answer of the connection: the writes before the question, and when it was asked */
  let answered = { writes: -1, atMs: -Infinity };
  let isAsking = false;

  function empty(): void {
    changes += 1;
    entries.clear();
  }

  function listen(): Listener {
    const distrust = () => {
      answered = { writes: -1, atMs: -Infinity };
      empty();
    };
    return startListener(databaseUrl, ACCESS_CHANNEL, { onNotice: empty, onListening: distrust, onLost: distrust });
  }

  async function ask(): Promise<void> {
    if (isAsking || isStopped) return;
    isAsking = true;
    const asked = { writes: ownWrites(), atMs: performance.now() };
    listener ??= listen();
    if (await listener.probe()) answered = asked;
    isAsking = false;
  }

  function hasMissedNothing(): boolean {
    const age = performance.now() - answered.atMs;
    const isCurrent = answered.writes === ownWrites() && listener?.isListening() === true;
    if (!isCurrent || age > ASKED_EVERY_MS) void ask();
    return isCurrent && age <= ANSWERED_WITHIN_MS;
  }

  return {
    find(hash) {
      if (!hasMissedNothing()) return null;
      const entry = entries.get(hash);
      return entry && performance.now() - entry.keptAtMs <= KEPT_MS ? entry : null;
    },
    begin() {
      const before = changes;
      const startedMs = performance.now();
      return (hash, access, expiresAt) => {
        if (changes !== before || listener?.isListening() !== true) return;
        if (expiresAt.getTime() - Date.now() < EXPIRY_MARGIN_MS) return;
        if (entries.size >= ENTRIES_MAX) entries.clear();
        entries.set(hash, { ...access, keptAtMs: startedMs });
      };
    },
    async stop() {
      isStopped = true;
      await listener?.stop();
    },
  };
}
