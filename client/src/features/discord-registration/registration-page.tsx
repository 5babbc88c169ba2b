import { Button } from '@mantine/core';
import { IconBrandDiscord } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { useDiscordOutcome } from '#client/lib/discord-sign-in.ts';
import { copy } from '#shared/copy.ts';
import { DISCORD_OUTCOMES } from '#shared/discord-sign-in.ts';
import { discordCopy } from './discord-text.ts';
import { GuildName } from './guild-name.tsx';
import { mayPass, registrationError, registrationLink, startRegistration } from './registration-calls.ts';
import { type PersonalLink, RegistrationForm } from './registration-form.tsx';
import type { RegistrationSearch } from './registration-search.ts';
import classes from './registration-page.module.css';

/** /discord/registration: registration with the personal link from the bot. */
export function RegistrationPage({ discord_id, discord_username, guild_id, session }: RegistrationSearch) {
  if (discord_id === undefined || guild_id === undefined || session === undefined) {
    return (
      <RegistrationError message={copy.registrationLinkInvalid}>
        {guild_id !== undefined && <ContinueWithDiscord guildId={guild_id} />}
      </RegistrationError>
    );
  }
  return (
    <Registration discordUserId={discord_id} discordUsername={discord_username} guildId={guild_id} session={session} />
  );
}

/** Loads the guild and the address of sign-in with Discord, with or without a personal link. */
function useStart(guildId: string) {
  return useQuery({
    queryKey: ['registration', guildId],
    queryFn: () => startRegistration.mutate({ guildId }),
  });
}

/** Checks a personal link and loads its guild. */
function useLink({ guildId, session, discordUserId }: PersonalLink) {
  return useQuery({
    queryKey: ['registration-link', guildId, session, discordUserId],
    queryFn: async () => {
      const { guild } = await startRegistration.mutate({ guildId });
      return { guild, ...(await registrationLink.query({ guildId, session, discordUserId })) };
    },
    // Checked only once, because registering on this page uses up the link.
    staleTime: Infinity,
  });
}

/** Button for registering without a personal link, where sign-in with Discord is configured. */
function ContinueWithDiscord({ guildId }: { guildId: string }) {
  const authorizeUrl = useStart(guildId).data?.authorizeUrl ?? null;
  if (authorizeUrl === null) return null;
  return (
    <Button component="a" href={authorizeUrl} leftSection={<IconBrandDiscord size={20} aria-hidden="true" />}>
      Continue with Discord
    </Button>
  );
}

function Registration(link: PersonalLink) {
  const start = useLink(link);
  if (start.data === undefined) {
    // While a retry is running, show the loading sentence instead of the error.
    if (start.error !== null && !start.isFetching) {
      return (
        <RegistrationError
          message={registrationError(start.error)}
          onRetry={mayPass(start.error) ? () => void start.refetch() : undefined}
        />
      );
    }
    return (
      <div className={classes.page}>
        <PageHeader title={discordCopy.formTitle} />
        <Panel>
          <LoadingState text={discordCopy.loading} rows={6} />
        </Panel>
      </div>
    );
  }
  if (start.data.problem !== null) {
    return (
      <RegistrationError message={start.data.problem}>
        <ContinueWithDiscord guildId={link.guildId} />
      </RegistrationError>
    );
  }
  return (
    <div className={classes.page}>
      <PageHeader title={discordCopy.formTitle} lead={<GuildName guild={start.data.guild} />} />
      <RegistrationForm {...link} profile={start.data.profile} />
    </div>
  );
}

interface RegistrationErrorProps {
  message: string;
  /** set when a retry may help */
  onRetry?: () => void;
  /** buttons */
  children?: ReactNode;
}

/** Error view; a failed visit to Discord leads here too and adds its outcome. */
function RegistrationError({ message, onRetry, children }: RegistrationErrorProps) {
  const outcome = useDiscordOutcome();
  return (
    <div className={classes.page}>
      <PageHeader title={discordCopy.errorTitle} />
      <Panel>
        <ErrorState
          message={message}
          detail={outcome === null ? undefined : DISCORD_OUTCOMES[outcome]}
          onRetry={onRetry}
        />
        <div className={classes.actions}>
          {children}
          <LinkButton variant="default" to="/">
            Return to the start page
          </LinkButton>
        </div>
      </Panel>
    </div>
  );
}
