import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Fact, Facts } from '#client/components/fact.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { instantOfWallTime } from '#client/lib/wall-time.ts';
import { copy } from '#shared/copy.ts';
import type { CreatedMissionDto } from '#shared/schemas/missions.ts';
import { count } from '#shared/plural.ts';
import { splitLocal } from './mission-draft.ts';
import { TogetherNote, type Together } from '#client/features/missions/week-plan/together-note.tsx';
import classes from './created-panel.module.css';

interface CreatedPanelProps {
  created: CreatedMissionDto;
  /** result of publishing it with other drafts; null when it was created alone */
  together: Together | null;
  onAgain: () => void;
}

/** Result of creating a mission. Takes the focus, so that it is announced. */
export function CreatedPanel({
  created: { mission, slotsSummary, issued: first },
  together,
  onAgain,
}: CreatedPanelProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const { date } = splitLocal(mission.startLocal);
  const isDraft = mission.status === 'draft';
  const [alone, setAlone] = useState<CreatedMissionDto['issued'] | null>(null);
  const [week, setWeek] = useState(together?.published ?? null);
  const published = alone ?? week?.missions.find(({ id }) => id === mission.id) ?? null;
  const issued = published ?? first;
  return (
    <div ref={box} tabIndex={-1} role="status" className={classes.box}>
      <Panel
        title={
          <span className={classes.title}>
            <Mark shape="diamond" filled size={18} /> Mission Created Successfully!
          </span>
        }
      >
        <Facts>
          <Fact label="Mission">{mission.name}</Fact>
          <Fact label="Theater">{mission.theater}</Fact>
          <Fact label="Start">
            <LocalTime local={mission.startLocal} timeZone={mission.timeZone} />
          </Fact>
          <Fact label="End">
            <LocalTime local={mission.endLocal} timeZone={mission.timeZone} />
          </Fact>
          <Fact label="Orders issued" mono>
            {issued.orders}
          </Fact>
          <Fact label="Open seats" mono>
            {issued.openSeats}
          </Fact>
        </Facts>
        <ul className={classes.slots} aria-label="Aircraft">
          {slotsSummary.map((slot, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the answer never changes, and equal entries may repeat
            <li key={index} className={classes.slot}>
              <span className={classes.aircraft}>
                <strong>{slot.aircraftName}</strong> <span className={classes.code}>{slot.aircraftCode}</span>
              </span>
              <SideFlag side={slot.side} />
              <span>{count(slot.totalSlots, 'slot')}</span>
              <span>{count(slot.flightsCreated, 'flight')} created</span>
            </li>
          ))}
        </ul>
        {together !== null && alone === null && (
          <TogetherNote missionId={mission.id} together={together} week={week} onPublished={setWeek} />
        )}
        {isDraft && week === null && <DraftNote missionId={mission.id} published={alone} onPublished={setAlone} />}
        {(!isDraft || published !== null) && issued.openSeats > 0 && (
          <p className={classes.open}>
            {issued.openSeats === 1 ? 'One seat has' : `${issued.openSeats} seats have`} no pilot yet. Orders go out as
            soon as a suitable pilot becomes available.
          </p>
        )}
        <div className={classes.buttons}>
          <LinkButton to="/admin/missions/$date" params={{ date }}>
            View missions of {formatCalendarDate(date)}
          </LinkButton>
          <Button variant="default" onClick={onAgain}>
            Create another
          </Button>
        </div>
      </Panel>
    </div>
  );
}

interface DraftNoteProps {
  missionId: string;
  /** result of publishing; null before that */
  published: CreatedMissionDto['issued'] | null;
  onPublished: (issued: CreatedMissionDto['issued']) => void;
}

/** Note about a new draft with a button that publishes it. */
function DraftNote({ missionId, published, onPublished }: DraftNoteProps) {
  const utils = trpc.useUtils();
  const publish = trpc.admin.mission.publish.useMutation({
    onSuccess: ({ issued }) => {
      void utils.admin.invalidate();
      void utils.pilot.invalidate();
      onPublished(issued);
    },
  });
  if (published !== null) {
    const { orders, openSeats } = published;
    return (
      <p className={classes.note} role="status">
        Published: {count(orders, 'order')} issued, {count(openSeats, 'seat')} open.
      </p>
    );
  }
  return (
    <div className={classes.note}>
      <p>
        This is a draft: no orders have gone out, and pilots can't see it. Publish it here, or later from its mission
        page.
      </p>
      <FormError message={publish.error && failureOf(publish.error, copy.unknownError, 'Error: ')} />
      <Button variant="light" disabled={publish.isPending} onClick={() => publish.mutate({ id: missionId })}>
        {publish.isPending ? 'Publishing...' : 'Publish now'}
      </Button>
    </div>
  );
}

/** A local time of the answer, shown in Zulu and local time. */
function LocalTime({ local, timeZone }: { local: string; timeZone: string }) {
  const { date, time } = splitLocal(local);
  const instant = instantOfWallTime(date, time.slice(0, 5), timeZone);
  return instant === undefined ? local : <ZTime iso={instant.toISOString()} timeZone={timeZone} withDate />;
}
