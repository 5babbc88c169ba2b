import { NotSent, Refusal } from '#client/domain-ui/not-sent.tsx';
import { dropKept, findAnswer, useKept, type KeptAnswer } from '#client/lib/kept.ts';
import { useViewer } from '#client/lib/session.ts';

/** The viewer's answer to an order that is kept on this device, and how to remove it; null without one. */
function useKeptAnswer(orderId: string): { kept: KeptAnswer; drop: () => void } | null {
  // nobody in the demo
  const userId = useViewer()?.id ?? '-';
  const kept = findAnswer(useKept(userId), orderId);
  return kept === undefined ? null : { kept, drop: () => dropKept(userId, kept) };
}

/** True while this device keeps an answer to the order, which waits for the network or was refused. */
export const useIsKept = (orderId: string): boolean => useKeptAnswer(orderId) !== null;

/** The answer that waits for the network. */
export function WaitingAnswer({ orderId }: { orderId: string }) {
  const answer = useKeptAnswer(orderId);
  return (
    answer !== null &&
    answer.kept.refused === undefined && (
      <NotSent signal="yellow" action={{ label: 'Take back', onClick: answer.drop }}>
        <strong>Waiting for network.</strong> Your answer, {answer.kept.word}, is sent when you&apos;re back online.
      </NotSent>
    )
  );
}

/** The answer that was refused when it was sent; lists leave it to the notice below the header. */
export function RefusedAnswer({ orderId }: { orderId: string }) {
  const answer = useKeptAnswer(orderId);
  return (
    answer?.kept.refused !== undefined && (
      <NotSent signal="red" action={{ label: 'Dismiss', onClick: answer.drop }}>
        Your answer, {answer.kept.word}, wasn&apos;t saved. <Refusal {...answer.kept.refused} />
      </NotSent>
    )
  );
}
