/** The staged changes of a board, their dry run, and applying them. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { errorCode } from '#client/lib/errors.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { applySeatsInput, type SeatBoardDto, type SeatChangeDto } from '#shared/schemas/seat-board.ts';
import { backfillWords, boardCopy, stagedWords } from './board-text.ts';
import { changedSeats, changesOf, rebase, type Stage } from './stage.ts';

/** Rest after a change before it is checked, ms. */
const REST_MS = 200;

const NOTHING: Stage = new Map();

/** @param missionId of the board @param board as it is now; live updates replace it, and the staged changes stay */
export function useStage(missionId: string, board: SeatBoardDto) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const [staged, setStaged] = useState(NOTHING);
  /** the same before it is drawn: a press may follow a drop that quickly */
  const newest = useRef(NOTHING);
  const setStage = (next: Stage): void => {
    newest.current = next;
    setStaged(next);
    setError(null);
  };
  /** the board when the first change was staged */
  const [base, setBase] = useState(board);
  const stage = rebase(board, staged);
  if (stage.size === 0 && base !== board) setBase(board);

  const input = { id: missionId, version: board.version, changes: changesOf(stage) };
  const text = stage.size === 0 ? 'null' : JSON.stringify(input);
  const [asked] = useDebouncedValue(text, REST_MS);
  const dryRun = useQuery({
    // tRPC's key format, so that live updates about missions invalidate it
    queryKey: [['admin', 'mission', 'applySeats'], { input: asked }],
    queryFn: ({ signal }) =>
      trpcClient.admin.mission.applySeats.mutate(
        { ...applySeatsInput.parse(JSON.parse(asked)), dryRun: true },
        { signal },
      ),
    enabled: asked !== 'null',
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
  const result = stage.size === 0 ? undefined : dryRun.data;
  const isChecking = stage.size > 0 && (text !== asked || dryRun.isFetching);
  const checks = new Map<string, SeatChangeDto>(result?.changes.map((change) => [change.userId, change]));

  // the same object while nothing changes, because the error box takes the focus with each new one
  const checkError = useMemo(
    () =>
      dryRun.error === null || errorCode(dryRun.error) === 'CHANGED'
        ? null
        : failureOf(dryRun.error, boardCopy.applyFailed),
    [dryRun.error],
  );

  const apply = trpc.admin.mission.applySeats.useMutation({
    onSuccess: ({ changes, notified, backfill }) => {
      const words = stagedWords(changes.length, notified);
      setStage(NOTHING);
      showToast(`Applied: ${words}. ${backfillWords(backfill) ?? ''}`.trim());
      void utils.admin.invalidate();
    },
    onError: (cause) => {
      if (errorCode(cause) === 'CHANGED') void utils.admin.mission.seatBoard.invalidate({ id: missionId });
      setError(failureOf(cause, boardCopy.applyFailed));
    },
  });

  return {
    stage,
    setStage,
    /** the staged changes, also before they are drawn */
    readStage: () => rebase(board, newest.current),
    /** by pilot: what the dry run says of the change */
    checks,
    result,
    isChecking,
    error: error ?? (stage.size > 0 ? checkError : null),
    /** seats that others have changed since the first change was staged */
    meanwhile: stage.size === 0 ? [] : changedSeats(base, board),
    isRefused: [...checks.values()].some(({ refusal, userId }) => refusal !== null && stage.has(userId)),
    isApplying: apply.isPending,
    apply: () => apply.mutate(input),
    clear: () => setStage(NOTHING),
  };
}
export type StageWork = ReturnType<typeof useStage>;
