import { createFileRoute } from '@tanstack/react-router';
import { GuildPage } from '#client/features/discord-servers/guild-page.tsx';
import type { GuildSearch } from '#client/features/discord-servers/guild-search.ts';

export const Route = createFileRoute('/_signed-in/admin/discord/guilds/$guildId')({
  component: GuildPage,
  // parsed by the page, to keep the parser out of the entry chunk
  validateSearch: (search: Record<string, unknown>): GuildSearch => search,
});
