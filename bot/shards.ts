/** The guilds of each shard, from READY and the guilds that come and go after it. */
import {
  GatewayDispatchEvents as Dispatch,
  type Client,
  type GatewayGuildDeleteDispatchData,
  type GatewayReadyDispatchData,
} from 'discord.js';

export interface Shards {
  /** by id */
  ready: ReadonlySet<number>;
  /** the ids of a shard's guilds */
  guildsOf: (shardId: number) => string[];
}

/** @param onReady is called with a shard whose guilds discord.js has loaded, or has found to be unavailable */
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
    // discord.js keeps what an earlier session had
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
