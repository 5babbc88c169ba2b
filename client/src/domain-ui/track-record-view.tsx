import type { ReactNode } from 'react';
import type { TrackRecordDto } from '#shared/schemas/track-record.ts';
import { Fact, Facts } from '#client/components/fact.tsx';
import { Placard } from '#client/components/placard.tsx';
import { debtSentence, percent, reliabilitySentence, trackRecordCopy, type Reader } from './track-record-text.ts';
import classes from './track-record-view.module.css';

interface TrackRecordViewProps {
  trackRecord: TrackRecordDto;
  reader: Reader;
  /** the outcomes of the last 90 days, as marks */
  strip?: ReactNode;
}

/** A pilot's track record: reliability, attendance counts, and fairness in words. */
export function TrackRecordView({ trackRecord, reader, strip }: TrackRecordViewProps) {
  return (
    <div className={classes.view}>
      <p className={classes.figure}>
        <strong className={classes.percent}>{percent(trackRecord.reliability)}</strong> {trackRecordCopy.figure}
      </p>
      <Facts>
        <Fact label="Flown" mono>
          {trackRecord.attended}
        </Fact>
        <Fact label="No-shows" mono>
          {trackRecord.noShows}
        </Fact>
        <Fact label="Given back late" mono>
          {trackRecord.lateCancels}
        </Fact>
        <Fact label="Excused" mono>
          {trackRecord.excused}
        </Fact>
      </Facts>
      <p className={classes.text}>{reliabilitySentence(trackRecord, reader)}</p>
      {strip}
      <div className={classes.fairness}>
        <Placard>Fairness</Placard>
        <p className={classes.text}>
          <strong>{debtSentence(trackRecord, reader)}</strong> {trackRecordCopy.fairnessSpan}
        </p>
      </div>
      {reader === 'pilot' && <p className={classes.secret}>{trackRecordCopy.secret}</p>}
    </div>
  );
}
