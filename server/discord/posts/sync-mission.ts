/** Sync of everything that Discord shows about a mission. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { takeNamedLock } from '#server/platform/transaction.queries.ts';
import { queueMissionEvents } from './mission-events.ts';
import { loadPublicMission } from './mission-facts.ts';
import { queueMissionCards } from './mission-cards.ts';
import { queueMissionThreads } from './mission-threads.ts';
import { DAY_MS } from '#server/time/time.ts';
import { standsOrIsSent } from './posts.ts';
import { queueNews, refreshNews } from './news.ts';
import { enqueuePilotSyncs } from '#server/signals/discord-jobs.ts';

/** Sync the cards of all pilots, since they show the mission and its times. */
async function enqueueCardSyncs(tx: Em, missionId: string): Promise<void> {
  const pilots = await db(tx)
    .selectFrom('frag_order as f')
    .select('f.pilot_id as id')
    .distinct()
    .where('f.mission_id', '=', missionId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('discord_post as o')
          .where('o.kind', '=', 'order')
          .where(({ eb, cast }) => eb('o.subject_id', '=', cast<string>('f.id', 'text')))
          .where(standsOrIsSent),
      ),
    )
    .execute();
  await enqueuePilotSyncs(
    tx,
    pilots.map(({ id }) => id),
  );
}

/**
 * Queue the updates for a mission: its cards in the servers and their threads, scheduled events, news, and the messages about its orders. Writes only outbox rows and jobs.
 * @param isNew the mission has just been published
 * @param publicUrl origin of the site
 */
export async function syncMission(
  em: Em,
  { missionId, isNew }: { missionId: string; isNew: boolean },
  publicUrl: string,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    // one job per mission at a time
    await takeNamedLock(tx, `discord-mission:${missionId}`);
    const mission = await loadPublicMission(tx, missionId);
    if (!mission) return;
    await queueMissionThreads(tx, mission, now);
    if (mission.endMs + DAY_MS <= now.getTime()) return;
    await queueMissionCards(tx, mission, publicUrl, now);
    await queueMissionEvents(tx, mission, publicUrl, now);
    if (isNew) await queueNews(tx, mission, publicUrl, now);
    else await refreshNews(tx, mission, now);
    await enqueueCardSyncs(tx, missionId);
  });
}
