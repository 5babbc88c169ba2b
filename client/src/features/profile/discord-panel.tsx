import { Button, Group } from '@mantine/core';
import { IconBrandDiscord, IconLink, IconMessageOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { ErrorState } from '#client/components/query-states.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { discordSignInUrl, useDiscordOutcomeOnce } from '#client/lib/discord-sign-in.ts';
import { errorMessage } from '#client/lib/errors.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { DISCORD_OUTCOMES } from '#shared/discord-sign-in.ts';
import type { DiscordLinkDto } from '#shared/schemas/discord-link.ts';
import classes from './discord-panel.module.css';

type Account = NonNullable<DiscordLinkDto['account']>;

const discordPanelCopy = {
  loadFailed: 'Failed to load your Discord link',
  saveFailed: 'Failed to save your choice',
  unlinkFailed: 'Failed to unlink Discord',
  unlinked: 'Discord account unlinked',
  messagesOn: 'Frag orders will arrive as direct messages',
  messagesOff: 'Frag orders will no longer arrive as direct messages',
} as const;

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/**
 * Panel of the pilot's linked Discord account and direct messages. Hidden where Discord is not configured, and while
 * loading.
 */
export function DiscordPanel() {
  const { id } = useSignedInViewer();
  const outcome = useDiscordOutcomeOnce();
  const link = trpc.pilot.discord.useQuery({ id });
  useEffect(() => {
    if (outcome === 'linked') showToast(DISCORD_OUTCOMES.linked);
  }, [outcome]);
  if (link.data === undefined) {
    if (link.error === null) return null;
    return (
      <Panel anchor="discord" title="Discord">
        <ErrorState
          message={errorMessage(link.error, discordPanelCopy.loadFailed)}
          onRetry={() => void link.refetch()}
        />
      </Panel>
    );
  }
  const { account, canLink, hasBot } = link.data;
  if (account === null && !canLink && !hasBot) return null;
  return (
    <Panel anchor="discord" title="Discord">
      <div className={classes.body}>
        <FormError message={outcome === null || outcome === 'linked' ? null : DISCORD_OUTCOMES[outcome]} />
        {account === null ? <NotLinked canLink={canLink} /> : <Linked account={account} hasBot={hasBot} />}
      </div>
    </Panel>
  );
}

function NotLinked({ canLink }: { canLink: boolean }) {
  if (!canLink) {
    return (
      <p className={classes.text}>
        No Discord account is linked. Accounts created with /register in Discord are linked automatically; linking
        others isn't set up on this site.
      </p>
    );
  }
  return (
    <>
      <p className={classes.text}>
        Link your Discord account to sign in with it, and to get and answer your frag orders as direct messages. Marshal
        sees only your Discord name and ID.
      </p>
      <Group>
        <Button component="a" href={discordSignInUrl('link')} leftSection={<IconLink {...ICON} size={18} />}>
          Link Discord account
        </Button>
      </Group>
    </>
  );
}

function Linked({ account, hasBot }: { account: Account; hasBot: boolean }) {
  const { id } = useSignedInViewer();
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const [isAsking, setAsking] = useState(false);
  const save = trpc.pilot.setDiscord.useMutation({
    onMutate: () => setError(null),
    onSuccess: (answer, { wantsOrders }) => {
      utils.pilot.discord.setData({ id }, answer);
      showToast(wantsOrders ? discordPanelCopy.messagesOn : discordPanelCopy.messagesOff);
    },
    onError: (cause) => setError(failureOf(cause, discordPanelCopy.saveFailed)),
  });
  const unlink = trpc.pilot.unlinkDiscord.useMutation({
    onMutate: () => setError(null),
    onSuccess: (answer) => {
      utils.pilot.discord.setData({ id }, answer);
      showToast(discordPanelCopy.unlinked);
    },
    onError: (cause) => setError(failureOf(cause, discordPanelCopy.unlinkFailed)),
    onSettled: () => setAsking(false),
  });
  const { username, linkedAt, refusedAt, canUnlink } = account;

  return (
    <>
      <FormError message={error} />
      <p className={classes.state}>
        <IconBrandDiscord {...ICON} />
        <span>
          <Badge signal="green">Linked</Badge> <strong>{username}</strong>
          <span className={classes.since}>
            since <ZTime iso={linkedAt} withDate copyable={false} />
          </span>
        </span>
      </p>
      {hasBot ? (
        <Choice
          label="Frag orders as direct messages"
          meaning="New frag orders also arrive in Discord, with buttons to answer them."
          checked={save.isPending ? save.variables.wantsOrders === true : account.wantsOrders}
          onChange={(wantsOrders) => save.mutate({ id, wantsOrders })}
        />
      ) : (
        <p className={classes.text}>The Discord bot isn't connected, so nothing is sent there.</p>
      )}
      {hasBot && refusedAt !== null && <Refused at={refusedAt} />}
      {canUnlink ? (
        <Group>
          <Button variant="default" disabled={unlink.isPending} onClick={() => setAsking(true)}>
            Unlink Discord
          </Button>
        </Group>
      ) : (
        <p className={classes.text}>
          Discord is the only way to sign in to this account. <Link to="/credentials">Set email and password</Link>{' '}
          before you unlink it.
        </p>
      )}
      <ConfirmModal
        opened={isAsking}
        title={`Unlink ${username}?`}
        confirmLabel="Unlink"
        signal="red"
        busy={unlink.isPending}
        onConfirm={() => unlink.mutate({ id })}
        onClose={() => setAsking(false)}
      >
        You will no longer be able to sign in with Discord or get frag orders there, and buttons in messages you already
        have stop working. Your orders here stay as they are.
      </ConfirmModal>
    </>
  );
}

/** Notice that Discord refused the last direct message, with the remedy. */
function Refused({ at }: { at: string }) {
  return (
    <p className={classes.refused}>
      <IconMessageOff {...ICON} />
      <span>
        Discord refused the last direct message: <ZTime iso={at} withDate copyable={false} />. Allow direct messages
        from members in the privacy settings of your Discord server; Marshal tries again with the next frag order.
      </span>
    </p>
  );
}
