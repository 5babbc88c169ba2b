import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { seatsOf, shareWords } from '#client/domain-ui/track-record-text.ts';
import { LEDGER_DAYS } from '#shared/limits.ts';
import type { FairnessDto, FairnessPeerDto } from '#shared/schemas/track-record.ts';
import { count } from '#shared/plural.ts';
import { pilotCopy } from './pilot-text.ts';
import classes from './fairness-bars.module.css';

/** Peers on either side of the pilot before "Show all". */
const BESIDE = 3;

interface FairnessBarsProps {
  fairness: FairnessDto;
  pilotId: string;
}

/** The pilot among peers: a bar for the seats of each, and a line where a fair share would be. */
export function FairnessBars({ fairness: { place, total, aircraft, peers }, pilotId }: FairnessBarsProps) {
  const [isOpen, setOpen] = useState(false);
  if (total === 1)
    return <p className={classes.text}>{aircraft.length === 0 ? pilotCopy.noAircraft : pilotCopy.noPeers}</p>;
  const scale = Math.max(...peers.map(({ seats, fairShare }) => Math.max(seats, fairShare)));
  if (scale === 0) return <p className={classes.text}>{pilotCopy.noShares}</p>;
  const own = peers.findIndex((peer) => peer.pilotId === pilotId);
  const shown = isOpen ? peers : peers.slice(Math.max(0, own - BESIDE), own + BESIDE + 1);
  return (
    <div className={classes.fairness}>
      <p className={classes.text}>
        Number {place} of {total} who fly the {listOf(aircraft)}, the most owed first.
      </p>
      <ol className={classes.peers} aria-label={pilotCopy.fairnessTitle}>
        {shown.map((peer) => (
          <Peer key={peer.pilotId} peer={peer} isOwn={peer.pilotId === pilotId} scale={scale} />
        ))}
      </ol>
      <p className={classes.key} aria-hidden="true">
        <span data-key="seats">Seats taken</span>
        <span data-key="share">Fair share</span>
      </p>
      <p className={classes.note}>
        Counts missions from the last {LEDGER_DAYS} days and upcoming ones. Whoever is owed more is seated earlier.
      </p>
      {peers.length > shown.length && (
        <div>
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Show {peers.length === total ? `all ${total}` : `${peers.length} of ${total}`}
          </Button>
        </div>
      )}
    </div>
  );
}

interface PeerProps {
  peer: FairnessPeerDto;
  isOwn: boolean;
  scale: number;
}

function Peer({ peer: { pilotId, name, seats, fairShare, debt }, isOwn, scale }: PeerProps) {
  const percent = (value: number): string => `${(100 * value) / scale}%`;
  return (
    <li className={classes.peer} data-own={isOwn || undefined} aria-current={isOwn || undefined}>
      <span className={classes.name}>
        {isOwn ? (
          <strong>{name}</strong>
        ) : (
          <Link to="/admin/users/$userId/availability" params={{ userId: pilotId }} search={{ tab: 'standing' }}>
            {name}
          </Link>
        )}
      </span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.seats} style={{ width: percent(seats) }} />
        <span className={classes.share} style={{ insetInlineStart: percent(fairShare) }} />
      </span>
      <span className={classes.words}>
        {count(seats, 'seat')}, fair {seatsOf(fairShare)}. {shareWords(debt)}.
      </span>
    </li>
  );
}

const listOf = (names: readonly string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
