/** Rows that an account owns: the input of calls that create them, admins with many missions, and counts. */
import { createECDH, randomBytes } from 'node:crypto';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import type { Service } from '#tests/harness/service.ts';

type Statement<Row> = Parameters<typeof query<Row>>[1];

export const rowsIn = <Row>({ app }: Service, statement: Statement<Row>): Promise<Row[]> =>
  query<Row>(app.orm.em.fork(), statement);

/** Counts the rows of a table; `of` can have a condition. */
export const countIn = (service: Service, of: Statement<unknown>) => async (): Promise<number> => {
  const [row] = await rowsIn<{ count: number }>(service, sql`select count(*)::int as count from ${of}`);
  return row?.count ?? Number.NaN;
};

/** An admin who owns some missions of one hour, a day apart. */
export async function givenOwner(service: Service, missions: number, status: 'draft' | 'scheduled'): Promise<Person> {
  const admin = await givenAdmin(service);
  await rowsIn(
    service,
    sql`insert into mission (id, name, theater, status, starts_at, ends_at, time_zone, created_by_id, created_at, updated_at)
        select gen_random_uuid(), 'Op ' || n, 'Syria', ${status}, now() + n * interval '1 day',
               now() + n * interval '1 day' + interval '1 hour', 'UTC', ${admin.id}, now(), now()
        from generate_series(1, ${sql.lit(missions)}) as n`,
  );
  return admin;
}

/** A date this many days after the start of 2090. */
export const dayOf = (days: number): string =>
  new Date(Date.UTC(2090, 0, 1) + days * 86_400_000).toISOString().slice(0, 10);

/** A mission of one seat; missions of different indexes do not overlap. */
export const missionInput = (index: number, publish: boolean): Record<string, unknown> => ({
  name: `Op ${index}`,
  theater: 'Syria',
  startLocal: hoursFromNow(30 + 4 * index),
  endLocal: hoursFromNow(32 + 4 * index),
  timeZone: 'UTC',
  aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
  publish,
});

