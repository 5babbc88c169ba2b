import { sectionOf, sectionPath, type ProfilePanel } from '#shared/profile-sections.ts';

/** Address of a panel of the profile for the router: `<Link {...panelLink('aircraft')}>`. */
export const panelLink = (panel: ProfilePanel) => ({ to: sectionPath(sectionOf(panel)), hash: panel });
