/** Every route of the product, its access, and data for all of them. */
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { givenMissionIn, orderOf, respond } from '#tests/harness/orders.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import type { Service } from '#tests/harness/service.ts';
import { givenInvite, INVITE_ID } from '#tests/api/http/community-operations.ts';
import { addressHash } from '#server/delivery/mail/mail-links.ts';
import { localDate } from '#shared/clock.ts';
import { givenWebhook, WEBHOOK_ID } from '#tests/api/http/webhook-operations.ts';

/** placeholder for the id of the admin's own frag order, which exists once the service runs */
const ORDER = '{orderId}';
/** for the id of an accepted order with a swap proposal by another pilot */
const SWAP = '{swapOrderId}';
/** for the id of a mission in which the admin has a seat */
const MISSION = '{missionId}';
/** and for the id of a pilot */
const PILOT = '{userId}';
/** and for the date of a mission: a title with a date in it would change while the tests run */
const DATE = '{date}';
/** for the token of a link to set a password */
const PASSWORD_LINK = '{passwordLink}';
/** for the tokens of links in emails */
const UNSUBSCRIBE = '{unsubscribe}';
const VERIFY = '{verify}';
/** for the id of a webhook that has got an event */
const WEBHOOK = '{webhookId}';

export interface Route {
  path: string;
  access: 'public' | 'signedIn' | 'admin';
  /** text that is shown once the data is loaded */
  shows?: string;
}
/** The specification's route table, and where a visitor and a pilot without the admin role end up. */
export const ROUTES: readonly Route[] = [
  { path: '/', access: 'public' },
  { path: '/login', access: 'public' },
  { path: '/forgot-password', access: 'public' },
  { path: '/register/account', access: 'public' },
  { path: '/demo', access: 'public' },
  { path: '/discord/registration', access: 'public' },
  { path: '/discord/registration/success', access: 'public' },
  { path: '/sign-in/none', access: 'public' },
  { path: '/join/none', access: 'public' },
  { path: `/email/unsubscribe/${UNSUBSCRIBE}`, access: 'public', shows: 'You no longer get' },
  { path: `/email/verify/${VERIFY}`, access: 'public', shows: 'Your address is verified.' },
  { path: `/set-password/${PASSWORD_LINK}`, access: 'public' },
  { path: '/register/profile', access: 'signedIn' },
  { path: '/register/preferences', access: 'signedIn' },
  { path: '/register/status', access: 'signedIn' },
  { path: '/home', access: 'signedIn', shows: 'Op Open Sky' },
  { path: '/availability', access: 'signedIn' },
  { path: '/profile/me', access: 'signedIn', shows: 'Call Sign' },
  { path: '/profile/aircraft', access: 'signedIn', shows: 'No aircraft yet' },
  { path: '/profile/notifications', access: 'signedIn', shows: 'New frag orders' },
  { path: '/profile/calendar', access: 'signedIn', shows: 'there is no link' },
  { path: '/profile/security', access: 'signedIn', shows: 'Signed in with a password' },
  { path: '/profile/developer', access: 'signedIn', shows: 'You have no tokens' },
  { path: '/profile/data', access: 'signedIn', shows: 'Download your data' },
  { path: '/profile/record', access: 'signedIn', shows: 'likely to show up' },
  { path: '/credentials', access: 'signedIn' },
  { path: `/orders/${ORDER}`, access: 'signedIn' },
  { path: '/missions', access: 'signedIn', shows: 'Op Iron Hound' },
  { path: '/missions?by=month', access: 'signedIn' },
  { path: `/missions/${MISSION}`, access: 'signedIn', shows: 'Comm ladder' },
  { path: `/orders/${SWAP}`, access: 'signedIn', shows: 'asks to swap seats with you' },
  { path: '/admin', access: 'admin', shows: 'Best hour' },
  { path: `/admin/dashboard?day=${DATE}`, access: 'admin', shows: 'Op Iron Hound' },
  { path: '/admin/users', access: 'admin', shows: 'Ops' },
  { path: '/admin/users?list=bans', access: 'admin', shows: 'Harassed other pilots' },
  { path: '/admin/users/import', access: 'admin', shows: 'Choose a file, or drop it here' },
  { path: `/admin/users/${PILOT}/availability`, access: 'admin', shows: 'Any Aircraft' },
  { path: '/admin/aircraft', access: 'admin', shows: 'F-16C Viper' },
  { path: '/admin/series', access: 'admin', shows: 'to be published' },
  { path: '/admin/audit', access: 'admin', shows: 'Created the mission' },
  { path: `/admin/webhooks?log=${WEBHOOK}`, access: 'admin', shows: 'Delivered' },
  { path: `/admin/invites?invite=${INVITE_ID}`, access: 'admin', shows: 'Nobody has joined' },
  { path: '/admin/settings', access: 'admin', shows: 'Community name' },
  { path: '/admin/backups', access: 'admin', shows: 'How to restore' },
  { path: '/admin/missions', access: 'admin', shows: 'Aircraft Slots' },
  { path: `/admin/missions/${DATE}`, access: 'admin', shows: 'Op Iron Hound' },
  { path: `/admin/missions/board/${MISSION}`, access: 'admin', shows: 'Nobody is told before you apply' },
  { path: '/admin/discord/guilds', access: 'admin', shows: 'Lantern Wing' },
  { path: '/admin/discord/guilds/1', access: 'admin', shows: 'ember' },
];

