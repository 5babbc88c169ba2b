/**
 * The maintenance job, which runs every minute: releases stale job locks, enqueues work that has no job, records the webhook
 * events that the clock causes, erases accounts whose owners have asked for it, stores the looks of new call signs, and drops what no roster and no mission
 * needs.
 */
import { eraseDueAccounts } from '#server/accounts/erase-account.ts';
import { storeNewLooks } from '#server/accounts/look-alikes.ts';
import { dropOldRosterChanges } from '#server/availability/roster-changes.ts';
import { enqueueOverdueDeliveries } from '#server/signals/outbox.ts';
import { enqueueMissedBackfills } from '#server/orders/pilot-backfill.ts';
import { removeForgottenFiles } from '#server/missions/mission-file/mission-files.ts';
import { releaseStaleJobs } from '#server/signals/jobs.ts';
import { recordMissionMoments } from '#server/delivery/webhooks/mission-moments.ts';
import { runSteps, type StepParts } from './steps.ts';

/** No job takes nearly this long: one that has been locked for longer belongs to a worker that was killed. */
const JOB_SECONDS_MAX = 60;

/** Safe to run at any time and on any replica. */
export const runMaintenance = (parts: StepParts, now: Date): Promise<void> =>
  runSteps(parts, 'maintenance', {
    'Restarting interrupted jobs': (em) => releaseStaleJobs(em, JOB_SECONDS_MAX),
    'Filling free seats': (em) => enqueueMissedBackfills(em, now),
    'Sending email, notifications, webhooks and Discord messages': enqueueOverdueDeliveries,
    'Recording events for webhooks': (em) => recordMissionMoments(em, now),
    'Erasing accounts': (em) => eraseDueAccounts(em, now),
    'Comparing call signs': storeNewLooks,
    'Deleting old changes of rosters': dropOldRosterChanges,
    'Deleting unused mission files': (em) => removeForgottenFiles(em, now),
  });
