import { TokensPanel } from './tokens-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/developer */
export function DeveloperSection() {
  return <SectionPanels section="developer" panels={{ tokens: TokensPanel }} />;
}
