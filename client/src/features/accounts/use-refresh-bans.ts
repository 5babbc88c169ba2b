import { trpc } from '#client/lib/trpc.ts';

/** Refetches what a ban changes, the lists first, because the focus returns to one of their buttons. */
export function useRefreshBans(): () => Promise<void> {
  const utils = trpc.useUtils();
  return async () => {
    void utils.admin.audit.invalidate();
    void utils.admin.pilot.invalidate();
    void utils.admin.community.waiting.invalidate();
    await Promise.all([utils.admin.users.invalidate(), utils.admin.bans.invalidate()]);
  };
}
