import { Button, TextInput } from '@mantine/core';
import { IconBrandDiscord } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { CopyButton } from '#client/components/copy-button.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useClipboard } from '#client/lib/use-clipboard.ts';
import type { InviteDto } from '#shared/schemas/community.ts';
import { inviteMessage } from './invite-message.ts';
import classes from './invite-link.module.css';

/** The link of an invite, selected, with a button that copies it. */
export function InviteLink({ url, description }: { url: string; description: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <TextInput
      ref={field}
      label="Invite link"
      description={description}
      readOnly
      value={url}
      classNames={{ input: classes.address }}
      onFocus={(event) => event.currentTarget.select()}
      rightSection={<CopyButton text={url} label="Copy invite link" copiedLabel="Invite link copied" />}
    />
  );
}

/** Copies the message that brings the invite to a Discord channel. */
export function CopyDiscordMessage({ invite }: { invite: InviteDto }) {
  const community = trpc.admin.community.get.useQuery();
  const { copied, copy } = useClipboard();
  return (
    <Button
      variant="default"
      leftSection={<IconBrandDiscord size={18} aria-hidden="true" />}
      onClick={() => void copy(inviteMessage(invite, community.data?.name || undefined))}
    >
      {copied ? 'Discord message copied' : 'Copy Discord message'}
    </Button>
  );
}
