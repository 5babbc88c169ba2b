import type { ComponentType } from 'react';
import { isPilot, useSignedInViewer } from '#client/lib/session.ts';
import { panelsFor, type PanelOf, type ProfileSection } from '#shared/profile-sections.ts';

interface SectionPanelsProps<Section extends ProfileSection> {
  section: Section;
  /** by their anchors */
  panels: Record<PanelOf<Section>, ComponentType>;
}

/** The panels of a section that the account sees. */
export function SectionPanels<Section extends ProfileSection>({ panels }: SectionPanelsProps<Section>) {
  const shown: ReadonlySet<string> = new Set(panelsFor(isPilot(useSignedInViewer())));
  return Object.entries<ComponentType>(panels).map(([anchor, Panel]) => shown.has(anchor) && <Panel key={anchor} />);
}
