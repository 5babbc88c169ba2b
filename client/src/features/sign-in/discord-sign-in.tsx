import { Button } from '@mantine/core';
import { IconBrandDiscord } from '@tabler/icons-react';
import { discordSignInUrl } from '#client/lib/discord-sign-in.ts';
import { setSignOutPending } from '#client/lib/sign-out.ts';
import { trpc } from '#client/lib/trpc.ts';
import classes from './discord-sign-in.module.css';

/** Button for sign-in with Discord, where it is configured. @param from path to open afterwards */
export function DiscordSignIn({ from }: { from: string }) {
  const ways = trpc.auth.ways.useQuery(undefined, { staleTime: Infinity });
  if (ways.data?.discord !== true) return null;
  return (
    <div className={classes.other}>
      <span className={classes.or}>or</span>
      <Button
        component="a"
        href={discordSignInUrl('sign-in', from)}
        // A sign-in replaces the old session, so a pending sign-out is obsolete.
        onClick={() => setSignOutPending(false)}
        variant="default"
        fullWidth
        leftSection={<IconBrandDiscord size={20} aria-hidden="true" />}
      >
        Sign in with Discord
      </Button>
    </div>
  );
}
