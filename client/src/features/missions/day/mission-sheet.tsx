import { createPortal } from 'react-dom';
import { holdersBySeat, seatKey } from '#client/features/missions/seats/order-groups.ts';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { byPlace } from '#client/lib/by-place.ts';
import { scriptFontsStyle } from '#client/lib/script-fonts.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { formatZulu, localDate } from '#shared/clock.ts';
import { fragLabel, sideName } from '#shared/labels.ts';
import { CHANGES, MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import { linkWords } from '#shared/mission-links.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import classes from './mission-sheet.module.css';

interface MissionSheetsProps {
  missions: readonly MissionDto[];
  timeZone: string;
  now: Date;
}

/** The paper of missions, one sheet each: the only content when the page is printed. */
export function MissionSheets({ missions, timeZone, now }: MissionSheetsProps) {
  return createPortal(
    <div className={classes.sheets} style={scriptFontsStyle(JSON.stringify(missions))}>
      {missions.map((mission) => (
        <MissionSheet key={mission.id} mission={mission} timeZone={timeZone} now={now} />
      ))}
    </div>,
    document.body,
  );
}

const byOrder = (a: { sortOrder: number }, b: { sortOrder: number }): number => a.sortOrder - b.sortOrder;
const zuluOr = (instant: string | null): string => (instant === null ? '–' : formatZulu(instant));

/** Times, packages, flights, comm ladder and roster of a mission; made for one page of A4 up to some twenty seats. */
function MissionSheet({ mission, timeZone, now }: { mission: MissionDto; timeZone: string; now: Date }) {
  // The card loads them; the browser's own print command does not wait for it.
  const { data: orders } = trpc.admin.mission.orders.useQuery({ id: mission.id }, { enabled: false });
  const holders = holdersBySeat(orders ?? [], now);
  const withoutOrder = orders === undefined ? '–' : 'open';
  const packages = mission.packages
    .toSorted(byOrder)
    .map((pack) => ({ ...pack, flights: pack.flights.toSorted(byOrder) }));
  const flights = packages.flatMap((pack) => pack.flights.map((flight) => ({ pack, flight })));
  const ladder = flights
    .filter(({ flight }) => flight.radioFreq !== null)
    .toSorted((a, b) => (a.flight.radioFreq ?? '').localeCompare(b.flight.radioFreq ?? '', 'en', { numeric: true }));
  return (
    <article className={classes.sheet} aria-label={`Sheet of ${mission.name}`}>
      <header className={classes.head}>
        <h1 className={classes.name}>{mission.name}</h1>
        <p>
          {mission.theater} · {mission.status} · {formatCalendarDate(localDate(mission.startUtc, timeZone))} ·{' '}
          <ZSpan start={mission.startUtc} end={mission.endUtc} timeZone={timeZone} /> ({timeZone})
        </p>
      </header>
      <table className={classes.table}>
        <caption>Packages and flights</caption>
        <thead>
          <tr>
            <th>Flight</th>
            <th>Aircraft</th>
            <th>Role</th>
            <th>Side</th>
            <th>Launch</th>
            <th>TOT</th>
          </tr>
        </thead>
        {packages.map((pack) => (
          <tbody key={pack.id}>
            <tr>
              <th colSpan={4} scope="rowgroup">
                {pack.callsign}: {pack.objective}
              </th>
              <td>{zuluOr(pack.launchUtc)}</td>
              <td>{zuluOr(pack.totUtc)}</td>
            </tr>
            {pack.flights.map((flight) => (
              <tr key={flight.id}>
                <td>{flight.callsign}</td>
                <td>
                  {flight.sizeCap} × {flight.aircraftName}
                  {flight.notes !== null && (
                    <div className={classes.flightNotes}>
                      <Notes texts={[flight.notes]} />
                    </div>
                  )}
                </td>
                <td>{flight.role}</td>
                <td>{sideName(flight.side)}</td>
                <td>{zuluOr(flight.launchUtc)}</td>
                <td>{zuluOr(flight.totUtc)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      <table className={classes.table}>
        <caption>Comm ladder</caption>
        <tbody>
          {ladder.map(({ pack, flight }) => (
            <tr key={flight.id}>
              <td className={classes.frequency}>{flight.radioFreq}</td>
              <td>{flight.callsign}</td>
              <td>{pack.callsign}</td>
              <td>{sideName(flight.side)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <section className={classes.roster}>
        <h2>Roster</h2>
        {orders === undefined && (
          <p>
            Printed before the asked pilots had loaded: a dash is either an open seat or one whose pilot has been asked.
          </p>
        )}
        <ul>
          {flights.map(({ flight }) => (
            <li key={flight.id}>
              <strong>{flight.callsign}</strong>
              <ol>
                {Array.from({ length: flight.sizeCap }, (_seat, seatIndex) => {
                  const order = holders.get(seatKey(flight.id, seatIndex));
                  const accepted = flight.assignments.find((one) => one.seatIndex === seatIndex)?.userDisplayName;
                  return (
                    <li key={seatIndex}>
                      {accepted ?? (order ? `${order.userDisplayName} (asked)` : withoutOrder)}
                      {order !== undefined && <small>{fragLabel(order.seq)}</small>}
                    </li>
                  );
                })}
              </ol>
            </li>
          ))}
        </ul>
      </section>
      {MISSION_TEXT_KEYS.map(
        (key) =>
          mission[key] !== null && (
            <section key={key} className={classes.notes}>
              <h2>{MISSION_TEXTS[key].words}</h2>
              <Notes texts={[mission[key]]} />
            </section>
          ),
      )}
      {mission.links.length > 0 && (
        <section className={classes.notes}>
          <h2>{CHANGES.links.words}</h2>
          {byPlace(mission.links, (link) => (
            <p>{linkWords(link)}</p>
          ))}
        </section>
      )}
    </article>
  );
}
