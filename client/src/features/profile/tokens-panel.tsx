import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatExpiry } from '#client/lib/time.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import type { AccessTokenDto } from '#shared/schemas/tokens.ts';
import { profileCopy, SCOPE_NAMES } from './profile-text.ts';
import { ShownOnce } from '#client/components/shown-once.tsx';
import { TokenForm } from './token-form.tsx';
import rowClasses from './owned-rows.module.css';
import classes from './tokens-panel.module.css';

/** Panel of the account's personal access tokens: make, list and revoke them. */
export function TokensPanel() {
  const { id } = useSignedInViewer();
  // always refetch: scripts use tokens at any time
  const tokens = trpc.auth.tokens.list.useQuery({ id }, { staleTime: 0 });
  return (
    <Panel anchor="tokens" title="Personal access tokens" flush>
      <p className={rowClasses.text}>
        Scripts call Marshal with a token, as the <a href="/api/v1/docs">API reference</a> describes.{' '}
        <strong>Anyone who has a token can use it</strong>, so treat it like a password.
      </p>
      <Loaded query={tokens} loading={profileCopy.loadingTokens} failure={profileCopy.tokensLoadFailed}>
        {(rows) => <Tokens rows={rows} />}
      </Loaded>
    </Panel>
  );
}

function Tokens({ rows }: { rows: readonly AccessTokenDto[] }) {
  const { id } = useSignedInViewer();
  const utils = trpc.useUtils();
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const [asked, setAsked] = useState<AccessTokenDto | null>(null);
  const revoke = trpc.auth.tokens.revoke.useMutation({
    onSuccess: () => showToast(profileCopy.tokenRevoked),
    onError: (cause) => showFailure(cause, profileCopy.tokenFailed),
    onSettled: async () => {
      setAsked(null);
      await utils.auth.tokens.list.invalidate();
      // the clicked button has disappeared with its token
      list.current?.focus();
    },
  });
  const close = (): void => {
    setMaking(false);
    setMade(null);
    // the button is in the page after this render
    requestAnimationFrame(() => opener.current?.focus());
  };

  return (
    <>
      <div ref={list} tabIndex={-1} className={classes.tokens}>
        {rows.length === 0 ? (
          <p className={rowClasses.none}>You have no tokens.</p>
        ) : (
          <ul className={rowClasses.list} aria-label="Your tokens">
            {rows.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setAsked(token)} />
            ))}
          </ul>
        )}
      </div>
      <div className={rowClasses.foot}>
        {made !== null && (
          <div className={classes.made}>
            <ShownOnce
              key={made.secret}
              label={`Your token “${made.name}”`}
              description="Copy it now: it won't be shown again. If you lose it, revoke it and make a new one."
              secret={made.secret}
              copyLabel="Copy token"
              copiedLabel="Token copied"
            />
            <Button variant="default" onClick={close}>
              Done
            </Button>
          </div>
        )}
        {isMaking && (
          <TokenForm
            onMade={({ name, token: secret }) => {
              setMaking(false);
              setMade({ name, secret });
            }}
            onCancel={close}
          />
        )}
        {!isMaking && made === null && (
          <Button
            ref={opener}
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            onClick={() => setMaking(true)}
          >
            Create token
          </Button>
        )}
      </div>
      <ConfirmModal
        opened={asked !== null}
        title={`Revoke “${asked?.name ?? ''}”?`}
        confirmLabel="Revoke"
        signal="red"
        busy={revoke.isPending}
        onConfirm={() => asked && revoke.mutate({ id, tokenId: asked.id })}
        onClose={() => setAsked(null)}
      >
        Scripts that use this token stop working at once. A revoked token cannot be brought back.
      </ConfirmModal>
    </>
  );
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function TokenRow({ token, onRevoke }: { token: AccessTokenDto; onRevoke: () => void }) {
  const now = useNow();
  const { name, scopes, createdAt, expiresAt, lastUsedAt } = token;
  const isExpired = Date.parse(expiresAt) <= now.getTime();
  return (
    <li className={rowClasses.row}>
      <IconKey size={20} aria-hidden="true" />
      <span className={rowClasses.name}>
        <strong>{name}</strong>
        {scopes.map((scope) => (
          <Badge key={scope} signal={scope === 'admin' ? 'yellow' : 'gray'}>
            {SCOPE_NAMES[scope]}
          </Badge>
        ))}
        {isExpired && <Badge signal="red">Expired</Badge>}
      </span>
      <div className={`${rowClasses.facts} ${classes.times}`}>
        <span>
          Made <ZTime iso={createdAt} withDate copyable={false} />
        </span>
        <span>
          {capitalized(formatExpiry(expiresAt, now))}
          {isExpired ? ' ' : ', '}
          <ZTime iso={expiresAt} withDate copyable={false} />
        </span>
        <span>
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <ZTime iso={lastUsedAt} withDate copyable={false} />
            </>
          )}
        </span>
      </div>
      <Button variant="default" size="xs" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
