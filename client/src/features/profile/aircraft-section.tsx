import { AircraftPanel } from './aircraft-panel.tsx';
import { SectionPanels } from './section-panels.tsx';

/** /profile/aircraft */
export function AircraftSection() {
  return <SectionPanels section="aircraft" panels={{ aircraft: AircraftPanel }} />;
}
