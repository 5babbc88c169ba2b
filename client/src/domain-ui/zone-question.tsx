import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { clockTime, detectedTimeZone, zuluOfWallTime } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';

interface ZoneQuestionProps {
  opened: boolean;
  /** called with the zone to save */
  onAnswer: (timeZone: string) => void;
  onClose: () => void;
}

/** The question to somebody who has picked UTC in a browser that reports another zone. */
export function ZoneQuestion({ opened, onAnswer, onClose }: ZoneQuestionProps) {
  const now = useNow();
  const detected = detectedTimeZone();
  return (
    <Dialog opened={opened} title="Keep UTC?" onClose={onClose}>
      <p>
        Your browser is in {detected}, where it is {clockTime(now, detected)} now. With UTC, the hours you enter are UTC
        hours; with {detected}, 18:00 is {zuluOfWallTime('18:00', detected, now)}.
      </p>
      <DialogButtons>
        <Button variant="default" onClick={() => onAnswer('UTC')}>
          Keep UTC
        </Button>
        <Button onClick={() => onAnswer(detected)}>Use {detected}</Button>
      </DialogButtons>
    </Dialog>
  );
}
