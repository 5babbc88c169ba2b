import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { placeName } from '#shared/labels.ts';
import type { FlyAnywayDto, OpeningsDto, RemedyDto } from '#shared/schemas/seats.ts';
import { remedyWords } from './fly-anyway-text.ts';
import { useJoinStandby } from './use-join-standby.ts';
import { useTakeSeat } from './use-take-seat.ts';
import classes from './fly-anyway.module.css';

type ClosedMission = OpeningsDto['closed'][number];

interface FlyAnywayProps {
  mission: Pick<ClosedMission, 'missionId' | 'missionName' | 'withdraws'>;
  way: FlyAnywayDto;
}

/**
 * What has to change before a pilot flies a mission, and the button that changes it and takes the seat: at once where only one
 * fits, otherwise after a choice of the seat. Where all are taken, it stands by.
 */
export function FlyAnyway({ mission, way: { seats, standby } }: FlyAnywayProps) {
  const { missionId, missionName } = mission;
  const [isChoosing, setChoosing] = useState(false);
  const { isTaking, take } = useTakeSeat();
  const { isJoining, join } = useJoinStandby();
  const wordsOf = useRemedyWords(mission);
  const [first] = seats;
  const isBusy = isTaking || isJoining;
  const common = first && seats.every((seat) => wordsOf(seat) === wordsOf(first)) ? wordsOf(first) : null;

  const takeSeat = async ({ flightId, seatIndex, fixes }: FlyAnywayDto['seats'][number]): Promise<void> => {
    await take({ missionId, flightId, seatIndex, fixes, withdraws: mission.withdraws });
    setChoosing(false);
  };
  const go = (): void => {
    if (isBusy) return;
    if (seats.length > 1) setChoosing(true);
    else if (first) void takeSeat(first);
    else if (standby) void join(missionId, standby.fixes);
  };

  return (
    <div className={classes.way}>
      <p className={classes.words}>
        {first && seats.length === 1 && `${placeName(first)}, ${first.aircraftName}. `}
        {first ? wordsOf(first) : standby && wordsOf(standby)}
      </p>
      <Button
        variant="light"
        className={classes.button}
        aria-disabled={isBusy || undefined}
        aria-label={`${first ? 'Fly it anyway' : 'Stand by anyway'}: ${missionName}`}
        onClick={go}
      >
        {first ? 'Fly it anyway' : 'Stand by anyway'}
      </Button>
      <Dialog opened={isChoosing} title={`Fly ${missionName}?`} onClose={() => setChoosing(false)}>
        {common !== null && <p className={classes.common}>{common}</p>}
        <ul className={classes.seats} aria-label="Open seats">
          {seats.map((seat) => (
            <li key={`${seat.flightId} ${seat.seatIndex}`}>
              <span className={classes.seat}>
                <strong>
                  {placeName(seat)}
                  {seat.isLead && ' (lead)'}
                </strong>
                {seat.aircraftName}, {seat.role}
                {common === null && `. ${wordsOf(seat)}`}
              </span>
              <Button
                className={classes.button}
                variant="light"
                aria-disabled={isBusy || undefined}
                aria-label={`Take seat: ${placeName(seat)}`}
                onClick={() => {
                  if (!isBusy) void takeSeat(seat);
                }}
              >
                Take seat
              </Button>
            </li>
          ))}
        </ul>
        <DialogButtons>
          <Button variant="default" onClick={() => setChoosing(false)}>
            Cancel
          </Button>
        </DialogButtons>
      </Dialog>
    </div>
  );
}

function useRemedyWords({ withdraws }: Pick<ClosedMission, 'withdraws'>) {
  const timeZone = useReaderZone();
  return (remedy: RemedyDto & { aircraftName: string }): string =>
    remedyWords(remedy, { aircraftName: remedy.aircraftName, withdraws, timeZone }).join(' ');
}
