/** What a pilot wants to be told outside the page. Frag orders reach the inbox whatever is chosen here. */
import type { z } from 'zod';
import type { Em } from '#server/db/orm.ts';
import { User } from '#server/db/user.ts';
import { AppError } from '#server/errors.ts';
import { copy } from '#shared/copy.ts';
import type { NotificationChoicesDto, setNotificationsInput } from '#shared/schemas/profile.ts';

async function findUser(em: Em, id: string): Promise<User> {
  const user = await em.findOne(User, { id });
  if (!user) throw new AppError(404, copy.userNotFound);
  return user;
}

function present({ notifyOrders, notifyChanges, wantsGlobalEvents }: User): NotificationChoicesDto {
  return { notifyOrders, notifyChanges, wantsGlobalEvents };
}

/** Unknown id: 404. */
export async function getNotificationChoices(em: Em, userId: string): Promise<NotificationChoicesDto> {
  return present(await findUser(em, userId));
}

/** All three at once. Unknown id: 404. */
export async function setNotificationChoices(
  em: Em,
  { id, ...choices }: z.infer<typeof setNotificationsInput>,
): Promise<NotificationChoicesDto> {
  const user = await findUser(em, id);
  Object.assign(user, choices);
  await em.flush();
  return present(user);
}
