/**
 * Rows that make every operation succeed at least once: drafts to publish, a mission to cancel, swaps to answer, an account
 * without a password. A row is used up by the call that needs it, so each operation has its own.
 */
import { addressHash } from '#server/delivery/mail/mail-links.ts';
import { query, sql } from '#server/schema/query.ts';
import { SLOT_REQUEST } from '#tests/api/http/community-operations.ts';
import { givenWorld, type World } from '#tests/api/http/operations.ts';
import { calendarOf, type CalendarServer } from '#tests/harness/calendar-server.ts';
import { givenPilot, orderOf } from '#tests/harness/orders.ts';
import { givenMission, givenPerson, hoursFromNow, PASSWORD, type Person } from '#tests/harness/given.ts';
import { writeMission } from '#tests/harness/mission-file.ts';
import { upload } from '#tests/harness/mission-files.ts';
import { propose, vipers } from '#tests/harness/seats.ts';
import { readSeries } from '#tests/harness/series.ts';
import { createClient, type Service } from '#tests/harness/service.ts';
import { givenSecondFactorReach } from './second-factor-reach.ts';

type Input = Record<string, unknown>;

export interface Reach {
  world: World;
  /**
   * one input for each of these operations that succeeds, once; `as` is the caller, if it is not the subject, and `cookie` what
   * the browser has besides the session
   */
  once: Readonly<Record<string, { input: Input | (() => Input); as?: string; cookie?: string }>>;
}

