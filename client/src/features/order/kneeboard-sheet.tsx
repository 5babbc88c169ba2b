import { createPortal } from 'react-dom';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { byPlace } from '#client/lib/by-place.ts';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { scriptFontsStyle } from '#client/lib/script-fonts.ts';
import {
  CARD_HEADINGS,
  describeKneeboard,
  type CardBox,
  type CardFlight,
  type CardTime,
} from '#shared/kneeboard-content.ts';
import { linkWords } from '#shared/mission-links.ts';
import { NOT_ASSIGNED } from '#shared/order-facts.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { CrewList } from '#client/domain-ui/crew-list.tsx';
import classes from './kneeboard-sheet.module.css';

/** The printed kneeboard card: hidden on the screen, and the only content when the page is printed. */
export function KneeboardSheet({ mission }: { mission: AcceptedMissionDto }) {
  const { label, theater, role, side, seat, radio, footer, ...card } = describeKneeboard(
    mission,
    useReaderZone(),
    window.location.host,
  );
  return createPortal(
    <section
      className={classes.sheet}
      style={scriptFontsStyle(JSON.stringify(mission))}
      aria-label={`Kneeboard card of ${label}`}
    >
      <header className={classes.head}>
        <strong className={classes.label}>{label}</strong>
        <span className={classes.place}>
          {theater} · {role}
        </span>
        <SideFlag side={side} />
      </header>
      <h2 className={classes.title}>{card.mission}</h2>
      <dl className={classes.row}>
        <Box label={CARD_HEADINGS.dateZulu} value={card.dateZulu} />
        <Box label={card.zone} value={card.dateLocal} />
      </dl>
      <dl className={classes.row}>
        {card.times.map((time) => (
          <TimeBox key={time.label} {...time} />
        ))}
      </dl>
      {[seat, radio].map((boxes) => (
        <dl key={Object.keys(boxes).join(' ')} className={classes.row}>
          {Object.entries<CardBox>(boxes).map(([fact, box]) => (
            <Box key={fact} large={fact !== 'package'} {...box} />
          ))}
        </dl>
      ))}
      <h3 className={classes.part}>{CARD_HEADINGS.flights}</h3>
      <ul className={classes.flights}>
        {card.flights.map((flight) => (
          <Flight key={flight.callsign} flight={flight} />
        ))}
      </ul>
      <h3 className={classes.part}>{CARD_HEADINGS.notes}</h3>
      <div className={classes.notes}>
        <Notes texts={card.notes} />
        {byPlace(card.links, (link) => (
          <p>{linkWords(link)}</p>
        ))}
      </div>
      <footer className={classes.foot}>
        <span>{footer.pilot}</span> <span>{footer.issued}</span>{' '}
        <a href={`/missions/${mission.missionId}`}>
          {footer.host}/missions/{mission.missionId}
        </a>
      </footer>
    </section>,
    document.body,
  );
}

function Box({ label, value, large = false }: CardBox & { large?: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-large={large || undefined}>{value ?? NOT_ASSIGNED}</dd>
    </div>
  );
}

function TimeBox({ label, zulu, local, shift }: CardTime) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-large>
        {zulu}
        <span className={classes.local}>
          {local} <strong>{shift}</strong>
        </span>
      </dd>
    </div>
  );
}

function Flight({ flight: { callsign, aircraft, radio, isOwn, seats } }: { flight: CardFlight }) {
  return (
    <li data-own={isOwn || undefined}>
      <span>{callsign}</span>
      <span>
        {seats.length} × {aircraft}
      </span>
      <span>{radio ?? NOT_ASSIGNED}</span>
      <CrewList callsign={callsign} pilots={seats} />
    </li>
  );
}
