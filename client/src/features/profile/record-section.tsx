import { ReliabilityPanel } from './reliability-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/record */
export function RecordSection() {
  return <SectionPanels section="record" panels={{ reliability: ReliabilityPanel }} />;
}
