/** Renders the facts of a frag order on its page and cards; `SURFACES` says which facts each one shows. */
import { Fragment, type ReactNode } from 'react';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { Placard } from '#client/components/placard.tsx';
import { LinkList } from '#client/domain-ui/briefing/link-list.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { copy } from '#shared/copy.ts';
import { seatLabel } from '#shared/labels.ts';
import { keysOf } from '#shared/mission-fields.ts';
import { FACT_LABELS, NOT_ASSIGNED, orderTexts, type ShownOn, SURFACES } from '#shared/order-facts.ts';
import { misfitReason } from '#shared/order-state.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import { CrewList } from '#client/domain-ui/crew-list.tsx';
import { useHomeLinks } from './home-links.tsx';
import { orderCopy } from './order-text.ts';
import classes from './order-parts.module.css';

/** Facts in a heading, in the line below it, and on the plate of changes. */
type HeadFact = 'missionName' | 'title' | 'theater' | 'changes';
/** Facts below the row. */
type PartFact = 'package' | 'texts' | 'links' | 'reasons' | 'issuedAt';

type InboxFact = Exclude<ShownOn<'inbox'>, HeadFact | PartFact>;
type RowFact = Exclude<ShownOn<'page' | 'tile'>, HeadFact | PartFact>;
type FullSurface = 'page' | 'tile';
type Render<Order = AcceptedMissionDto> = (order: Order) => ReactNode;

const SEAT_FACTS = {
  flightCallsign: ({ flightCallsign }) => (
    <Fact label={FACT_LABELS.flightCallsign} mono>
      {flightCallsign}
    </Fact>
  ),
  seatIndex: ({ seatIndex }) => <Fact label={FACT_LABELS.seatIndex}>{seatLabel(seatIndex)}</Fact>,
  aircraftName: ({ aircraftName }) => <Fact label={FACT_LABELS.aircraftName}>{aircraftName}</Fact>,
  role: ({ role }) => <Fact label={FACT_LABELS.role}>{role}</Fact>,
  side: ({ side }) => (
    <Fact label={FACT_LABELS.side}>
      <SideFlag side={side} />
    </Fact>
  ),
} satisfies Record<string, Render<FragOrderDto>>;

/** The row of a pending order: the time to be in the cockpit includes the date. */
const INBOX_ROW: Record<InboxFact, Render<FragOrderDto>> = {
  flightCallsign: SEAT_FACTS.flightCallsign,
  aircraftName: SEAT_FACTS.aircraftName,
  side: SEAT_FACTS.side,
  startUtc: ({ startUtc, launchUtc }) =>
    launchUtc === null && (
      <Fact label="Start">
        <ZTime iso={startUtc} withDate />
      </Fact>
    ),
  launchUtc: ({ launchUtc }) =>
    launchUtc !== null && (
      <Fact label={FACT_LABELS.launchUtc}>
        <ZTime iso={launchUtc} withDate />
      </Fact>
    ),
};

const ROW: Record<RowFact, Render> = {
  ...SEAT_FACTS,
  // A pilot who has not listed the aircraft has no level in it; the reasons below say so.
  level: ({ level, reasons }) =>
    (level !== 'basic' || !reasons.includes(copy.aircraftUnlisted)) && (
      <Fact label={FACT_LABELS.level}>
        <StatusBadge kind="level" value={level} />
      </Fact>
    ),
  startUtc: ({ startUtc }) => <TimeFact label={FACT_LABELS.startUtc} instant={startUtc} />,
  launchUtc: ({ launchUtc }) => <TimeFact label={FACT_LABELS.launchUtc} instant={launchUtc} copyable />,
  totUtc: ({ totUtc }) => <TimeFact label={<Term word="tot" />} instant={totUtc} />,
  endUtc: ({ endUtc }) => <TimeFact label={FACT_LABELS.endUtc} instant={endUtc} />,
  radioFreq: ({ radioFreq }) => (
    <Fact label={FACT_LABELS.radioFreq}>
      <Radio frequency={radioFreq} />
    </Fact>
  ),
};

/** Times, which the page draws as a line (`OrderTimeline`). */
const ON_LINE: ReadonlySet<RowFact> = new Set(['startUtc', 'launchUtc', 'totUtc', 'endUtc']);

const PARTS: Record<PartFact, (order: AcceptedMissionDto, surface: FullSurface) => ReactNode> = {
  // empty for an order of the side that its pilot no longer flies for
  package: (order, surface) =>
    order.package.composition.length > 0 && <PackageComposition mission={order} withCrews={surface === 'page'} />,
  texts: (order) => <Texts order={order} />,
  links: ({ links }) => <LinkList links={links} />,
  reasons: (order) => <Reasons order={order} />,
  issuedAt: ({ issuedAt }) => (
    <p className={classes.issued}>
      Issued <ZTime iso={issuedAt} withDate copyable={false} />
    </p>
  ),
};

