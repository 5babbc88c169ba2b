import { createFileRoute } from '@tanstack/react-router';
import { InvitesPage } from '#client/features/community/invites-page.tsx';

export const Route = createFileRoute('/_signed-in/admin/invites')({
  component: InvitesPage,
  // id of the invite whose pilots are listed
  validateSearch: ({ invite }: Record<string, unknown>): { invite?: string } =>
    typeof invite === 'string' ? { invite } : {},
});
