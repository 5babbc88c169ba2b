import { createFileRoute } from '@tanstack/react-router';
import { InvitesPage } from '#client/features/community/invites-page.tsx';
import { readInvitesSearch } from '#client/features/community/invites-search.ts';

export const Route = createFileRoute('/_signed-in/admin/invites')({
  component: InvitesPage,
  validateSearch: readInvitesSearch,
});
