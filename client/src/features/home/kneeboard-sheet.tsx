import { createPortal } from 'react-dom';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { dateShift, dateShiftMark, formatLocal, formatShortDate, formatZulu } from '#client/lib/time.ts';
import { fragLabel, seatLabel, sideName } from '#shared/labels.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import classes from './kneeboard-sheet.module.css';

/** The kneeboard card on paper: nothing on the screen, and all there is when the page is printed. */
export function KneeboardSheet({ mission }: { mission: AcceptedMissionDto }) {
  const timeZone = useReaderZone();
  const clock = (iso: string | null): string =>
    iso === null ? '–' : `${formatZulu(iso)} ${formatLocal(iso, timeZone)}${dateShiftMark(dateShift(iso, timeZone))}`;
  const boxes: [label: string, value: string][] = [
    ['Flight', mission.flightCallsign],
    ['Seat', seatLabel(mission.seatIndex)],
    ['Aircraft', mission.aircraftName],
    ['Role', mission.role],
    ['Side', sideName(mission.side)],
    ['Radio', mission.radioFreq ?? 'not assigned'],
    ['Brief', clock(mission.startUtc)],
    ['Launch', clock(mission.launchUtc)],
    ['TOT', clock(mission.totUtc)],
    ['End', clock(mission.endUtc)],
  ];
  return createPortal(
    <section className={classes.sheet} aria-label={`Kneeboard card of ${fragLabel(mission.seq)}`}>
      <header className={classes.head}>
        <strong>{fragLabel(mission.seq)}</strong>
        <span>{formatShortDate(mission.startUtc, timeZone)}</span>
      </header>
      <h2 className={classes.title}>{mission.missionName}</h2>
      <p className={classes.line}>
        {mission.theater} · {timeZone} (L)
      </p>
      <dl className={classes.boxes}>
        {boxes.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className={classes.part}>
        Package {mission.package.callsign}: {mission.package.objective}
      </h3>
      <ul className={classes.flights}>
        {mission.package.composition.map(({ callsign, seats, aircraftName }) => (
          <li key={callsign}>
            <span>{callsign}</span>
            <span>
              {seats} × {aircraftName}
            </span>
          </li>
        ))}
      </ul>
      <h3 className={classes.part}>Notes</h3>
      <p className={classes.notes}>{mission.notes}</p>
    </section>,
    document.body,
  );
}
