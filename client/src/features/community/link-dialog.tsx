import { Button, TextInput } from '@mantine/core';
import { IconBrandDiscord } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useClipboard } from '#client/lib/use-clipboard.ts';
import type { InviteDto } from '#shared/schemas/community.ts';
import type { SlotRequestDto } from '#shared/schemas/slot-requests.ts';
import { communityCopy, discordMessage } from './community-text.ts';
import classes from './community.module.css';

interface LinkDialogProps {
  invite: InviteDto;
  /** the request that it answers, where Marshal cannot send it */
  request?: SlotRequestDto | undefined;
  onClose: () => void;
}

/** Dialog with the link of a new invite. The table shows it again later. */
export function LinkDialog({ invite, request, onClose }: LinkDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const community = trpc.admin.community.get.useQuery();
  const { copied, copy } = useClipboard();
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog opened title={`Invite “${invite.name}”`} onClose={onClose}>
      <div className={classes.form}>
        <TextInput
          ref={field}
          label="Invite link"
          description={
            request
              ? `Send it to ${request.handle}: ${request.email}`
              : 'Share it with your pilots. You can find it here any time.'
          }
          readOnly
          value={invite.url}
          classNames={{ input: classes.address }}
          onFocus={(event) => event.currentTarget.select()}
          rightSection={<CopyButton text={invite.url} label="Copy invite link" copiedLabel="Invite link copied" />}
        />
        {invite.role === 'admin' && <p className={classes.warning}>{communityCopy.adminWarning}</p>}
      </div>
      <DialogButtons>
        {invite.role !== 'admin' && !request && (
          <Button
            variant="default"
            leftSection={<IconBrandDiscord size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => void copy(discordMessage(invite, community.data?.name || undefined))}
          >
            {copied ? 'Discord message copied' : 'Copy Discord message'}
          </Button>
        )}
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}
