/** The sections of the profile, each with an address of its own, and the panels in them. Links to a panel are made here. */

/** Titles of the sections, in the order of the navigation. */
export const SECTION_TITLES = {
  me: 'Me',
  aircraft: 'Aircraft',
  notifications: 'Notifications',
  calendar: 'Calendar',
  security: 'Security',
  developer: 'Developer',
  data: 'Data',
  record: 'My record',
} as const;
export type ProfileSection = keyof typeof SECTION_TITLES;

/** Panels by their anchors. A suspended account sees those that are not for pilots only. */
const PANELS = {
  identity: { section: 'me', pilotsOnly: true },
  discord: { section: 'me', pilotsOnly: true },
  appearance: { section: 'me', pilotsOnly: false },
  aircraft: { section: 'aircraft', pilotsOnly: true },
  notifications: { section: 'notifications', pilotsOnly: true },
  push: { section: 'notifications', pilotsOnly: true },
  calendar: { section: 'calendar', pilotsOnly: true },
  'busy-calendars': { section: 'calendar', pilotsOnly: true },
  password: { section: 'security', pilotsOnly: false },
  'two-step': { section: 'security', pilotsOnly: false },
  sessions: { section: 'security', pilotsOnly: false },
  'sign-ins': { section: 'security', pilotsOnly: false },
  tokens: { section: 'developer', pilotsOnly: true },
  data: { section: 'data', pilotsOnly: false },
  reliability: { section: 'record', pilotsOnly: true },
} as const satisfies Record<string, { section: ProfileSection; pilotsOnly: boolean }>;
export type ProfilePanel = keyof typeof PANELS;
/** Anchor of a panel in the section. */
export type PanelOf<Section extends ProfileSection> = {
  [Panel in ProfilePanel]: (typeof PANELS)[Panel]['section'] extends Section ? Panel : never;
}[ProfilePanel];

/** The panels that an account sees. @param isPilot false for a suspended account */
export function panelsFor(isPilot: boolean): ProfilePanel[] {
  return (Object.keys(PANELS) as ProfilePanel[]).filter((panel) => isPilot || !PANELS[panel].pilotsOnly);
}

/** The sections that have a panel for an account. @param isPilot false for a suspended account */
export function sectionsFor(isPilot: boolean): ProfileSection[] {
  return [...new Set(panelsFor(isPilot).map(sectionOf))];
}

export const sectionOf = (panel: ProfilePanel): ProfileSection => PANELS[panel].section;

export const isProfilePanel = (anchor: string): anchor is ProfilePanel => Object.hasOwn(PANELS, anchor);

/** `/profile/security` */
export const sectionPath = <Section extends ProfileSection>(section: Section) => `/profile/${section}` as const;

/** `/profile/security#sign-ins`, with a query before the anchor if there is one. */
export function panelPath(panel: ProfilePanel, search?: URLSearchParams): string {
  const query = search === undefined ? '' : `?${search.toString()}`;
  return `${sectionPath(sectionOf(panel))}${query}#${panel}`;
}

/** The same for the router: `<Link {...panelLink('aircraft')}>`. */
export const panelLink = (panel: ProfilePanel) => ({ to: sectionPath(sectionOf(panel)), hash: panel });
