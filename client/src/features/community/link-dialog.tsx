import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { CopyDiscordMessage, InviteLink } from '#client/domain-ui/invite-link.tsx';
import type { InviteDto } from '#shared/schemas/community.ts';
import type { SlotRequestDto } from '#shared/schemas/slot-requests.ts';
import { communityCopy } from './community-text.ts';
import classes from './community.module.css';

interface LinkDialogProps {
  invite: InviteDto;
  /** the request that it answers, where Marshal cannot send it */
  request?: SlotRequestDto | undefined;
  onClose: () => void;
}

/** Dialog with the link of a new invite. The table shows it again later. */
export function LinkDialog({ invite, request, onClose }: LinkDialogProps) {
  return (
    <Dialog opened title={`Invite “${invite.name}”`} onClose={onClose}>
      <div className={classes.form}>
        <InviteLink
          url={invite.url}
          description={
            request
              ? `Send it to ${request.handle}: ${request.email}`
              : 'Share it with your pilots. You can find it here any time.'
          }
        />
        {invite.role === 'admin' && <p className={classes.warning}>{communityCopy.adminWarning}</p>}
      </div>
      <DialogButtons>
        {invite.role !== 'admin' && !request && <CopyDiscordMessage invite={invite} />}
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}
