/**
 * Complete disconnection from Discord. client.destroy() of discord.js is not enough: a shard between two connections
 * reconnects half a second later, and the call never resolves for a shard that waits for READY.
 */
import type { Client } from 'discord.js';
import { createPause } from './pause.ts';

/** Time limit for a clean close, ms. */
const PATIENCE_MS = 1_000;

/** Private parts of discord.js. */
interface Inner {
  options: { retrieveSessionInfo: (shardId: number) => Promise<unknown> };
  strategy: { shards: ReadonlyMap<number, { connection: Socket | null }> };
}
interface Socket {
  addEventListener: (event: 'error', listener: () => void) => void;
  terminate: () => void;
}

/** Ends a client in any state. */
export async function leave(client: Client): Promise<void> {
  client.removeAllListeners();
  // an unfinished request may still fail, and an `error` event without a listener would end the process
  client.on('error', () => undefined);
  const inner = Reflect.get(client.ws, '_ws') as Inner | null;
  const shards = [...(inner?.strategy.shards.values() ?? [])];
  // a shard requests its session before it connects: a promise that never resolves stops it there
  if (inner) inner.options.retrieveSessionInfo = () => new Promise(() => undefined);
  const patience = createPause();
  await Promise.race([client.destroy().finally(patience.wake), patience.wait(PATIENCE_MS)]);
  for (const { connection } of shards) {
    if (!connection) continue;
    connection.addEventListener('error', () => undefined);
    connection.terminate();
  }
}
