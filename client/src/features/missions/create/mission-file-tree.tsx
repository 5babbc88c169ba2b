import { TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useId, useState, type ReactNode } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { IconButton } from '#client/components/icon-button.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { sideName } from '#shared/labels.ts';
import type { UploadedGroup } from '#shared/schemas/mission-file.ts';
import type { Side } from '#shared/vocabulary.ts';
import { Folded } from './folded.tsx';
import { FileGroup, SecondCrew, type ChoiceProps } from './mission-file-group.tsx';
import {
  chosenOf,
  groupBySide,
  searchGroups,
  seatsOf,
  sizeWords,
  withGroups,
  type AircraftGroups,
  type SideGroups,
} from './mission-file-groups.ts';
import classes from './mission-file-tree.module.css';

/** More aircraft than these start with collapsed sides, so that the form below stays near. */
const OPEN_AIRCRAFT_MAX = 8;
/** A search that finds at most this many groups expands their aircraft. */
const FEW_GROUPS = 12;

interface FileTreeProps extends ChoiceProps {
  groups: readonly UploadedGroup[];
  /** aircraft of both sides in the whole file, also those that are not in the aircraft list yet */
  aircraftCount: number;
}

/** Groups of a large mission file by side and aircraft, with a search. A box stands for all groups below it that are shown. */
export function FileTree({ groups, aircraftCount, choice, onChoose }: FileTreeProps) {
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim());
  const found = searchGroups(groups, wanted);
  const sides = groupBySide(found);
  const isSearch = wanted !== '';
  const areFew = isSearch && found.length <= FEW_GROUPS;
  return (
    <div className={classes.tree}>
      <div className={classes.search}>
        <TextInput
          type="search"
          aria-label="Find groups of the file"
          placeholder="Aircraft, group, call sign or role"
          className={classes.field}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            // Enter must not submit the surrounding form.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
        <output className={classes.size}>
          {isSearch ? `${found.length} of ${groups.length} groups` : sizeWords(groups)}
        </output>
      </div>
      <ul className={classes.sides} aria-label="Groups of the file">
        {sides.map((side) => (
          <SideRow
            // A new key expands the side for a search.
            key={`${side.side}${isSearch ? '?' : ''}`}
            {...side}
            isOpenAtFirst={isSearch || aircraftCount <= OPEN_AIRCRAFT_MAX}
            areFew={areFew}
            choice={choice}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </div>
  );
}

interface SideRowProps extends SideGroups, ChoiceProps {
  isOpenAtFirst: boolean;
  areFew: boolean;
}

function SideRow({ side, aircraft, groups, isOpenAtFirst, areFew, choice, onChoose }: SideRowProps) {
  return (
    <Branch
      label={<SideFlag side={side} />}
      name={sideName(side)}
      groups={groups}
      isOpenAtFirst={isOpenAtFirst}
      choice={choice}
      onChoose={onChoose}
    >
      <ul className={classes.aircraft} aria-label={`Aircraft of ${sideName(side)}`}>
        {aircraft.map((one) => (
          <AircraftRow
            key={`${one.aircraftName}${areFew ? '?' : ''}`}
            {...one}
            side={side}
            isOpenAtFirst={areFew}
            choice={choice}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </Branch>
  );
}

interface AircraftRowProps extends AircraftGroups, ChoiceProps {
  side: Side;
  isOpenAtFirst: boolean;
}

function AircraftRow({ side, aircraftName, groups, isOpenAtFirst, choice, onChoose }: AircraftRowProps) {
  const name = `${sideName(side)} ${aircraftName}`;
  const crews = chosenOf(groups, choice).filter(({ crewStations }) => crewStations > 1);
  return (
    <Branch
      label={
        <>
          <VisuallyHidden>{sideName(side)} · </VisuallyHidden>
          {aircraftName}
        </>
      }
      name={name}
      groups={groups}
      isOpenAtFirst={isOpenAtFirst}
      choice={choice}
      onChoose={onChoose}
    >
      <ul className={classes.groups} aria-label={`Groups of ${name}`}>
        {groups.map((group) => (
          <FileGroup key={group.groupId} group={group} isInTree choice={choice} onChoose={onChoose} />
        ))}
      </ul>
      {crews.length > 0 && (
        <Folded summary="Seats for second crew members">
          {crews.length > 1 && (
            <SecondCrew
              label={`Add a seat for the second crew member of every ${aircraftName}`}
              groups={crews}
              choice={choice}
              onChoose={onChoose}
            />
          )}
          <div className={classes.groups}>
            {crews.map((group) => (
              <SecondCrew key={group.groupId} groups={[group]} choice={choice} onChoose={onChoose} />
            ))}
          </div>
        </Folded>
      )}
    </Branch>
  );
}

interface BranchProps extends ChoiceProps {
  label: ReactNode;
  /** what the groups have in common, for the button that shows them */
  name: string;
  groups: readonly UploadedGroup[];
  isOpenAtFirst: boolean;
  children: ReactNode;
}

/** A box for several groups, and the button that shows what is below it. */
function Branch({ label, name, groups, isOpenAtFirst, choice, onChoose, children }: BranchProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const chosen = chosenOf(groups, choice);
  const isPart = chosen.length > 0 && chosen.length < groups.length;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li className={classes.branch}>
      <div className={classes.head}>
        <Choice
          label={
            <span className={classes.name}>
              {label} <span className={classes.size}>· {sizeWords(groups)}</span>
            </span>
          }
          checked={chosen.length === groups.length}
          indeterminate={isPart}
          onChange={(isIn) => onChoose({ ...choice, without: withGroups(choice.without, groups, !isIn) })}
        />
        {isPart && <span className={classes.chosen}>{seatsOf(chosen)} chosen</span>}
        <IconButton
          inline
          label={`Show groups of ${name}`}
          expanded={isOpen}
          controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={18} aria-hidden="true" />
        </IconButton>
      </div>
      <div id={id} className={classes.below} hidden={!isOpen}>
        {/* There can be hundreds. */}
        {isOpen && children}
      </div>
    </li>
  );
}