/** Flight, aircraft, side and time of a pending order, in a row. */
export function InboxFacts({ order }: { order: FragOrderDto }) {
  return (
    <Facts>
      {keysOf(INBOX_ROW).map((fact) => (
        <Fragment key={fact}>{INBOX_ROW[fact](order)}</Fragment>
      ))}
    </Facts>
  );
}

interface OrderPartProps {
  order: AcceptedMissionDto;
  surface: FullSurface;
}

/** Seat, level, times and radio, in a row; the page has the times on a line of their own. */
export function RowFacts({ order, surface, children }: OrderPartProps & { children?: ReactNode }) {
  return (
    <Facts>
      {children}
      {keysOf(ROW)
        .filter((fact) => SURFACES[fact][surface] && !(surface === 'page' && ON_LINE.has(fact)))
        .map((fact) => (
          <Fragment key={fact}>{ROW[fact](order)}</Fragment>
        ))}
    </Facts>
  );
}

/** The parts below the row: the package, the admins' texts, the reasons for choosing the pilot. */
export function OrderParts({ order, surface }: OrderPartProps) {
  return keysOf(PARTS)
    .filter((fact) => SURFACES[fact][surface])
    .map((fact) => <Fragment key={fact}>{PARTS[fact](order, surface)}</Fragment>);
}

interface TimeFactProps {
  label: ReactNode;
  instant: string | null;
  copyable?: boolean;
}

function TimeFact({ label, instant, copyable = false }: TimeFactProps) {
  return (
    instant !== null && (
      <Fact label={label}>
        <ZTime iso={instant} copyable={copyable} />
      </Fact>
    )
  );
}

function Radio({ frequency }: { frequency: string | null }) {
  return frequency === null ? (
    NOT_ASSIGNED
  ) : (
    <span className={classes.radio}>
      {frequency}
      <CopyButton text={frequency} label={`Copy frequency ${frequency}`} copiedLabel="Frequency copied" />
    </span>
  );
}

interface PackageCompositionProps {
  mission: AcceptedMissionDto;
  /** also show the radio and the pilots of every flight */
  withCrews: boolean;
}

/** `PACKAGE ALPHA: Strike, Syria` and its flights, the pilot's own in bold. */
function PackageComposition({ mission, withCrews }: PackageCompositionProps) {
  const { callsign, objective, composition } = mission.package;
  const { MissionLink } = useHomeLinks();
  const isHolding = mission.status === 'issued' && (mission.rsvp === 'accepted' || mission.rsvp === 'pending');
  return (
    <div role="group" aria-label={`Package ${callsign}`}>
      <h3 className={classes.packageTitle}>
        <Placard>
          <Term word="package" />
        </Placard>{' '}
        {callsign}: {objective}
      </h3>
      <ul className={classes.composition} data-crews={withCrews || undefined}>
        {composition.map((flight) => (
          <li key={flight.callsign} data-own={flight.callsign === mission.flightCallsign || undefined}>
            <span className={classes.callsign}>{flight.callsign}</span>
            <span className={classes.aircraft}>
              {flight.seats} × {flight.aircraftName}
            </span>
            {withCrews && (
              <>
                <span className={classes.frequency}>{flight.radioFreq ?? NOT_ASSIGNED}</span>
                <CrewList
                  callsign={flight.callsign}
                  pilots={flight.pilots}
                  ownSeat={isHolding && flight.callsign === mission.flightCallsign ? mission.seatIndex : null}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {mission.status === 'issued' && (
        <MissionLink id={mission.missionId} className={classes.mission}>
          {isHolding ? orderCopy.wholePlan : orderCopy.missionPage}
        </MissionLink>
      )}
    </div>
  );
}

/** `NOTES Bring smoke`: the admins' texts for this flight and its mission; empty without texts. */
function Texts({ order }: { order: AcceptedMissionDto }) {
  return orderTexts(order).map(({ label, parts }) => (
    <div key={label} role="group" aria-label={label} className={classes.notes}>
      <Placard>{label}</Placard>
      <Notes texts={parts} />
    </div>
  ));
}

/** `WHY YOU You are free from 1800Z to 2200Z.`; empty without reasons. */
export function Reasons({ order }: { order: FragOrderDto }) {
  const { reasons } = order;
  // Those of a withdrawn order are part of the sentence about its state.
  return (
    reasons.length > 0 &&
    misfitReason(order) === null && (
      <p className={classes.why}>
        <Placard>{FACT_LABELS.reasons}</Placard> {reasons.join(' ')}
      </p>
    )
  );
}
