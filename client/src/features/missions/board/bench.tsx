import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Avatar } from '#client/domain-ui/avatar.tsx';
import type { BoardPilotDto } from '#shared/schemas/seat-board.ts';
import type { FlightDto } from '#shared/schemas/missions.ts';
import { BENCH_GROUPS } from '#shared/bench-groups.ts';
import { boardCopy, GROUP_TITLES, percent } from './board-text.ts';
import { Handle } from './handle.tsx';
import { useDraggable, useDropTarget } from './use-drag.ts';
import classes from './bench.module.css';

/** Rows of a group at first: a bench may have thousands of pilots. */
const ROWS_STEP = 40;
/** Aircraft named in a row. */
const NAMED_MAX = 2;

export interface BenchWork {
  press: (userId: string) => void;
  /** a pilot of the board is dropped here */
  drop: (userId: string) => void;
}

interface BenchProps {
  pilots: readonly BoardPilotDto[];
  /** by pilot: the seat that a staged change takes away */
  leftOf: ReadonlyMap<string, string>;
  aircraftNames: ReadonlyMap<number, string>;
  /** of the seat that is picked and waits for a pilot: pilots who are free in it come first */
  wanted: FlightDto | null;
  pickedId: string | null;
  helpId: string;
  /** null when the seats cannot change */
  work: BenchWork | null;
}

/** The pilots without a seat in groups, with a search. */
export function Bench({ pilots, leftOf, aircraftNames, wanted, pickedId, helpId, work }: BenchProps) {
  const [typed, setTyped] = useState('');
  const query = useDeferredValue(typed.trim().toLowerCase());
  const [target, isOver] = useDropTarget<HTMLDivElement>(work && work.drop);
  const groups = useMemo(() => {
    const found = pilots.filter(({ userDisplayName }) => userDisplayName.toLowerCase().includes(query));
    const isFree = ({ aircraft }: BoardPilotDto) =>
      wanted !== null && aircraft.some((one) => one.isFree && one.aircraftId === wanted.aircraftId);
    return BENCH_GROUPS.flatMap((group) => {
      // a pilot who is staged off the board is at hand, like one who fits
      const own = found.filter((pilot) => (pilot.group === 'seated' ? 'fits' : pilot.group) === group);
      const sorted = wanted === null ? own : own.toSorted((a, b) => Number(isFree(b)) - Number(isFree(a)));
      return group === 'seated' || own.length === 0 ? [] : [{ group, pilots: sorted }];
    });
  }, [pilots, query, wanted]);
  return (
    <div ref={target} className={classes.bench} data-over={isOver || undefined}>
      <Panel title="Bench" flush actions={<output className={classes.total}>{pilots.length}</output>}>
        <div className={classes.search}>
          <TextInput
            type="search"
            aria-label="Find a pilot on the bench"
            placeholder="Call sign"
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        {groups.length === 0 && (
          <p className={classes.none}>{query === '' ? boardCopy.emptyBench : boardCopy.nobodyFound}</p>
        )}
        {groups.map(({ group, pilots: own }) => (
          <Group
            key={group}
            title={GROUP_TITLES[group]}
            isOpenAtFirst={group !== 'others'}
            isSearch={query !== ''}
            pilots={own}
            {...{ leftOf, aircraftNames, wanted, pickedId, helpId, work }}
          />
        ))}
      </Panel>
    </div>
  );
}

interface GroupProps extends BenchProps {
  title: string;
  isOpenAtFirst: boolean;
  isSearch: boolean;
}

function Group({ title, isOpenAtFirst, isSearch, pilots, pickedId, leftOf, ...rest }: GroupProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [most, setMost] = useState(ROWS_STEP);
  const shown = pilots.slice(0, most);
  return (
    <details
      className={classes.group}
      open={isOpen || isSearch}
      onToggle={({ currentTarget }) => {
        if (!isSearch) setOpen(currentTarget.open);
      }}
    >
      <summary className={classes.groupHead}>
        <h3 className={classes.groupTitle}>{title}</h3> <span className={classes.count}>{pilots.length}</span>
      </summary>
      {(isOpen || isSearch) && (
        <>
          <ul className={classes.pilots} aria-label={title}>
            {shown.map((pilot) => (
              <BenchPilot
                key={pilot.userId}
                pilot={pilot}
                left={leftOf.get(pilot.userId)}
                isPicked={pilot.userId === pickedId}
                {...rest}
              />
            ))}
          </ul>
          {most < pilots.length && (
            <button type="button" className={classes.more} onClick={() => setMost(most + ROWS_STEP)}>
              Show more of {pilots.length}
            </button>
          )}
        </>
      )}
    </details>
  );
}

interface BenchPilotProps extends Omit<BenchProps, 'pilots' | 'leftOf' | 'pickedId'> {
  pilot: BoardPilotDto;
  /** the seat that a staged change takes away */
  left: string | undefined;
  isPicked: boolean;
}

const BenchPilot = memo(function BenchPilot(props: BenchPilotProps) {
  const { pilot, left, aircraftNames, wanted, isPicked, helpId, work } = props;
  const { userId, userDisplayName, aircraft, isAssignable, reliability, standbyPosition, sentence } = pilot;
  const canDrag = work !== null && isAssignable;
  const drag = useDraggable(canDrag ? userId : null);
  const inWanted = wanted && aircraft.find(({ aircraftId }) => aircraftId === wanted.aircraftId);
  const listed = wanted ? (inWanted ? [inWanted] : []) : aircraft.filter(({ isFree }) => isFree);
  const named = (listed.length > 0 ? listed : aircraft).map(({ aircraftId, level }) =>
    [aircraftNames.get(aircraftId) ?? '', ...(level === null ? [] : [level])].join(' '),
  );
  const more = named.length - NAMED_MAX;
  const facts = left
    ? `leaves ${left}`
    : [
        ...(standbyPosition === null ? [] : [`number ${standbyPosition}`]),
        ...named.slice(0, NAMED_MAX),
        ...(more > 0 ? [`${more} more`] : []),
      ].join(', ');
  const row = (
    <>
      <Avatar name={userDisplayName} />
      <span className={classes.who}>
        <span className={classes.name}>{userDisplayName}</span>
        <span className={classes.facts} data-staged={left !== undefined || undefined}>
          {facts}
        </span>
      </span>
      <span className={classes.reliability} title="Reliability">
        {percent(reliability)}
      </span>
      {sentence !== null && pilot.group !== 'otherAircraft' && <span className={classes.sentence}>{sentence}</span>}
    </>
  );
  const label = [userDisplayName, ...(facts === '' ? [] : [facts]), `reliability ${percent(reliability)}`].join(', ');
  return (
    <li className={classes.pilot} data-staged={left !== undefined || undefined}>
      {canDrag ? (
        <Handle
          ref={drag}
          label={sentence === null ? label : `${label}. ${sentence}`}
          isPicked={isPicked}
          id={userId}
          describedBy={helpId}
          onPress={() => work.press(userId)}
        >
          {row}
        </Handle>
      ) : (
        <div className={classes.still}>
          {row}
          <LinkButton
            to="/admin/users/$userId/availability"
            params={{ userId }}
            variant="subtle"
            size="compact-xs"
            aria-label={`Times of ${userDisplayName}`}
          >
            Times
          </LinkButton>
        </div>
      )}
    </li>
  );
});
