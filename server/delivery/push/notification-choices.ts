/** Notification settings of a pilot. Frag orders always reach the inbox, whatever the settings. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import type { User } from '#server/schema/user.ts';
import type { NotificationChoicesDto, setNotificationsInput } from '#shared/schemas/profile.ts';
import { findUser } from '#server/accounts/users.ts';

function present(user: User): NotificationChoicesDto {
  const { notifyOrders, notifyChanges, wantsGlobalEvents, emailOrders, emailChanges, emailRequests, emailDigest } =
    user;
  const { reminderMinutes, remindByDiscord, remindByPush, remindByEmail } = user;
  return {
    notifyOrders,
    notifyChanges,
    wantsGlobalEvents,
    emailOrders,
    emailChanges,
    emailRequests,
    emailDigest,
    reminderMinutes: reminderMinutes.toSorted((a, b) => b - a),
    remindByDiscord,
    remindByPush,
    remindByEmail,
  };
}

/** Unknown id: 404. */
export async function getNotificationChoices(em: Em, userId: string): Promise<NotificationChoicesDto> {
  return present(await findUser(em, userId));
}

/** Set the choices; those that may be left out stay as they are. Unknown id: 404. */
export async function setNotificationChoices(
  em: Em,
  { id, ...choices }: z.infer<typeof setNotificationsInput>,
  now: Date,
): Promise<NotificationChoicesDto> {
  const { reminderMinutes: minutes } = choices;
  return transact(em, async (tx) => {
    const user = await findUser(tx, id);
    // lead times that are over when they are chosen are not made up for
    if (minutes && new Set(minutes).symmetricDifference(new Set(user.reminderMinutes)).size > 0)
      user.remindersSetAt = now;
    Object.assign(user, Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined)));
    return present(user);
  });
}
