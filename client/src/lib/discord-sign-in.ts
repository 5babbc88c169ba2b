import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  DISCORD_OUTCOME_PARAM,
  DISCORD_SIGN_IN_PATH,
  readDiscordOutcome,
  type DiscordOutcome,
} from '#shared/discord-sign-in.ts';

/** Where the browser goes to leave for Discord's own sign-in: a page of the server's, not of this app. */
export function discordSignInUrl(purpose: 'link'): string;
export function discordSignInUrl(purpose: 'sign-in', from: string): string;
export function discordSignInUrl(purpose: string, from?: string): string {
  const search = new URLSearchParams({ purpose, ...(from === undefined ? {} : { from }) });
  return `${DISCORD_SIGN_IN_PATH}?${search.toString()}`;
}

/** How the visit to Discord ended that led to this page; null when none did. */
export function useDiscordOutcome(): DiscordOutcome | null {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  return readDiscordOutcome(new URLSearchParams(search).get(DISCORD_OUTCOME_PARAM));
}

/**
 * The same, said once: the address forgets it, so that a reload does not say it again.
 * @param page the page it is said on; `from` of the address goes where its sign-in looks for it
 */
export function useDiscordOutcomeOnce(page: '/login' | '/profile'): DiscordOutcome | null {
  const outcome = useDiscordOutcome();
  const [said] = useState(outcome);
  const from = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('from') });
  const navigate = useNavigate();
  useEffect(() => {
    if (outcome === null) return;
    void navigate({ to: page, replace: true, resetScroll: false, state: from === null ? {} : { from } });
  }, [outcome, page, from, navigate]);
  return said;
}
