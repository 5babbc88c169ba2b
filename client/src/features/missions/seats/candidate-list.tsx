import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { SeatCandidateDto } from '#shared/schemas/mission-admin.ts';
import { count } from '#shared/plural.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import { errorMessage } from '#client/lib/errors.ts';
import { candidateWords, findCandidates } from './candidate-text.ts';
import classes from './candidate-list.module.css';

/** Maximum rows; typing narrows the list. */
const SHOWN_MAX = 60;

/** A pause in typing after which the server is asked for pilots whom the list has no room for. */
const TYPING_MS = 250;

interface CandidateListProps {
  seat: { id: string; flightId: string; seatIndex: number };
  /** eligible pilots first; of a large community only the first */
  candidates: readonly SeatCandidateDto[];
  /** the holder of the seat, who is no candidate for it */
  exceptId: string | undefined;
  onChoose: (candidate: SeatCandidateDto) => void;
}

/** Combobox of candidates for a seat. Pilots who cannot be assigned stay in the list with the reason. */
export function CandidateList({ seat, candidates: first, exceptId, onChoose }: CandidateListProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const [searched] = useDebouncedValue(typed.trim(), TYPING_MS);
  const isPart = first.length >= LISTED_MAX.candidates;
  const search = trpc.admin.mission.candidates.useQuery(
    { ...seat, query: searched },
    { enabled: isPart && searched !== '', staleTime: 0, gcTime: 0, placeholderData: keepPreviousData },
  );
  const isSearching = isPart && typed.trim() !== '' && (search.isFetching || searched !== typed.trim());
  const listed = isPart && typed.trim() !== '' ? (search.data ?? first) : first;
  const candidates = useMemo(() => listed.filter(({ userId }) => userId !== exceptId), [listed, exceptId]);
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
          {search.isError
            ? errorMessage(search.error, workCopy.candidatesFailed)
            : found.length === 0
              ? noneSentence(isSearching, wanted.trim())
              : foundSentence(found.length, shown.length)}
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

function noneSentence(isSearching: boolean, wanted: string): string {
  if (isSearching) return workCopy.loadingCandidates;
  return wanted === '' ? 'There are no pilots to choose from.' : `No pilot is called “${wanted}”.`;
}

function foundSentence(found: number, shown: number): string {
  if (found === shown) return count(found, 'pilot');
  const all = found < LISTED_MAX.candidates ? ` of ${found}` : '';
  return `The first ${shown}${all} pilots; type to find others.`;
}

function keepInSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
