import { Button } from '@mantine/core';
import { FormError } from '#client/components/form-error.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { PublishedWeekDto, RivalDraftDto } from '#shared/schemas/mission-plan.ts';
import { draftsName, issuedWords } from './week-plan-text.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './together-note.module.css';

/** Result of creating a mission and publishing it together with drafts; `error` is set when publishing failed. */
export interface Together {
  rivals: readonly RivalDraftDto[];
  published: PublishedWeekDto | null;
  error: unknown;
}

interface TogetherNoteProps {
  missionId: string;
  together: Together;
  /** result of publishing, at first or after a retry; null when not published */
  week: PublishedWeekDto | null;
  onPublished: (published: PublishedWeekDto) => void;
}

/** Note about drafts published together with the mission, or about the failure with a retry. */
export function TogetherNote({ missionId, together, week, onPublished }: TogetherNoteProps) {
  const utils = trpc.useUtils();
  const { rivals } = together;
  const publish = trpc.admin.mission.publishWeek.useMutation({
    onSuccess: (published) => {
      void utils.admin.invalidate();
      void utils.pilot.invalidate();
      onPublished(published);
    },
  });
  if (week !== null) {
    return (
      <p className={classes.note} role="status">
        Published together with {draftsName(rivals)}: {issuedWords(week)} in all.
      </p>
    );
  }
  const error: unknown = publish.error ?? together.error;
  return (
    <div className={classes.note}>
      <FormError
        message={`The mission is saved as a draft, but was not published together with ${draftsName(rivals)}: ${errorMessage(error, workCopy.publishFailed)}`}
      />
      <Button
        variant="light"
        disabled={publish.isPending}
        onClick={() => publish.mutate({ missionIds: [missionId, ...rivals.map((rival) => rival.missionId)] })}
      >
        {publish.isPending ? 'Publishing...' : 'Publish together again'}
      </Button>
    </div>
  );
}
