/** Guilds of each shard, from READY and later guild events. */
import {
  GatewayDispatchEvents as Dispatch,
  type Client,
  type GatewayGuildDeleteDispatchData,
  type GatewayReadyDispatchData,
} from 'discord.js';

export interface Shards {
  /** ids of the shards that are ready */
  ready: ReadonlySet<number>;
  /** the ids of a shard's guilds */
  guildsOf: (shardId: number) => string[];
}

/** @param onReady called when discord.js has loaded the shard's guilds or found them unavailable */
export function trackShards(client: Client, onReady: (shardId: number) => void): Shards {
  const idsOf = new Map<number, Set<string>>();
  const ready = new Set<number>();

  client.ws.on(Dispatch.Ready, (data: GatewayReadyDispatchData, shardId) => {
    ready.delete(shardId);
    idsOf.set(shardId, new Set(data.guilds.map(({ id }) => id)));
  });
  client.ws.on(Dispatch.GuildCreate, ({ id }: { id: string }, shardId) => idsOf.get(shardId)?.add(id));
  client.ws.on(Dispatch.GuildDelete, ({ id, unavailable }: GatewayGuildDeleteDispatchData, shardId) => {
    if (unavailable !== true) idsOf.get(shardId)?.delete(id);
  });
  client.on('shardReady', (shardId) => {
    // discord.js still caches guilds of an earlier session
    for (const guild of client.guilds.cache.values()) {
      if (guild.shardId === shardId && idsOf.get(shardId)?.has(guild.id) !== true) {
        client.guilds.cache.delete(guild.id);
      }
    }
    ready.add(shardId);
    onReady(shardId);
  });

  return { ready, guildsOf: (shardId) => [...(idsOf.get(shardId) ?? [])] };
}
