/** Discord's real client, connected to the emulator. */
import { Client, Events, GatewayIntentBits, type ClientEvents, type Interaction } from 'discord.js';
import type { Emulator } from './types.ts';

const TESTED_INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildScheduledEvents,
];

/** A ready client. @throws the error of `login` */
export async function connectClient(emulator: Emulator, intents = TESTED_INTENTS): Promise<Client<true>> {
  const client = new Client({ intents, rest: { api: emulator.apiUrl, timeout: 2000, retries: 1 } });
  const ready = new Promise<Client<true>>((resolve) => {
    client.once(Events.ClientReady, resolve);
  });
  try {
    await client.login(emulator.token);
  } catch (error) {
    await client.destroy();
    throw error;
  }
  return ready;
}

/** The next event of this kind that fits. */
export function nextEvent<Name extends keyof ClientEvents>(
  client: Client,
  name: Name,
  fits: (...event: ClientEvents[Name]) => boolean = () => true,
): Promise<ClientEvents[Name]> {
  return new Promise((resolve) => {
    const look = (...event: ClientEvents[Name]) => {
      if (!fits(...event)) return;
      client.off(name, look);
      resolve(event);
    };
    client.on(name, look);
  });
}

/** Answers interactions with this handler; its errors fail the test. @returns a function that stops it */
export function onInteraction(client: Client, answer: (interaction: Interaction) => Promise<unknown>): () => void {
  const listen = (interaction: Interaction) => void answer(interaction);
  client.on(Events.InteractionCreate, listen);
  return () => void client.off(Events.InteractionCreate, listen);
}
