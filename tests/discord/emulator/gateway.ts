/** The emulated gateway: sessions that outlive their connections, numbered events, resumes and their failures. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayIntentBits as Intents } from 'discord-api-types/v10';
import { WebSocketServer, type WebSocket } from 'ws';
import { checkDispatch, readGatewayPayload } from './contract-gateway.ts';
import { createMemberList } from './gateway-members.ts';
import { createSendCount, MOST_SENDS } from './gateway-sends.ts';
import { shardOf } from './ids.ts';
import { applicationShape, guildCreateShape, userShape } from './shapes.ts';
import type { Guild, World } from './state.ts';
import type { ShardChange, StoredSession } from './types.ts';

const HEARTBEAT_MS = 41_250;
/** "Each shard can only support a maximum of 2500 guilds", https://docs.discord.com/developers/events/gateway#sharding */
const GUILDS_PER_SHARD = 2500;
/** About as many as Discord recommends; it does not publish its rule. */
const GUILDS_RECOMMENDED = 1000;
/** About the number of events that Discord keeps for a resume. */
const KEPT_EVENTS = 5000;
const SESSION_STARTS = 1000;
/** One identify of a bot in that time. */
const IDENTIFY_EVERY_MS = 5000;
/** Closed with one of these, a session cannot be resumed. */
const ENDING_CODES = new Set([1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014]);
const PRIVILEGED_MEMBERS = Intents.GuildMembers;
const KNOWN_INTENTS = Object.values(Intents).reduce(
  (all: number, bit) => (typeof bit === 'number' ? all | bit : all),
  0,
);

interface Session {
  id: string;
  intents: number;
  shard: readonly [number, number];
  sequence: number;
  kept: { s: number; frame: string }[];
  socket: WebSocket | null;
}

export interface Gateway {
  connections: () => number;
  sessions: () => StoredSession[];
  recommendedShards: () => number;
  shard: (change: ShardChange) => void;
  silenceShard: (shardId: number, isSilent: boolean) => void;
  endShard: (shardId: number) => void;
  sessionStarts: () => { total: number; remaining: number; reset_after: number; max_concurrency: number };
  closeAll: (code: number) => void;
  cutAll: () => void;
  askReconnect: () => void;
  invalidate: (canResume: boolean) => void;
  duplicate: (isOn: boolean) => void;
  refuseConnections: (isOn: boolean) => void;
  limitRates: (isOn: boolean) => void;
  setSessionStarts: (left: number) => void;
  stop: () => void;
}

