import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  DISCORD_OUTCOME_PARAM,
  DISCORD_SIGN_IN_PATH,
  readDiscordOutcome,
  type DiscordOutcome,
} from '#shared/discord-sign-in.ts';

/** Address of the server that redirects to Discord's sign-in; not a route of this app. */
export function discordSignInUrl(purpose: 'link'): string;
export function discordSignInUrl(purpose: 'sign-in', from: string): string;
export function discordSignInUrl(purpose: string, from?: string): string {
  const search = new URLSearchParams({ purpose, ...(from === undefined ? {} : { from }) });
  return `${DISCORD_SIGN_IN_PATH}?${search.toString()}`;
}

/** Outcome of the visit to Discord that led back to this page; null without one. */
export function useDiscordOutcome(): DiscordOutcome | null {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  return readDiscordOutcome(new URLSearchParams(search).get(DISCORD_OUTCOME_PARAM));
}

/**
 * The same, shown once: the parameter is removed from the address, so that a reload does not show it again.
 * The address's `from` moves into the navigation state, where the sign-in reads it.
 */
export function useDiscordOutcomeOnce(): DiscordOutcome | null {
  const outcome = useDiscordOutcome();
  const [said] = useState(outcome);
  const from = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('from') });
  const navigate = useNavigate();
  useEffect(() => {
    if (outcome === null) return;
    void navigate({
      to: '.',
      search: {},
      hash: true,
      replace: true,
      resetScroll: false,
      state: from === null ? {} : { from },
    });
  }, [outcome, from, navigate]);
  return said;
}
