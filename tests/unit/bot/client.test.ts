import { GatewayIntentBits, IntentsBitField, SimpleIdentifyThrottler } from 'discord.js';
import { expect, test } from 'vitest';
import { createClient } from '#bot/client.ts';
import { type BotContext, TIMINGS } from '#bot/context.ts';
import { createServerCalls } from '#bot/server.ts';
import { createLog } from '#server/platform/log.ts';

const CONTEXT: BotContext = {
  token: 'a-token',
  apiUrl: 'http://127.0.0.1:9/api',
  publicUrl: 'https://marshal.example',
  instanceId: 'bot',
  server: createServerCalls('http://127.0.0.1:9', 'a-token'),
  log: createLog('silent'),
  timings: TIMINGS,
};

test.each([
  ['with the members', true, GatewayIntentBits.Guilds | GatewayIntentBits.GuildMembers],
  ['without them', false, GatewayIntentBits.Guilds],
])('the bot asks for the events that it handles and no others, %s', async (_how, withMembers, asked) => {
  const client = createClient(CONTEXT, {
    shardId: 0,
    shardCount: 1,
    withMembers,
    throttler: new SimpleIdentifyThrottler(1),
  });
  expect(new IntentsBitField(client.options.intents).toArray()).toEqual(new IntentsBitField(asked).toArray());
  await client.destroy();
});