/** Takes over `world.dispatch`. @param gatewayUrl the address at which clients resume */
export function startGateway(
  world: World,
  server: Server,
  gatewayUrl: () => string,
  isLimitingAtFirst: boolean,
): Gateway {
  const sessions = new Map<string, Session>();
  const sockets = new Set<WebSocket>();
  const ofSocket = new WeakMap<WebSocket, Session>();
  const upgrader = new WebSocketServer({ noServer: true });
  let isDuplicating = false;
  let isRefusing = false;
  let isLimiting = isLimitingAtFirst;
  /** when each key last identified: `shard_id % max_concurrency` */
  const identifiedMs = new Map<number, number>();
  /** shards that get neither events nor answers */
  const silent = new Set<number>();
  const sharding: Required<ShardChange> = {
    recommended: 0,
    maxConcurrency: 1,
    most: GUILDS_PER_SHARD,
    heartbeatMs: HEARTBEAT_MS,
  };
  const members = createMemberList(world);
  let startsLeft = SESSION_STARTS;

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!/[?&]v=10(&|$)/.test(request.url ?? '') || !/[?&]encoding=json(&|$)/.test(request.url ?? '')) {
      world.violate('The gateway was called without v=10 and encoding=json');
    }
    if (isRefusing || !request.url?.startsWith('/gateway')) {
      socket.destroy();
      return;
    }
    upgrader.handleUpgrade(request, socket, head, (connection) => welcome(connection));
  });

  function welcome(socket: WebSocket): void {
    sockets.add(socket);
    const sends = createSendCount();
    socket.on('message', (data: Buffer) => {
      if (!sends.take()) {
        world.violate(`The gateway was sent more than ${MOST_SENDS} payloads by one connection in a minute`);
        socket.close(4008, 'Rate limited.');
        return;
      }
      const payload = readGatewayPayload(world, data.toString('utf8'));
      if (payload === null) socket.close(4002, 'Error while decoding payload.');
      else hear(socket, payload);
    });
    socket.on('close', (code: number) => {
      sockets.delete(socket);
      const session = ofSocket.get(socket);
      if (session?.socket === socket) {
        session.socket = null;
        if (ENDING_CODES.has(code)) sessions.delete(session.id);
      }
      world.changed();
    });
    socket.on('error', () => undefined);
    socket.send(
      JSON.stringify({ op: 10, d: { heartbeat_interval: sharding.heartbeatMs, _trace: [] }, s: null, t: null }),
    );
  }

  /** The guilds that the bot is in and a shard serves. */
  function guildsOf([shardId, shardCount]: readonly [number, number]): Guild[] {
    return [...world.guilds.values()].filter((guild) => guild.isInstalled && shardOf(guild.id, shardCount) === shardId);
  }

  const isSilent = (socket: WebSocket) => silent.has(ofSocket.get(socket)?.shard[0] ?? -1);

  function hear(socket: WebSocket, payload: NonNullable<ReturnType<typeof readGatewayPayload>>): void {
    switch (payload.op) {
      case 1:
        if (!isSilent(socket)) socket.send(JSON.stringify({ op: 11, d: null, s: null, t: null }));
        return;
      case 2:
        identify(socket, payload.d);
        return;
      case 6:
        resume(socket, payload.d);
        return;
      case 8: {
        const session = ofSocket.get(socket);
        if (session === undefined) socket.close(4003, 'Not authenticated.');
        else {
          const canListAll = (session.intents & PRIVILEGED_MEMBERS) !== 0;
          for (const [event, data] of members.answer(payload.d, { canListAll, isLimiting })) send(session, event, data);
        }
        return;
      }
      case 3:
      case 4:
        // presence and voice: taken, without effect here
        if (ofSocket.get(socket) === undefined) socket.close(4003, 'Not authenticated.');
    }
  }

  function identify(
    socket: WebSocket,
    { token, intents, shard = [0, 1] }: { token: string; intents: number; shard?: readonly [number, number] },
  ): void {
    if (ofSocket.get(socket)?.socket === socket) return socket.close(4005, 'Already authenticated.');
    if (token !== world.token) return socket.close(4004, 'Authentication failed.');
    if (shard[0] >= shard[1]) return socket.close(4010, 'Invalid shard.');
    if ((intents & ~KNOWN_INTENTS) !== 0) return socket.close(4013, 'Invalid intent(s).');
    if (world.isMembersIntentRefused && (intents & PRIVILEGED_MEMBERS) !== 0) {
      return socket.close(4014, 'Disallowed intent(s).');
    }
    if (silent.has(shard[0])) return;
    const guilds = guildsOf(shard);
    if (guilds.length > sharding.most) return socket.close(4011, 'Sharding required.');
    const key = shard[0] % sharding.maxConcurrency;
    const sinceIdentify = Date.now() - (identifiedMs.get(key) ?? Number.NEGATIVE_INFINITY);
    identifiedMs.set(key, Date.now());
    if (isLimiting && sinceIdentify < IDENTIFY_EVERY_MS) {
      socket.send(JSON.stringify({ op: 9, d: false, s: null, t: null }));
      return;
    }
    // beyond the limit Discord ends all sessions and resets the token
    if (startsLeft === 0) {
      for (const session of sessions.values()) session.socket?.close(4004, 'Authentication failed.');
      sessions.clear();
      return socket.close(4004, 'Authentication failed.');
    }
    startsLeft -= 1;
    const session: Session = { id: crypto.randomUUID(), intents, shard, sequence: 0, kept: [], socket };
    sessions.set(session.id, session);
    ofSocket.set(socket, session);
    const { id, flags } = applicationShape(world);
    send(session, 'READY', {
      v: 10,
      user: { ...userShape(world.bot), verified: true, mfa_enabled: false, email: null },
      guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: gatewayUrl(),
      shard,
      application: { id, flags },
      session_type: 'normal',
      private_channels: [],
      relationships: [],
      presences: [],
      guild_join_requests: [],
      user_settings: {},
      _trace: [],
    });
    if ((intents & Intents.Guilds) !== 0) {
      for (const guild of guilds) if (!guild.isOut) send(session, 'GUILD_CREATE', guildCreateShape(guild, world));
    }
    world.changed();
  }

  function resume(
    socket: WebSocket,
    { token, session_id: id, seq }: { token: string; session_id: string; seq: number },
  ): void {
    if (token !== world.token) return socket.close(4004, 'Authentication failed.');
    const session = sessions.get(id);
    if (session !== undefined && silent.has(session.shard[0])) return;
    const oldest = session?.kept[0]?.s ?? (session?.sequence ?? 0) + 1;
    if (session === undefined || oldest > seq + 1) {
      socket.send(JSON.stringify({ op: 9, d: false, s: null, t: null }));
      return;
    }
    if (seq > session.sequence) {
      sessions.delete(id);
      return socket.close(4007, 'Invalid seq.');
    }
    if (session.socket !== null && session.socket !== socket)
      session.socket.close(4000, 'Session was resumed elsewhere.');
    session.socket = socket;
    ofSocket.set(socket, session);
    for (const { s, frame } of session.kept) if (s > seq) socket.send(frame);
    send(session, 'RESUMED', { _trace: [] });
    world.changed();
  }

  /** Keeps the event for a resume, and sends it when the session is connected. */
  function send(session: Session, event: string, data: object): void {
    checkDispatch(world, event, data);
    session.sequence += 1;
    const frame = JSON.stringify({ op: 0, t: event, s: session.sequence, d: data });
    session.kept.push({ s: session.sequence, frame });
    if (session.kept.length > KEPT_EVENTS) session.kept.shift();
    if (silent.has(session.shard[0])) return;
    session.socket?.send(frame);
    if (isDuplicating && event !== 'READY' && event !== 'RESUMED' && event !== 'GUILD_MEMBERS_CHUNK') {
      session.sequence += 1;
      const again = JSON.stringify({ op: 0, t: event, s: session.sequence, d: data });
      session.kept.push({ s: session.sequence, frame: again });
      session.socket?.send(again);
    }
  }

  world.dispatch = (event, guildId, data, intents = 0) => {
    for (const session of sessions.values()) {
      const isOwn = shardOf(guildId, session.shard[1]) === session.shard[0];
      if (isOwn && (intents === 0 || (session.intents & intents) !== 0)) send(session, event, data);
    }
    world.changed();
  };

  const socketsOf = (shardId: number) =>
    live().flatMap(({ shard, socket }) => (shard[0] === shardId && socket !== null ? [socket] : []));
  const live = () => [...sessions.values()].filter(({ socket }) => socket !== null);
  return {
    connections: () => live().length,
    sessions: () => live().map(({ id, shard: [shardId, shardCount] }) => ({ id, shardId, shardCount })),
    recommendedShards: () => {
      const installed = [...world.guilds.values()].filter(({ isInstalled }) => isInstalled).length;
      return sharding.recommended || Math.max(1, Math.ceil(installed / GUILDS_RECOMMENDED));
    },
    shard: (change) => void Object.assign(sharding, change),
    silenceShard: (shardId, isOn) => {
      if (isOn) silent.add(shardId);
      else silent.delete(shardId);
      // what was held back comes with a resume
      if (!isOn) for (const socket of socketsOf(shardId)) drop(socket, () => socket.terminate(), 1006);
      world.changed();
    },
    endShard: (shardId) => {
      for (const socket of socketsOf(shardId)) drop(socket, () => socket.close(4009), 4009);
    },
    sessionStarts: () => ({
      total: SESSION_STARTS,
      remaining: startsLeft,
      reset_after: 14_400_000,
      max_concurrency: sharding.maxConcurrency,
    }),
    closeAll: (code) => {
      for (const socket of sockets) drop(socket, () => socket.close(code), code);
    },
    cutAll: () => {
      for (const socket of sockets) drop(socket, () => socket.terminate(), 1006);
    },
    askReconnect: () => {
      for (const { socket } of live()) socket?.send(JSON.stringify({ op: 7, d: null, s: null, t: null }));
    },
    invalidate: (canResume) => {
      for (const session of live()) {
        const { socket } = session;
        session.socket = null;
        if (socket !== null) ofSocket.delete(socket);
        if (!canResume) sessions.delete(session.id);
        socket?.send(JSON.stringify({ op: 9, d: canResume, s: null, t: null }));
      }
      world.changed();
    },
    duplicate: (isOn) => {
      isDuplicating = isOn;
    },
    setSessionStarts: (left) => {
      startsLeft = left;
    },
    limitRates: (isOn) => {
      isLimiting = isOn;
    },
    refuseConnections: (isOn) => {
      isRefusing = isOn;
    },
    stop: () => {
      for (const socket of sockets) socket.terminate();
      sessions.clear();
      upgrader.close();
    },
  };

  /** From now on events are kept for the session but not sent, even if the connection is open. */
  function drop(socket: WebSocket, end: () => void, code: number): void {
    const session = ofSocket.get(socket);
    if (session?.socket === socket) {
      session.socket = null;
      if (ENDING_CODES.has(code)) sessions.delete(session.id);
    }
    end();
    world.changed();
  }
}
