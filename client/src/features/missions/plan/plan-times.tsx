import { Panel } from '#client/components/panel.tsx';
import { EveningStrip } from '#client/domain-ui/evening-strip.tsx';
import type { PilotMissionDetailDto } from '#shared/schemas/mission-lists.ts';
import { planCopy } from './plan-text.ts';

/** The flights that the reader may see side by side on one axis. */
export function PlanTimes({ mission: { packages, mine, startUtc, endUtc } }: { mission: PilotMissionDetailDto }) {
  const flights = packages.flatMap((one) => one.flights).filter(({ launchUtc }) => launchUtc !== null);
  // One lane compares nothing: its times stand with the flight.
  if (flights.length < 2) return null;
  return (
    <Panel title={planCopy.times}>
      <EveningStrip
        label={planCopy.times}
        lanes={flights.map(({ id, callsign, launchUtc, totUtc }) => ({
          id,
          name: callsign,
          isOwn: mine !== null && mine.holdsSeat && mine.flightId === id,
          startUtc,
          launchUtc,
          totUtc,
          endUtc,
        }))}
      />
    </Panel>
  );
}
