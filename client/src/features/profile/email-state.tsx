import { Button } from '@mantine/core';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { profileCopy } from './profile-text.ts';
import classes from './identity-panel.module.css';

/** Whether the address is verified, with a button that sends the link again. Only where the server sends email. */
export function EmailState() {
  const account = trpc.pilot.mail.account.useQuery(undefined, { staleTime: 0 });
  const send = trpc.pilot.mail.sendVerification.useMutation({
    onSuccess: () => showToast(profileCopy.verificationSent),
    onError: (cause) => showFailure(cause, profileCopy.verificationFailed),
  });
  if (account.data?.isOffered !== true) return null;
  if (account.data.verifiedAt !== null) return <Badge signal="green">Verified</Badge>;
  return (
    <span className={classes.state}>
      <Badge signal="yellow">Not verified</Badge>
      <Button variant="default" size="xs" disabled={send.isPending} onClick={() => send.mutate()}>
        {send.isPending ? 'Sending...' : 'Send again'}
      </Button>
    </span>
  );
}
