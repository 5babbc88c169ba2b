import { createFileRoute } from '@tanstack/react-router';
import { GuildsPage } from '#client/features/discord-servers/guilds-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/discord/guilds/')({ component: GuildsPage });
