import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { dateShift, dateShiftMark, formatLocal, formatZulu } from '#shared/clock.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { fragLabel } from '#shared/labels.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { CrewList } from './crew-list.tsx';
import classes from './kneeboard-sheet.module.css';

/** The kneeboard card on paper: nothing on the screen, and all there is when the page is printed. */
export function KneeboardSheet({ mission }: { mission: AcceptedMissionDto }) {
  const timeZone = useReaderZone();
  const own = mission.package.composition.find(({ callsign }) => callsign === mission.flightCallsign);
  return createPortal(
    <section className={classes.sheet} aria-label={`Kneeboard card of ${fragLabel(mission.seq)}`}>
      <header className={classes.head}>
        <strong className={classes.label}>{fragLabel(mission.seq)}</strong>
        <span className={classes.place}>
          {mission.theater} · {mission.role}
        </span>
        <SideFlag side={mission.side} />
      </header>
      <h2 className={classes.title}>{mission.missionName}</h2>
      <dl className={classes.row}>
        <Box label="Zulu">{formatShortDate(mission.startUtc, 'UTC')}</Box>
        <Box label={timeZone}>{formatShortDate(mission.startUtc, timeZone)}</Box>
      </dl>
      <dl className={classes.row}>
        <TimeBox label="Brief" iso={mission.startUtc} timeZone={timeZone} />
        <TimeBox label="Launch" iso={mission.launchUtc} timeZone={timeZone} />
        <TimeBox label="TOT" iso={mission.totUtc} timeZone={timeZone} />
        <TimeBox label="End" iso={mission.endUtc} timeZone={timeZone} />
      </dl>
      <dl className={classes.row}>
        <Box label="Flight" large>
          {mission.flightCallsign}
        </Box>
        <Box label="Seat" large>
          {mission.seatIndex + 1}
          {own !== undefined && ` of ${own.seats}`}
        </Box>
        <Box label="Aircraft" large>
          {mission.aircraftName}
        </Box>
      </dl>
      <dl className={classes.row}>
        <Box label="Radio" large>
          {mission.radioFreq ?? 'not assigned'}
        </Box>
        <Box label={`Package ${mission.package.callsign}`}>{mission.package.objective}</Box>
      </dl>
      <h3 className={classes.part}>Package flights</h3>
      <ul className={classes.flights}>
        {mission.package.composition.map(({ callsign, seats, aircraftName, radioFreq, pilots }) => (
          <li key={callsign} data-own={callsign === mission.flightCallsign || undefined}>
            <span>{callsign}</span>
            <span>
              {seats} × {aircraftName}
            </span>
            <span>{radioFreq ?? 'not assigned'}</span>
            <CrewList callsign={callsign} pilots={pilots} />
          </li>
        ))}
      </ul>
      <h3 className={classes.part}>Notes</h3>
      <p className={classes.notes}>{mission.notes}</p>
    </section>,
    document.body,
  );
}

interface BoxProps {
  label: string;
  large?: boolean;
  children: ReactNode;
}

function Box({ label, large = false, children }: BoxProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-large={large || undefined}>{children}</dd>
    </div>
  );
}

function TimeBox({ label, iso, timeZone }: { label: string; iso: string | null; timeZone: string }) {
  return (
    <Box label={label} large>
      {iso === null ? (
        '–'
      ) : (
        <>
          {formatZulu(iso)}
          <span className={classes.local}>
            {formatLocal(iso, timeZone)} <strong>{dateShiftMark(dateShift(iso, timeZone))}</strong>
          </span>
        </>
      )}
    </Box>
  );
}
