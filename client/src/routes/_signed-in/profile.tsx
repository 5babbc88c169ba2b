import { createFileRoute, redirect } from '@tanstack/react-router';
import { ProfilePage } from '#client/features/profile/profile-page.tsx';
import { ensureViewer, isPilot } from '#client/lib/session.ts';
import { isProfilePanel, sectionOf, sectionPath, sectionsFor } from '#shared/profile-sections.ts';

/**
 * The profile. Its own address leads to a section: the one that holds the panel of the anchor, as links had it before there were
 * sections, or the first. So do sections that do not exist or that the account does not see.
 */
export const Route = createFileRoute('/_signed-in/profile')({
  component: ProfilePage,
  beforeLoad: async ({ context, location }) => {
    const sections = sectionsFor(isPilot(await ensureViewer(context.queryClient)));
    if (sections.some((section) => sectionPath(section) === location.pathname)) return;
    const named = isProfilePanel(location.hash) ? sectionOf(location.hash) : 'me';
    const section = sections.includes(named) ? named : 'me';
    throw redirect({ to: sectionPath(section), search: true, hash: location.hash, replace: true });
  },
});
