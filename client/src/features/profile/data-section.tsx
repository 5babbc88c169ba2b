import { DataPanel } from './data-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/data */
export function DataSection() {
  return <SectionPanels section="data" panels={{ data: DataPanel }} />;
}
