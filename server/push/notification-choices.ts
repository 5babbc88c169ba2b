/** Notification settings of a pilot. Frag orders always reach the inbox, whatever the settings. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import type { User } from '#server/schema/user.ts';
import type { NotificationChoicesDto, setNotificationsInput } from '#shared/schemas/profile.ts';
import { findUser } from '#server/accounts/users.ts';

function present(user: User): NotificationChoicesDto {
  const { notifyOrders, notifyChanges, wantsGlobalEvents, emailOrders, emailChanges, emailRequests } = user;
  return { notifyOrders, notifyChanges, wantsGlobalEvents, emailOrders, emailChanges, emailRequests };
}

/** Unknown id: 404. */
export async function getNotificationChoices(em: Em, userId: string): Promise<NotificationChoicesDto> {
  return present(await findUser(em, userId));
}

/** Set the choices; those for email stay as they are unless they are given. Unknown id: 404. */
export async function setNotificationChoices(
  em: Em,
  { id, ...choices }: z.infer<typeof setNotificationsInput>,
): Promise<NotificationChoicesDto> {
  const user = await findUser(em, id);
  Object.assign(user, Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined)));
  await em.flush();
  return present(user);
}
