/**
 * Leaving Discord for good. discord.js lets go of a shard that is between two connections and lets it connect again
 * half a second later, and never ends for one that waits for Discord's READY.
 */
import type { Client } from 'discord.js';
import { createPause } from './pause.ts';

/** To take leave of Discord in order. */
const PATIENCE_MS = 1_000;

/** What discord.js keeps to itself. */
interface Inner {
  options: { retrieveSessionInfo: (shardId: number) => Promise<unknown> };
  strategy: { shards: ReadonlyMap<number, { connection: Socket | null }> };
}
interface Socket {
  addEventListener: (event: 'error', listener: () => void) => void;
  terminate: () => void;
}

/** After this the client does nothing more. It may be in any state. */
export async function leave(client: Client): Promise<void> {
  client.removeAllListeners();
  // an answer that was under way may still fail, and what nobody listens to would end the process
  client.on('error', () => undefined);
  const inner = Reflect.get(client.ws, '_ws') as Inner | null;
  const shards = [...(inner?.strategy.shards.values() ?? [])];
  // a shard asks for its session before it connects: it waits for an answer, and nobody waits for it
  if (inner) inner.options.retrieveSessionInfo = () => new Promise(() => undefined);
  const patience = createPause();
  await Promise.race([client.destroy().finally(patience.wake), patience.wait(PATIENCE_MS)]);
  for (const { connection } of shards) {
    if (!connection) continue;
    connection.addEventListener('error', () => undefined);
    connection.terminate();
  }
}