export interface RoutesWorld {
  admin: Person;
  pilot: Person;
  /** the address of a route */
  addressOf: (path: string) => string;
}

/** The zone of the admin, so that pages show local times beside Zulu. */
const ROUTES_ZONE = 'Europe/Berlin';

/** The data that all routes need. */
export async function givenRoutes(service: Service): Promise<RoutesWorld> {
  const admin = await givenAdmin(service, ROUTES_ZONE);
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin' });
  await givenAlwaysFree(service, pilot.id);
  await givenAlwaysFree(service, admin.id);
  await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  await givenGuild(service, '1', {
    name: 'Lantern Wing',
    memberCount: 312,
    channels: [{ name: 'ops', topic: 'Where missions are posted', isNsfw: true, can: ['send', 'embed'] }],
    members: [{ name: 'ember', userId: pilot.id, isModerator: true }, { name: 'zephyr' }],
    events: [['announcement_failed', 'ops', 'Missing permission: Embed Links']],
  });
  const startLocal = hoursFromNow(30);
  const endLocal = hoursFromNow(33);
  const { mission } = await givenMission(service, admin, {
    startLocal,
    endLocal,
    aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' }],
  });
  const [{ id: orderId }] = (await admin.client.call('GET', '/pilot/inbox')).body;
  const swapOrderId = await givenHomeNews(service, admin, pilot);
  await admin.client.call('POST', '/admin/series', { templateId: 'starter-strike', publishDays: 2 });
  await givenWebhook(service);
  await givenInvite(service);
  const ban = { email: 'banned@example.org', label: 'Rookie', reason: 'Harassed other pilots' };
  await admin.client.call('POST', '/admin/bans', ban);
  const {
    body: [link],
  } = await admin.client.call('POST', '/admin/users/password-links', { ids: [pilot.id] });
  const { mailLinks } = service.app;
  const expiresMs = Date.now() + 86_400_000;
  const lastPart = (url: string) => String(new URL(url).pathname.split('/').at(-1));
  const values = {
    [ORDER]: orderId,
    [MISSION]: mission.id,
    [SWAP]: swapOrderId,
    [PILOT]: pilot.id,
    [DATE]: localDate(`${startLocal}Z`, ROUTES_ZONE),
    [WEBHOOK]: WEBHOOK_ID,
    [PASSWORD_LINK]: lastPart(link.url),
    [UNSUBSCRIBE]: lastPart(mailLinks.unsubscribeUrl({ choice: 'changes', subject: pilot.id })),
    [VERIFY]: lastPart(mailLinks.verifyUrl({ userId: pilot.id, addressHash: addressHash(pilot.email), expiresMs })),
  };
  const addressOf = (path: string): string =>
    Object.entries(values).reduce((address, [placeholder, value]) => address.replace(placeholder, value), path);
  return { admin, pilot, addressOf };
}

/** A mission of two seats, some hours from now, that both pilots have answered. @returns their order ids */
async function givenAnswered(
  service: Service,
  admin: Person,
  pilot: Person,
  { name, hours, response }: { name: string; hours: number; response: string },
): Promise<{ id: string; mine: string; theirs: string }> {
  const { mission } = await givenMissionIn(service, admin, hours, {
    name,
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  const orders: string[] = [];
  for (const person of [admin, pilot]) {
    const order = await orderOf(person);
    await respond(person, order, response);
    orders.push(order.id);
  }
  const [mine = '', theirs = ''] = orders;
  return { id: mission.id, mine, theirs };
}

/** Further content of a home page: a notice, a swap that the pilot requests, open seats, missions without one. */
async function givenHomeNews(service: Service, admin: Person, pilot: Person): Promise<string> {
  const given = (name: string, hours: number, response: string) =>
    givenAnswered(service, admin, pilot, { name, hours, response });
  const calledOff = await given('Op Dry Thunder', 90, 'accepted');
  await admin.client.call('POST', `/admin/missions/${calledOff.id}/cancel`);
  const traded = await given('Op Trade Wind', 100, 'accepted');
  await pilot.client.call('POST', `/pilot/inbox/${traded.theirs}/swaps`, { withOrderId: traded.mine });
  await given('Op Open Sky', 110, 'declined');
  await givenMissionIn(service, admin, 101, { name: 'Op Same Time' });
  return traded.mine;
}
