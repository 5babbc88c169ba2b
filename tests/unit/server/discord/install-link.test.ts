/** The bot's install link: exactly the permissions that it needs. */
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { installLink } from '#server/discord/rules/install-link.ts';
import { BOT_PERMISSION_BITS, BOT_PERMISSIONS } from '#shared/vocabulary.ts';

test('the bits are those that Discord gives the named permissions', () => {
  const bits = BOT_PERMISSIONS.reduce((sum, name) => sum | PermissionFlagsBits[name], 0n);
  expect(BOT_PERMISSION_BITS).toBe(bits.toString());
  expect(bits & PermissionFlagsBits.Administrator).toBe(0n);
});

test('the link names the application, the permissions and both scopes', () => {
  const { origin, pathname, searchParams } = new URL(installLink('112233445566778899'));
  expect(origin + pathname).toBe('https://discord.com/oauth2/authorize');
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: '112233445566778899',
    permissions: '17918603643904',
    scope: 'bot applications.commands',
  });
});
