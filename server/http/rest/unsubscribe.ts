/**
 * One-click unsubscribing (RFC 8058): the mail program posts to the address of `List-Unsubscribe`, without cookies and from no
 * origin. The signed token of the address is all that it needs; what the request carries besides is not read.
 */
import type { RequestHandler } from 'express';
import type { App } from '#server/http/context.ts';
import { setSubscription } from '#server/delivery/mail/subscriptions.ts';

/** @param app with the key that signs the links */
export function createUnsubscribeRoute({ orm, mailLinks }: Pick<App, 'orm' | 'mailLinks'>): RequestHandler {
  return async (request, response) => {
    const token = String(request.params['token']);
    await setSubscription(orm.em.fork(), mailLinks, { token, isWanted: false }, new Date());
    response.type('text').send('Unsubscribed.\n');
  };
}