/** @param calendars without it the calls that read a calendar are refused */
export async function givenReach(service: Service, calendars?: CalendarServer): Promise<Reach> {
  const world = await givenWorld(service);
  const { admin, self, subject } = world;
  const mate = await givenPilot(service);
  const em = service.app.orm.em.fork();
  /** Days apart, so that no two missions of a pilot overlap. */
  let day = 20;
  const given = async (request: Parameters<typeof givenMission>[2] = {}) => {
    day += 1;
    const times = { startLocal: hoursFromNow(24 * day), endLocal: hoursFromNow(24 * day + 2) };
    const { mission } = await givenMission(service, admin, { ...times, ...request });
    const board = await admin.client.call('GET', `/admin/missions/${mission.id}`);
    const flightId = String(board.body.packages[0].flights[0].id);
    return { id: mission.id, flightId, ...times };
  };
  /** Both pilots accept their seats. */
  const givenPair = async () => {
    const { id, startLocal, endLocal } = await given({ aircraftSlots: vipers(2) });
    const accept = async ({ client }: Person) => {
      const inbox = await client.call('GET', '/pilot/inbox');
      const order = inbox.body.find(({ missionId }: { missionId: string }) => missionId === id);
      await client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'accepted' });
      return String(order.id);
    };
    return { startLocal, endLocal, own: await accept(self), theirs: await accept(mate) };
  };

  const [fresh, theirs, mine] = [await givenPair(), await givenPair(), await givenPair()];
  const proposed = await propose(mate, theirs.theirs, theirs.own);
  const withdrawable = await propose(self, mine.own, mine.theirs);
  // from here on the subject is the only candidate, because ties between pilots are broken by ids, which twins do not share:
  // the other pilot is free for these missions only
  await query(em, sql`update availability_template set is_active = false where user_id = ${mate.id}`);
  for (const { startLocal, endLocal } of [fresh, theirs, mine]) {
    const times = { startLocal: startLocal.slice(11), endLocal: endLocal.slice(11) };
    const free = { dateLocal: startLocal.slice(0, 10), kind: 'available', ...times };
    await mate.client.call('POST', `/users/${mate.id}/availability/overrides`, free);
  }

  const soon = await given({ startLocal: hoursFromNow(3), endLocal: hoursFromNow(5) });
  const draft = async () => given({ publish: false });

  /** A draft with a mission file, and a changed file for it. */
  const filed = async () => {
    const { id: missionFileId } = await upload(service, admin, writeMission());
    const { id } = await given({ missionFileId, publish: false });
    const { id: fileId } = await upload(service, admin, writeMission({ sortie: 'Changed' }));
    await query(em, sql`update mission_file set uploaded_by_id = ${subject.id} where id = ${fileId}`);
    return { id, fileId };
  };

  const keptOf = await draft();
  const kept = await admin.client.call('POST', '/admin/mission-templates', { missionId: keptOf.id, name: 'Old' });
  const ending = await admin.client.call('POST', '/admin/series', { missionId: keptOf.id });
  const skipping = await admin.client.call('POST', '/admin/series', { missionId: (await draft()).id });
  const [skipped] = (await readSeries(admin, skipping.body.id)).occurrences;
  const repeated = await draft();
  await admin.client.call('POST', '/admin/series', { missionId: repeated.id });

  const talked = await given();
  const comments = [];
  for (const text of ['First', 'Second']) {
    comments.push(await self.client.call('POST', `/missions/${talked.id}/thread`, { text }));
  }
  const [edited, deleted] = comments.map(({ body }) => ({ id: talked.id, commentId: String(body.id) }));
  const removed = await given();
  const noticed = await orderOf(self);
  await admin.client.call('DELETE', `/admin/missions/${removed.id}/seats/${removed.flightId}/0`);
  const held = await given();
  const seated = await given();
  const open = await given();
  await query(em, sql`delete from frag_order where mission_id = ${open.id}`);
  // the other pilot holds its only seat, and the subject has no order
  const taken = await given();
  await query(
    em,
    sql`with handed as (update frag_order set pilot_id = ${mate.id}, rsvp = 'accepted', accepted_at = now()
          where mission_id = ${taken.id})
        update seat set pilot_id = ${mate.id} where mission_id = ${taken.id}`,
  );
  const over = await given();
  const flown = await orderOf(self);
  await self.client.call('POST', `/pilot/inbox/${flown.id}/rsvp`, { response: 'accepted' });
  await query(
    em,
    sql`with begun as (update mission set starts_at = now() - interval '900 days', ends_at = now() - interval '899 days'
          where id = ${over.id})
        update seat set starts_at = now() - interval '900 days', ends_at = now() - interval '899 days'
        where mission_id = ${over.id}`,
  );
  await query(
    em,
    sql`insert into presence (id, mission_id, source, name, unit, from_at, to_at, created_at)
        values (gen_random_uuid(), ${over.id}, 'tacview', 'Vesper', '', now() - interval '1 hour', now(), now())`,
  );
  const leaver = await givenPerson(service);
  const offender = await givenPerson(service);
  const ban = await admin.client.call('POST', '/admin/bans', {
    email: 'lifted@example.org',
    label: 'Lifted',
    reason: 'Abuse',
  });
  const newcomer = await givenPerson(service);
  await query(em, sql`update app_user set password_hash = null where id = ${newcomer.id}`);
  await query(
    em,
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
        values ('900800700600500400', ${subject.id}, 'self', now())`,
  );
  // of somebody whose sessions and tokens no other call ends
  await createClient(service).call('POST', '/auth/login', { email: mate.email, password: PASSWORD });
  const sessions = await mate.client.call('GET', '/auth/sessions');
  const session = sessions.body.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const token = await mate.client.call('POST', `/users/${mate.id}/tokens`, {
    name: 'Old',
    scopes: ['read'],
    expiresAt,
  });
  const week = { name: 'Old', isActive: false, slots: [] };
  const template = await self.client.call('POST', `/users/${self.id}/availability/templates`, week);
  const hook = { url: 'https://marshal.receiver.invalid/old', events: ['order.issued'] };
  const webhook = await admin.client.call('POST', '/admin/webhooks', hook);
  const type = { code: 'La-5', name: 'La-5 FN', seats: 1, roles: ['CAP'] };
  const aircraft = await admin.client.call('POST', '/admin/aircraft', type);
  const practice = await admin.client.call('POST', '/admin/practice-missions');
  const preview = await admin.client.call('POST', '/admin/users/import/preview', { text: 'Email\nnew@example.org' });
  const [{ row, digest, cells }] = preview.body.rows;
  for (const [place, { id }] of [await givenPerson(service), await givenPerson(service)].entries()) {
    await query(
      em,
      sql`insert into sign_in_link (token_hash, user_id, purpose, created_at, expires_at)
          values (encode(sha256(${`password-link-${place}`}::text::bytea), 'hex'), ${id}, 'set_password', now(),
                  now() + interval '1 day')`,
    );
  }
  // for one aircraft, because the calls below change the list of those that the subject flies
  await query(
    em,
    sql`update availability_slot as s set aircraft_id = 2 from availability_template as t
        where t.id = s.template_id and t.user_id = ${subject.id}`,
  );
  const { mailLinks } = service.app;
  const expiresMs = Date.now() + 86_400_000;
  const verifyUrl = mailLinks.verifyUrl({ userId: mate.id, addressHash: addressHash(mate.email), expiresMs });
  const unsubscribeUrl = mailLinks.unsubscribeUrl({ choice: 'orders', subject: mate.id });
  const linkTokenOf = (url: string) => String(url.split('/').at(-1));
  // the one of the operations may have been revoked
  const { body: success } = await createClient(service).call('POST', '/slot-requests', SLOT_REQUEST);
  if (success?.success !== true) throw new Error('the request for a slot was refused');
  const requests = await admin.client.call('GET', '/admin/slot-requests');
  const invite = await admin.client.call('POST', '/admin/invites', { name: 'By email' });

  return {
    world,
    once: {
      ...(await givenSecondFactorReach(service)),
      ...(calendars && (await givenCalendarReach(self, calendars))),
      'auth.setCredentials': {
        input: { email: 'newcomer@example.org', password: PASSWORD, confirmPassword: PASSWORD },
        as: newcomer.id,
      },
      'auth.passwordLink': { input: { token: 'password-link-0' } },
      'auth.setPassword': {
        input: { token: 'password-link-1', password: PASSWORD, confirmPassword: PASSWORD },
      },
      'admin.bans.banAccount': { input: { id: offender.id, reason: 'Abuse' } },
      'admin.bans.lift': { input: { id: ban.body[0].id } },
      'admin.community.dismissRequest': { input: { id: requests.body.requests[0].id } },
      'admin.passwordLinks': { input: { ids: [mate.id] } },
      'admin.mail.sendPasswordLinks': { input: { ids: [mate.id] } },
      'admin.mail.sendInvite': { input: { id: invite.body.id, addresses: ['recruit@example.org'] } },
      'pilot.mail.verify': { input: { token: linkTokenOf(verifyUrl) } },
      'pilot.mail.setSubscription': {
        input: { token: linkTokenOf(unsubscribeUrl), isWanted: false },
      },
      'admin.mission.removePractice': { input: { id: practice.body.mission.id } },
      'admin.spreadsheet.import': {
        input: { importId: '0192c0de-0000-7000-8000-0000000000c1', rows: [{ row, digest, cells }] },
      },
      'auth.requestDeletion': { input: { currentPassword: PASSWORD }, as: leaver.id },
      'auth.confirmSession': { input: { id: session.id }, as: mate.id },
      'auth.endSession': { input: { id: session.id }, as: mate.id },
      'auth.tokens.revoke': { input: { id: mate.id, tokenId: token.body.id }, as: mate.id },
      'availability.removeTemplate': { input: { id: self.id, templateId: template.body.id } },
      'admin.removeRole': { input: { id: mate.id, role: 'user' } },
      'admin.aircraft.remove': { input: { id: aircraft.body.id } },
      'admin.webhooks.remove': { input: { id: webhook.body.id } },
      'pilot.setDiscord': { input: { id: subject.id, wantsOrders: false } },
      'pilot.seats.take': { input: { missionId: open.id, flightId: open.flightId, seatIndex: 0 } },
      'pilot.seats.joinStandby': { input: { id: taken.id } },
      'pilot.seats.leaveStandby': { input: { id: taken.id } },
      'pilot.swaps.propose': { input: { id: fresh.own, withOrderId: fresh.theirs } },
      'pilot.swaps.answer': { input: { id: proposed.body.id, response: 'agreed' } },
      'pilot.swaps.withdraw': { input: { id: withdrawable.body.id } },
      'pilot.thread.edit': { input: { ...edited, text: 'Edited' } },
      'pilot.thread.remove': { input: { ...deleted } },
      'pilot.closeNotice': { input: { id: noticed.id } },
      'admin.missionTemplates.remove': { input: { id: kept.body.id } },
      'admin.series.adopt': { input: { missionId: repeated.id, scope: 'all' } },
      'admin.series.skip': { input: { id: skipping.body.id, date: skipped?.date } },
      'admin.series.end': { input: { id: ending.body.id, cancelPublished: false } },
      'admin.mission.fileChanges': { input: await filed() },
      'admin.mission.applyFile': { input: await filed() },
      'admin.mission.publish': { input: { id: (await draft()).id } },
      'admin.mission.publishWeek': { input: { missionIds: [(await draft()).id] } },
      'admin.mission.cancel': { input: { id: (await given()).id } },
      'admin.mission.applySeats': { input: { id: seated.id, changes: [{ userId: self.id, to: null }] } },
      'admin.slots.get': { input: { id: soon.id } },
      'admin.mission.nudge': { input: { id: seated.id, about: 'unanswered' } },
      'admin.mission.removePilot': { input: { id: held.id, flightId: held.flightId, seatIndex: 0 } },
      'admin.mission.recordAttendance': {
        input: { id: over.id, attendance: [{ orderId: flown.id, attendance: 'attended' }] },
      },
      'admin.mission.decideAttendance': { input: { id: over.id, decision: 'dismissed' } },
      'admin.mission.setGameName': { input: { id: over.id, name: 'Vesper', userId: self.id } },
      'admin.resetPassword': { input: { id: mate.id, newPassword: PASSWORD } },
    },
  };
}

/** A calendar to add, and one to read again. The service has to have `CALENDARS_ALLOW_PRIVATE`. */
async function givenCalendarReach({ client }: Person, calendars: CalendarServer): Promise<Reach['once']> {
  for (const name of ['new.ics', 'kept.ics']) calendars.serve(name, calendarOf([]));
  const kept = await client.call('POST', '/pilot/busy-calendars', { url: calendars.url('kept.ics') });
  return {
    'availability.calendars.add': { input: { url: calendars.url('new.ics') } },
    'availability.calendars.refresh': { input: { calendarId: kept.body.id } },
  };
}
