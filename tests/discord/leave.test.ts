/** Disconnecting from Discord: a client that leaves in any state does not come back. */
import { Client, GatewayIntentBits } from 'discord.js';
import { expect, test } from 'vitest';
import { leave } from '#bot/leave.ts';
import { connectClient } from './emulator/client.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator } from './emulator/types.ts';

/** discord.js connects again half a second after a connection has ended; by then any reconnection has happened. */
const SILENCE_MS = 1_000;
const CLIENTS = 16;
/** They leave one after the other, so that each is in a different state. */
const CONNECTING_MS = 100;
const RECONNECTING_MS = 600;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function connecting(emulator: Emulator): Promise<Client[]> {
  const make = () => new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: emulator.apiUrl } });
  const clients = Array.from({ length: CLIENTS }, make);
  for (const client of clients) client.login(emulator.token).catch(() => undefined);
  return clients;
}

const connected = (breakIt: (emulator: Emulator) => void) => async (emulator: Emulator) => {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connectClient(emulator)));
  breakIt(emulator);
  return clients;
};

test.concurrent.each<[when: string, begin: (emulator: Emulator) => Promise<Client[]>, withinMs: number]>([
  ['while it connects', connecting, CONNECTING_MS],
  ['after op 9: its session is over', connected((emulator) => emulator.invalidateSession(false)), RECONNECTING_MS],
  ['after op 9: it is to resume', connected((emulator) => emulator.invalidateSession(true)), RECONNECTING_MS],
  ['after op 7: it is to reconnect', connected((emulator) => emulator.askReconnect()), RECONNECTING_MS],
  ['after its connection was cut', connected((emulator) => emulator.cutGateway()), RECONNECTING_MS],
])('%s', async (_when, begin, withinMs) => {
  const emulator = await startEmulator({ wideLimits: ['gateway'] });
  emulator.addGuild({ name: 'Lantern Wing', channels: [{ name: 'general' }] });
  const clients = await begin(emulator);
  await Promise.all(clients.map((client, n) => after((n * withinMs) / CLIENTS).then(() => leave(client))));
  await after(SILENCE_MS);
  expect(emulator.connections()).toBe(0);
  expect(emulator.violations).toEqual([]);
  await emulator.stop();
});
