import { createFileRoute } from '@tanstack/react-router';
import { BansPage } from '#client/features/accounts/bans-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/users/bans')({ component: BansPage });
