import { useQuery } from '@tanstack/react-query';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { copy } from '#shared/copy.ts';
import { discordCopy } from './discord-copy.ts';
import { GuildName } from './guild-name.tsx';
import { mayPass, registrationError, startRegistration } from './registration-calls.ts';
import { RegistrationForm } from './registration-form.tsx';
import type { RegistrationSearch } from './registration-search.ts';
import classes from './registration-page.module.css';

/** /discord/registration: the page of the personal link that the bot gives. */
export function RegistrationPage({ discord_id, guild_id, session }: RegistrationSearch) {
  if (discord_id === undefined || guild_id === undefined || session === undefined) {
    return <RegistrationError message={copy.registrationLinkInvalid} />;
  }
  return <Registration discordUserId={discord_id} guildId={guild_id} session={session} />;
}

interface RegistrationProps {
  discordUserId: string;
  guildId: string;
  session: string;
}

function Registration({ discordUserId, guildId, session }: RegistrationProps) {
  const start = useQuery({
    queryKey: ['registration', guildId],
    queryFn: () => startRegistration.mutate({ guildId }),
  });
  if (start.data === undefined) {
    // While Retry is at work the error gives way to the loading sentence.
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
  return (
    <div className={classes.page}>
      <PageHeader title={discordCopy.formTitle} lead={<GuildName guild={start.data.guild} />} />
      <RegistrationForm discordUserId={discordUserId} guildId={guildId} session={session} />
    </div>
  );
}

/** @param onRetry when asking again may help */
function RegistrationError({ message, onRetry }: { message: string; onRetry?: () => void }) {
  return (
    <div className={classes.page}>
      <PageHeader title={discordCopy.errorTitle} />
      <Panel>
        <ErrorState message={message} onRetry={onRetry} />
        <div className={classes.actions}>
          <LinkButton variant="default" to="/">
            Return to the start page
          </LinkButton>
        </div>
      </Panel>
    </div>
  );
}
