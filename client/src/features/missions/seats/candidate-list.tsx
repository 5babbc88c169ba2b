import { TextInput } from '@mantine/core';
import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import type { SeatCandidateDto } from '#shared/schemas/mission-admin.ts';
import { candidateWords, findCandidates } from './candidate-text.ts';
import classes from './candidate-list.module.css';

/** Maximum rows; typing narrows the list. */
const SHOWN_MAX = 60;

interface CandidateListProps {
  /** eligible pilots first */
  candidates: readonly SeatCandidateDto[];
  onChoose: (candidate: SeatCandidateDto) => void;
}

/** Combobox of candidates for a seat. Pilots who cannot be assigned stay in the list with the reason. */
export function CandidateList({ candidates, onChoose }: CandidateListProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const wanted = useDeferredValue(typed);
  const found = useMemo(() => findCandidates(candidates, wanted), [candidates, wanted]);
  const shown = found.slice(0, SHOWN_MAX);
  const active = shown[Math.min(place, shown.length - 1)];

  const choose = (candidate: SeatCandidateDto | undefined): void => {
    if (candidate?.isAssignable === true) {
      onChoose(candidate);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setPlace((Math.min(place, shown.length - 1) + step + shown.length) % shown.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // The deferred list may lag behind the typed text.
      choose(wanted === typed ? active : findCandidates(candidates, typed)[0]);
    }
  };

  return (
    <>
      <TextInput
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is for typing
        autoFocus
        label="Pilot"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={active === undefined ? undefined : `${id}${active.userId}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Type a call sign"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKey}
      />
      <div id={`${id}list`} role="listbox" aria-label="Pilots" className={classes.list} tabIndex={-1}>
        {shown.map((candidate, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field above handles keys
          <div
            key={candidate.userId}
            id={`${id}${candidate.userId}`}
            ref={candidate === active ? keepInSight : undefined}
            role="option"
            aria-selected={candidate === active}
            aria-disabled={!candidate.isAssignable}
            className={classes.option}
            // The field keeps the focus, so that the arrow keys keep working.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(candidate)}
            onPointerMove={() => setPlace(index)}
          >
            <span className={classes.name}>{candidate.userDisplayName}</span>
            <StatusBadge kind="level" value={candidate.level} />
            <span className={classes.words} data-against={candidate.reason !== null || undefined}>
              {candidateWords(candidate)}
            </span>
          </div>
        ))}
      </div>
      <p className={classes.total}>
        <output>
          {candidates.length === 0
            ? 'There are no pilots to choose from.'
            : found.length === 0
              ? `No pilot is called “${wanted}”.`
              : found.length > shown.length
                ? `The first ${shown.length} of ${found.length} pilots; type to find others.`
                : found.length === 1
                  ? '1 pilot'
                  : `${found.length} pilots`}
        </output>
        {active?.isAssignable === false && (
          <VisuallyHidden>
            <output>{active.userDisplayName} cannot be assigned.</output>
          </VisuallyHidden>
        )}
      </p>
    </>
  );
}

function keepInSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
