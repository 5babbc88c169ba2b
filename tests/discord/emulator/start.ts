import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChanges } from './changes.ts';
import { createFaults } from './faults.ts';
import { startGateway } from './gateway.ts';
import { createGuildActs } from './guild-acts.ts';
import { createRest } from './http.ts';
import { createOAuth } from './oauth.ts';
import { createPeopleActs } from './people-acts.ts';
import { isThread } from './permissions.ts';
import { createRates } from './rates.ts';
import { applicationRoutes } from './routes/application.ts';
import { channelRoutes } from './routes/channels.ts';
import { guildRoutes } from './routes/guilds.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { scheduledEventRoutes } from './routes/scheduled-events.ts';
import { threadRoutes } from './routes/threads.ts';
import { storedEvent, storedMessage, storedThread } from './shapes.ts';
import { createWorld, guildOf } from './state.ts';
import type { Emulator, EmulatorOptions } from './types.ts';

/** A Discord of its own, empty but for the bot's account. */
export async function startEmulator({
  host = '127.0.0.1',
  port = 0,
  redirectUris = [],
  isPublic = false,
  wideLimits = [],
}: EmulatorOptions = {}): Promise<Emulator> {
  const { changed, until } = createChanges();
  const world = createWorld({ redirectUris, isPublic }, changed);
  const faults = createFaults();
  const oauth = createOAuth(world);
  const rates = createRates(world.rates, { isWide: wideLimits.includes('requests') });
  let url = '';
  const gatewayUrl = () => `${url.replace('http', 'ws')}/gateway/`;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => rest(request, response, Buffer.concat(chunks).toString('utf8')));
  });
  const gateway = startGateway(world, server, gatewayUrl, !wideLimits.includes('gateway'));
  const rest = createRest(
    world,
    [
      ...applicationRoutes,
      ...channelRoutes,
      ...guildRoutes,
      ...interactionRoutes,
      ...scheduledEventRoutes,
      ...threadRoutes,
      { method: 'GET', path: '/gateway', handle: () => ({ body: { url: gatewayUrl() } }) },
      {
        method: 'GET',
        path: '/gateway/bot',
        handle: () => ({
          body: {
            url: gatewayUrl(),
            shards: gateway.recommendedShards(),
            session_start_limit: gateway.sessionStarts(),
          },
        }),
      },
    ],
    { faults, oauth, rates },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  url = `http://${host}:${(server.address() as AddressInfo).port}`;

  return {
    url,
    apiUrl: `${url}/api`,
    token: world.token,
    applicationId: world.applicationId,
    clientSecret: world.clientSecret,
    botUserId: world.bot.id,
    ...createGuildActs(world),
    ...createPeopleActs(world, until),
    signInAs: oauth.signInAs,
    messages: (channelId) => (world.channels.get(channelId)?.messages ?? []).map(storedMessage),
    directMessages: (userId) =>
      [...world.channels.values()].find(({ recipient }) => recipient?.id === userId)?.messages.map(storedMessage) ?? [],
    threads: (channelId) =>
      [...world.channels.values()].filter((one) => isThread(one) && one.parentId === channelId).map(storedThread),
    scheduledEvents: (guildId) => [...guildOf(world, guildId).events.values()].map(storedEvent),
    commands: () =>
      [...world.commands.values()].map(({ name, description, descriptionLocalizations, options }) => ({
        name,
        description,
        descriptionLocalizations,
        options,
      })),
    requests: world.requests,
    violations: world.violations,
    connections: gateway.connections,
    sessions: gateway.sessions,
    until: (what, condition) => until(what, condition),
    fail: faults.add,
    clearFaults: faults.clear,
    closeGateway: gateway.closeAll,
    setSharding: gateway.shard,
    silenceShard: gateway.silenceShard,
    endShard: gateway.endShard,
    refuseMembersIntent: (isRefused) => {
      world.isMembersIntentRefused = isRefused;
    },
    askReconnect: gateway.askReconnect,
    invalidateSession: gateway.invalidate,
    cutGateway: gateway.cutAll,
    refuseConnections: gateway.refuseConnections,
    limitRates: gateway.limitRates,
    setSessionStarts: gateway.setSessionStarts,
    setRate: (call, rate) => void world.rates.set(call, rate),
    invalidRequests: rates.invalid,
    duplicateEvents: gateway.duplicate,
    forgetNonces: () => world.nonces.clear(),
    expireInteractions: (isOn) => {
      world.isInteractionsExpired = isOn;
    },
    stop: () =>
      new Promise((resolve) => {
        gateway.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
