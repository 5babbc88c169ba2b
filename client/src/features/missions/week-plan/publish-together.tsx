import { Button } from '@mantine/core';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { RivalDraftDto } from '#shared/schemas/mission-plan.ts';
import { SeatTogether } from './seat-together.tsx';
import { draftsName, issuedWords } from './week-plan-text.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './publish-together.module.css';

interface PublishTogetherProps {
  missionId: string;
  rivals: readonly RivalDraftDto[];
  onDone: (said: string) => void;
}

/** Publishes a draft together with drafts that compete for the same pilots: all or none. */
export function PublishTogether({ missionId, rivals, onDone }: PublishTogetherProps) {
  const utils = trpc.useUtils();
  const publish = trpc.admin.mission.publishWeek.useMutation({
    onSuccess: (published, { missionIds }) => {
      void utils.admin.invalidate();
      const others = rivals.filter((rival) => missionIds.includes(rival.missionId));
      onDone(`Published together with ${draftsName(others)}: ${issuedWords(published)}.`);
    },
  });
  return (
    <>
      <SeatTogether
        own={{ missionId }}
        rivals={rivals}
        action={(chosen) => (
          <Button
            variant="light"
            className={classes.publish}
            loading={publish.isPending}
            onClick={() => publish.mutate({ missionIds: [missionId, ...chosen.map((rival) => rival.missionId)] })}
          >
            Publish together with {draftsName(chosen)}
          </Button>
        )}
      />
      <FormError message={publish.error && failureOf(publish.error, workCopy.publishFailed)} />
    </>
  );
}