/** A push subscription as Firefox would make it. */
export function subscriptionInput(index: number): { endpoint: string; keys: Record<'p256dh' | 'auth', string> } {
  const pair = createECDH('prime256v1');
  return {
    endpoint: `https://updates.push.services.mozilla.com/wpush/v2/device-${index}`,
    keys: { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
  };
}

/** Calls that create an account or something public, with the limit that they have instead of a cap. */
export const STOPPED_OTHERWISE: Record<string, string> = {
  'auth.register':
    'the limit on attempts from one address (attempts of each address are in tests/api/http/headers.test.ts)',
  'auth.redeemSignInLink': 'one session for each link, of which there are at most 20 (tests/security/cap-room.test.ts)',
  'auth.setPassword':
    'one session for each link, of which an account has one (tests/api/accounts/password-links.test.ts)',
  'auth.secondFactor.finish':
    'one session for each waiting sign-in; at most 20 remembered devices (tests/api/accounts/remembered-devices.test.ts)',
  'auth.secondFactor.beginAuthenticator': 'one app of an account (tests/api/accounts/authenticator.test.ts)',
  'auth.secondFactor.beginPasskey': 'one question of a session, in place of the one before (tests/ui/passkeys.test.ts)',
  'auth.secondFactor.addPasskey': 'at most 10 of an account (tests/ui/passkeys.test.ts)',
  'auth.requestSlot':
    'five a client in a quarter of an hour, at most 200 in an installation (tests/api/accounts/slot-requests.test.ts)',
  'auth.requestPassword':
    'three an address and ten a client in a quarter of an hour; rows are deleted after 7 days (tests/api/delivery/mail/password.test.ts)',
  'pilot.mail.sendVerification':
    'five a quarter of an hour; rows are deleted after 7 days (tests/api/delivery/mail/account-mail.test.ts)',
  'admin.mail.test':
    'five a quarter of an hour; rows are deleted after 7 days (tests/api/delivery/mail/account-mail.test.ts)',
  'admin.mail.sendInvite':
    'the write limit, with 50 addresses a call; rows are deleted after 7 days (tests/api/delivery/mail/account-mail.test.ts)',
  'admin.mail.sendPasswordLinks':
    'the write limit, one waiting email an account; rows are deleted after 7 days (tests/api/delivery/mail/account-mail.test.ts)',
  'admin.spreadsheet.import':
    'the write limit, with 100 accounts a call (tests/api/availability/spreadsheet/import.test.ts)',
  'auth.devToken': 'switched off unless a developer asks for it; its token replaces the one before',
  'discord.completeRegistration':
    'one account for each link, of which there are at most 20 (tests/security/cap-room.test.ts)',
  'discord.resendRegistration': 'one announcement a minute in each server (tests/api/discord/resend.test.ts)',
  'availability.calendars.add': 'at most 5 of a pilot (tests/api/availability/busy-calendars.test.ts)',
  'pilot.thread.add': 'at most 500 of a pilot on one mission (tests/api/missions/mission-thread.test.ts)',
  'admin.aircraft.create': 'at most 200 in an installation (tests/api/accounts/pilots/aircraft-types.test.ts)',
  'admin.community.createInvite': 'at most 100 open ones in an installation (tests/api/accounts/invites.test.ts)',
  'admin.community.sendMessage':
    'at most 3 within 24 hours in an installation (tests/discord/community-messages.test.ts)',
  'admin.backups.start': 'one at a time, of which BACKUP_KEEP stay (tests/api/backup/admin-backups.test.ts)',
  'admin.bans.add': 'at most 5,000 in an installation (tests/api/accounts/bans.test.ts)',
  'admin.bans.banAccount':
    'one ban of an account, of at most 5,000 in an installation (tests/api/accounts/bans.test.ts)',
  'admin.mission.applySeats':
    'at most 50 orders of a pilot in a mission, checked where a single one is assigned (tests/security/ownership-caps.test.ts)',
  'admin.missionTemplates.create': 'at most 2,000 in an installation (tests/api/missions/series/templates.test.ts)',
  'admin.series.create': 'at most 100 that go on in an installation (tests/api/missions/series/series.test.ts)',
  'admin.webhooks.create': 'at most 20 in an installation (tests/api/delivery/webhooks/delivery.test.ts)',
  'admin.webhooks.test':
    'the write limit; the log of deliveries is kept for 30 days (tests/api/delivery/webhooks/delivery.test.ts)',
  'admin.webhooks.replay':
    'the write limit; the log of deliveries is kept for 30 days (tests/api/delivery/webhooks/delivery.test.ts)',
};

/** Calls that add no rows of their own, or only a number that something else bounds. */
export const BOUNDED: Readonly<Record<string, { why: string }>> = {
  'auth.secondFactor.challenge': { why: 'one question of a waiting sign-in, in place of the one before' },
  'auth.secondFactor.confirmAuthenticator': { why: 'ten recovery codes, in place of the ones before' },
  'auth.secondFactor.removeAuthenticator': { why: 'removes' },
  'auth.secondFactor.renamePasskey': { why: 'one column of a passkey' },
  'auth.secondFactor.removePasskey': { why: 'removes' },
  'auth.secondFactor.renewRecoveryCodes': { why: 'ten codes, in place of the ones before' },
  'auth.secondFactor.forgetDevice': { why: 'removes' },
  'admin.resetSecondFactor': { why: 'removes' },
  'pilot.seats.leaveStandby': { why: 'one column of an order' },
  'pilot.swaps.answer': { why: 'the state of a swap' },
  'pilot.swaps.withdraw': { why: 'the state of a swap' },
  'pilot.thread.edit': { why: 'the text of a comment' },
  'pilot.thread.remove': { why: 'removes' },
  'pilot.closeNotice': { why: 'one column of an order' },
  'pilot.push.unsubscribe': { why: 'removes' },
  'pilot.push.test': { why: 'sends to the devices there are' },
  'availability.updateTemplate': { why: 'at most 84 slots, in place of the ones before' },
  'availability.saveWeek': { why: 'the slots of one template, which is created if there is none' },
  'availability.removeTemplate': { why: 'removes' },
  'availability.removeOverride': { why: 'removes' },
  'availability.setLeave': { why: 'one leave of a pilot, in place of the one before' },
  'availability.endLeave': { why: 'removes' },
  'admin.bans.lift': { why: 'removes' },
  'pilot.calendar.end': { why: 'removes' },
  'availability.calendars.refresh': { why: 'the times of one calendar, in place of the ones before' },
  'availability.calendars.remove': { why: 'removes' },
  'admin.mission.dryRun': { why: 'reads' },
  'admin.mission.weekPlan': { why: 'reads' },
  'admin.mission.publishWeek': { why: 'drafts become missions, which were counted as such' },
  'admin.mission.publish': { why: 'a draft becomes a mission, which was counted as one' },
  'admin.mission.previewEdit': { why: 'reads' },
  'admin.mission.fileChanges': { why: 'reads' },
  'admin.mission.applyFile': { why: 'at most five versions of its file a mission' },
  'admin.mission.edit': { why: 'at most 256 seats a mission' },
  'admin.mission.createPractice': { why: 'one practice mission an admin, in place of the one before' },
  'admin.mission.removePractice': { why: 'removes' },
  'admin.mission.cancel': { why: 'the state of a mission' },
  'admin.mission.removePilot': { why: 'the state of an order' },
  'admin.mission.nudge': { why: 'one column of orders' },
  'admin.mission.recordAttendance': { why: 'one column of an order' },
  'admin.mission.decideAttendance': { why: 'the state of proposals, one an order' },
  'admin.mission.setGameName': { why: 'one pilot for each name that a mission has seen' },
  'admin.spreadsheet.preview': { why: 'reads' },
  'admin.passwordLinks': { why: 'one link an account, in place of the one before' },
  'admin.resetPassword': { why: 'one column of an account' },
  'admin.addRole': { why: 'one column of an account' },
  'admin.removeRole': { why: 'one column of an account' },
  'admin.aircraft.update': { why: 'columns of a type' },
  'admin.aircraft.offer': { why: 'one column of types' },
  'admin.aircraft.remove': { why: 'removes' },
  'admin.community.update': { why: 'columns of the one row of settings' },
  'admin.community.dismissStart': { why: 'one column of the settings' },
  'admin.community.dismissRequest': { why: 'removes' },
  'admin.community.revokeInvite': { why: 'one column of an invite' },
  'admin.community.decide': { why: 'columns of accounts' },
  'admin.missionTemplates.update': { why: 'columns of a template' },
  'admin.missionTemplates.remove': { why: 'removes' },
  'admin.series.update': { why: 'columns of a series; a part of its own counts as a new one' },
  'admin.series.adopt': { why: 'the content of a series; a part of its own counts as a new one' },
  'admin.series.skip': { why: 'one row for each coming date' },
  'admin.series.end': { why: 'one column of a series' },
  'admin.series.takeOver': { why: 'one column of a series' },
  'admin.webhooks.update': { why: 'columns of a webhook' },
  'admin.webhooks.rotateSecret': { why: 'columns of a webhook' },
  'admin.webhooks.remove': { why: 'removes' },
  'discord.startRegistration': { why: 'reads' },
  'discord.setMissions': { why: 'columns of a server' },
  'discord.acceptGuild': { why: 'the state of a server, and one welcome' },
  'discord.leaveGuild': { why: 'the state of a server' },
};
