/** The purge job, which runs every hour: deletes what is no longer needed. */
import { purgeDeclined } from '#server/accounts/approvals.ts';
import { purgeInvites } from '#server/accounts/invites.ts';
import { purgeLeaves } from '#server/accounts/leave.ts';
import { purgeSecondFactors } from '#server/accounts/second-factor/pending-sign-ins.ts';
import { purgeSignInLinks } from '#server/accounts/sign-in-links.ts';
import { purgeSlotRequests } from '#server/accounts/slot-requests.ts';
import { purgeGuildHistory } from '#server/discord/guilds/guilds.ts';
import { purgeOldGuilds } from '#server/discord/guilds/guild-sync.ts';
import { purgePosts } from '#server/discord/posts/posts.ts';
import type { App } from '#server/http/context.ts';
import { purgeDeliveries } from '#server/signals/outbox.ts';
import { purgeIdempotencyKeys } from '#server/platform/idempotency.ts';
import { purgeAttempts } from '#server/platform/attempts.ts';
import { purgeAudit } from '#server/signals/audit.ts';
import { runSteps } from './steps.ts';

/** Safe to run at any time and on any replica. */
export const runPurge = (app: App): Promise<void> =>
  runSteps(app, 'purge', {
    'Deleting expired sessions': () => app.sessions.purgeExpired(),
    'Deleting counted attempts': purgeAttempts,
    'Shortening the audit log': (em) => purgeAudit(em, app.env.AUDIT_KEEP_DAYS),
    'Deleting idempotency keys': purgeIdempotencyKeys,
    'Deleting the history of Discord servers': (em) => purgeGuildHistory(em, new Date()),
    'Deleting old Discord servers': purgeOldGuilds,
    'Deleting sign-in links': purgeSignInLinks,
    'Deleting unfinished sign-ins': purgeSecondFactors,
    'Deleting old Discord messages': purgePosts,
    'Deleting old deliveries': purgeDeliveries,
    'Deleting declined accounts': purgeDeclined,
    'Deleting old invites': purgeInvites,
    'Deleting old requests of visitors': purgeSlotRequests,
    'Deleting old leaves': (em) => purgeLeaves(em, new Date()),
  });
