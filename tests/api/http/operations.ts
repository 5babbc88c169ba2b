/**
 * Every operation with its access rule and a valid input, independent of the code: the policy matrix and the bad-input
 * tests use this list, and fail if it differs from the router.
 */
import { query, sql } from '#server/schema/query.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import type { Policy } from '#server/http/trpc.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import type { Service } from '#tests/harness/service.ts';
import { SCRIPT_OPERATIONS } from './script-operations.ts';
import { REACH_OPERATIONS } from './reach-operations.ts';
import { AVAILABILITY_OPERATIONS } from './availability-operations.ts';
import { AIRCRAFT_OPERATIONS, givenOwnAircraft } from './aircraft-operations.ts';
import { COMMUNITY_OPERATIONS, givenInvite } from './community-operations.ts';
import { MAIL_OPERATIONS } from './mail-operations.ts';
import { MISSION_OPERATIONS, NO_MISSION } from './mission-operations.ts';
import { SECOND_FACTOR_OPERATIONS } from './second-factor-operations.ts';
import { givenSeries, SERIES_OPERATIONS } from './series-operations.ts';
import { givenWebhook, WEBHOOK_OPERATIONS } from './webhook-operations.ts';

/** The person and the rows that an operation is about. */
export interface Subject {
  id: string;
  email: string;
  orderId: string;
  /** of the order */
  missionId: string;
  flightId: string;
  templateId: string;
}

export interface Operation {
  policy: Policy;
  /** an input that works for permitted callers */
  input: (subject: Subject) => Record<string, unknown> | undefined;
  /** tokens of the scope server may make it, and no other call */
  isForServers?: true;
  /** 404 for permitted callers other than the subject */
  isOwnOnly?: true;
  /** refusal of an admin who is not the subject, although the guard lets admins through */
  adminRefusal?: readonly [code: RefusalCode, sentence: string];
  /** refusal of everybody with access, because the input's subject does not exist or the call cannot succeed here */
  refusal?: readonly [code: RefusalCode, sentence: string];
  /** tables that note refusals, for admins to read */
  notesRefusalsIn?: readonly string[];
  /** 404 with the tests' configuration */
  isSwitchedOff?: true;
}

const GUILD_ID = '100200300400500600';
const CHANNEL_ID = '100200300400500601';
const DISCORD_USER = { discordUserId: '700800900100200300', discordUsername: 'afterglow' };
/** Good for one registration and for its repetition. */
const REGISTRATION_TOKEN = 'registration-1';
/** More sign-in links than a test file uses up; each works once, for longer than any run takes. */
const SIGN_IN_LINKS = 200;
let linksUsed = 0;
let count = 0;

const own = ({ id }: Subject) => ({ id });
const nothing = () => undefined;
const today = () => new Date().toISOString().slice(0, 10);

export const OPERATIONS: Record<string, Operation> = {
  'auth.register': {
    policy: 'public',
    input: () => {
      count += 1;
      return { email: `new-${count}@example.org`, password: PASSWORD, confirmPassword: PASSWORD };
    },
  },
  'auth.login': {
    policy: 'public',
    input: ({ email }) => ({ email, password: PASSWORD }),
    notesRefusalsIn: ['audit_entry'],
  },
  'auth.redeemSignInLink': {
    policy: 'public',
    input: () => {
      linksUsed += 1;
      return { token: `sign-in-${linksUsed}` };
    },
  },
  'auth.setCredentials': {
    policy: 'signedIn',
    input: () => ({ email: 'first@example.org', password: PASSWORD, confirmPassword: PASSWORD }),
    refusal: ['PASSWORD_EXISTS', 'This account already has a password. You can change it on your profile.'],
  },
  'auth.passwordLink': {
    policy: 'public',
    input: () => ({ token: 'unknown' }),
    refusal: ['LINK_INVALID', 'This link has expired or was already used. Ask an admin for a new one.'],
  },
  'auth.setPassword': {
    policy: 'public',
    input: () => ({ token: 'unknown', password: PASSWORD, confirmPassword: PASSWORD }),
    refusal: ['LINK_INVALID', 'This link has expired or was already used. Ask an admin for a new one.'],
  },
  'auth.logout': { policy: 'public', input: nothing },
  'auth.me': { policy: 'signedIn', input: nothing },
  'auth.viewer': { policy: 'public', input: nothing },
  'auth.ways': { policy: 'public', input: nothing },
  'auth.changePassword': {
    policy: 'signedIn',
    input: () => ({ currentPassword: PASSWORD, newPassword: PASSWORD, confirmPassword: PASSWORD }),
  },
  'auth.deletion': { policy: 'signedIn', input: nothing },
  'auth.requestDeletion': {
    policy: 'signedIn',
    input: () => ({ currentPassword: 'not the password' }),
    refusal: ['WRONG_PASSWORD', 'The current password is not correct'],
  },
  'auth.undoDeletion': { policy: 'signedIn', input: nothing },
  'auth.sessions': { policy: 'signedIn', input: nothing },
  'auth.endOtherSessions': { policy: 'signedIn', input: nothing },
  'auth.devToken': { policy: 'public', input: () => ({ displayName: 'Dev' }), isSwitchedOff: true },

  'pilot.updateProfile': { policy: 'selfPilot', input: ({ id }) => ({ id, displayName: 'Maverick', timeZone: 'UTC' }) },
  'pilot.status': { policy: 'selfPilot', input: own },
  'pilot.setStatus': { policy: 'selfPilot', input: ({ id }) => ({ id, state: 'now', minutes: 60 }) },
  'pilot.standing': { policy: 'selfPilot', input: own },
  'pilot.missionOutcomes': { policy: 'selfPilot', input: own },
  'pilot.proficiencies': { policy: 'selfPilot', input: own },
  'pilot.setProficiency': {
    policy: 'selfPilot',
    // one after the other: pilots cannot change a level set by an admin
    input: ({ id }) => {
      count += 1;
      return { id, aircraftId: 10 + (count % 20), level: 'learning' };
    },
  },
  'pilot.removeProficiency': { policy: 'selfPilot', input: ({ id }) => ({ id, aircraftId: 6 }) },
  'pilot.notifications': { policy: 'selfPilot', input: own },
  'pilot.setNotifications': {
    policy: 'selfPilot',
    input: ({ id }) => ({ id, notifyOrders: true, notifyChanges: false, wantsGlobalEvents: true }),
  },
  'pilot.stats': { policy: 'public', input: nothing },
  'pilot.inbox': { policy: 'pilot', input: () => ({ includeCompleted: true }) },
  'pilot.inboxStatus': { policy: 'pilot', input: nothing },
  'pilot.accepted': { policy: 'pilot', input: nothing },
  'pilot.order': { policy: 'pilot', input: ({ orderId }) => ({ id: orderId }), isOwnOnly: true },
  'pilot.rsvp': {
    policy: 'pilot',
    input: ({ orderId }) => ({ id: orderId, response: 'Accepted' }),
    isOwnOnly: true,
  },
  'pilot.seats.openings': { policy: 'pilot', input: nothing },
  'pilot.seats.take': {
    policy: 'pilot',
    input: ({ flightId }) => ({ missionId: NO_MISSION, flightId, seatIndex: 0 }),
    refusal: ['MISSION_NOT_FOUND', 'Mission not found'],
  },
  'pilot.seats.joinStandby': {
    policy: 'pilot',
    input: () => ({ id: NO_MISSION }),
    refusal: ['MISSION_NOT_FOUND', 'Mission not found'],
  },
  'pilot.seats.leaveStandby': {
    policy: 'pilot',
    input: () => ({ id: NO_MISSION }),
    refusal: ['MISSION_NOT_FOUND', 'Mission not found'],
  },
  'pilot.swaps.partners': { policy: 'pilot', input: ({ orderId }) => ({ id: orderId }), isOwnOnly: true },
  'pilot.swaps.propose': {
    policy: 'pilot',
    input: ({ orderId }) => ({ id: NO_MISSION, withOrderId: orderId }),
    refusal: ['ORDER_NOT_FOUND', 'Frag order not found'],
  },
  'pilot.swaps.list': { policy: 'pilot', input: nothing },
  'pilot.swaps.answer': {
    policy: 'pilot',
    input: () => ({ id: NO_MISSION, response: 'agreed' }),
    refusal: ['SWAP_NOT_FOUND', 'This swap was not found'],
  },
  'pilot.swaps.withdraw': {
    policy: 'pilot',
    input: () => ({ id: NO_MISSION }),
    refusal: ['SWAP_NOT_FOUND', 'This swap was not found'],
  },

  'pilot.notices': { policy: 'pilot', input: nothing },
  'pilot.closeNotice': {
    policy: 'pilot',
    // a live order has no notice to close
    input: ({ orderId }) => ({ id: orderId }),
    refusal: ['NOTICE_NOT_FOUND', 'This notice was not found'],
  },

  ...REACH_OPERATIONS,
  ...SCRIPT_OPERATIONS,
  ...SECOND_FACTOR_OPERATIONS,

  ...AVAILABILITY_OPERATIONS,

  'pilot.calendar.feed': { policy: 'pilot', input: nothing },
  'pilot.calendar.renew': { policy: 'pilot', input: nothing },
  'pilot.calendar.end': { policy: 'pilot', input: nothing },

  'admin.dashboard.summary': { policy: 'admin', input: () => ({ day: today(), tz: 'Asia/Tokyo' }) },
  'admin.dashboard.weeklySummary': { policy: 'admin', input: () => ({ startDate: today(), tz: 'Asia/Tokyo' }) },
  'admin.dashboard.expectedOnline': {
    policy: 'admin',
    input: () => ({ from: `${today()}T00:00:00Z`, to: `${today()}T06:00:00Z`, bucket: 30 }),
  },
  'admin.dashboard.heat': {
    policy: 'admin',
    input: () => ({ startDate: today(), tz: 'Asia/Tokyo', aircraftId: 2 }),
  },
  'admin.dashboard.recommendedTimes': {
    policy: 'admin',
    input: () => ({ date: today(), tz: 'Asia/Tokyo', minDuration: 60, limit: 3 }),
  },
  'admin.dashboard.needs': { policy: 'admin', input: nothing },
  'admin.dashboard.turnout': { policy: 'admin', input: nothing },
  'admin.dashboard.fillRate': { policy: 'admin', input: () => ({ tz: 'Asia/Tokyo' }) },
  ...MISSION_OPERATIONS,
  'admin.users': { policy: 'admin', input: () => ({ page: 1, pageSize: 20, query: 'pilot', role: ['user'] }) },
  'admin.spreadsheet.export': { policy: 'admin', input: () => ({ query: 'pilot', role: ['user'] }) },
  'admin.spreadsheet.preview': { policy: 'admin', input: () => ({ text: 'Email\nnew@example.org' }) },
  'admin.spreadsheet.import': {
    policy: 'admin',
    input: () => ({
      importId: NO_MISSION,
      rows: [{ row: 2, digest: '0123456789abcdef', cells: { email: 'new@example.org' } }],
    }),
    refusal: ['CHANGED', 'Something has changed since the preview. Please check the rows again.'],
  },
  'admin.resetPassword': { policy: 'admin', input: ({ id }) => ({ id, newPassword: PASSWORD }) },
  'admin.passwordLinks': { policy: 'admin', input: ({ id }) => ({ ids: [id] }) },
  'admin.roles': { policy: 'admin', input: own },
  'admin.addRole': { policy: 'admin', input: ({ id }) => ({ id, role: 'user' }) },
  'admin.removeRole': { policy: 'admin', input: ({ id }) => ({ id, role: 'admin' }) },
  'admin.pilot.availabilitySummary': {
    policy: 'admin',
    input: ({ id }) => ({ id, upcomingDays: 31, tz: 'Pacific/Kiritimati' }),
  },
  'admin.pilot.fairness': { policy: 'admin', input: own },
  'admin.pilot.schedule': { policy: 'admin', input: ({ id }) => ({ id, tz: 'America/New_York' }) },
  'admin.warnings': { policy: 'admin', input: nothing },
  ...AIRCRAFT_OPERATIONS,
  ...SERIES_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...COMMUNITY_OPERATIONS,
  ...MAIL_OPERATIONS,
  'admin.audit': {
    policy: 'admin',
    input: ({ id }) => ({ page: 1, pageSize: 20, action: 'role_added', actorId: id, subjectId: id }),
  },

  'discord.bot': { policy: 'admin', input: nothing },
  'discord.guilds': { policy: 'admin', input: nothing },
  'discord.guild': { policy: 'admin', input: () => ({ guildId: GUILD_ID }) },
  'discord.acceptGuild': { policy: 'admin', input: () => ({ guildId: GUILD_ID }) },
  'discord.leaveGuild': {
    policy: 'admin',
    input: () => ({ guildId: GUILD_ID }),
    refusal: ['DISCORD_OFF', 'Discord is not configured: DISCORD_TOKEN is not set, so nothing can be posted.'],
  },
  'discord.resendRegistration': {
    policy: 'admin',
    input: () => ({ guildId: GUILD_ID, channelId: CHANNEL_ID, registrationBaseUrl: null }),
  },
  'discord.setMissions': {
    policy: 'admin',
    input: () => ({ guildId: GUILD_ID, channelId: CHANNEL_ID, roleId: null, hasEvents: true }),
  },
  'discord.startRegistration': { policy: 'public', input: () => ({ guildId: GUILD_ID, campaignId: 'spring' }) },
  'discord.completeRegistration': {
    policy: 'public',
    input: () => ({
      ...DISCORD_USER,
      guildId: GUILD_ID,
      session: REGISTRATION_TOKEN,
      callSign: 'Afterglow',
      timeZone: 'UTC',
      wantsGlobalEvents: true,
      availabilityWindows: [],
    }),
    notesRefusalsIn: ['guild_event'],
  },
};

async function givenSubject(service: Service, admin: Person): Promise<{ person: Person; subject: Subject }> {
  const person = await givenPerson(service);
  await givenAlwaysFree(service, person.id);
  const { mission } = await givenMission(service, admin);
  const board = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const inbox = await person.client.call('GET', '/pilot/inbox');
  const templates = await person.client.call('GET', `/users/${person.id}/availability/templates`);
  const subject = {
    ...person,
    orderId: inbox.body[0].id,
    missionId: mission.id,
    flightId: board.body.packages[0].flights[0].id,
    templateId: templates.body[0].id,
  };
  return { person, subject };
}

export interface World {
  admin: Person;
  /** the subject's own account */
  self: Person;
  subject: Subject;
  other: Person;
  /** an account without the role `user`, with data from the time it had it */
  suspended: Person;
  suspendedSubject: Subject;
  /** an account that waits for approval, with data as if it had been a pilot before */
  waiting: Person;
  waitingSubject: Subject;
  /** an account that was an admin a moment ago */
  demoted: Person;
}

/** Everybody the rules tell apart, each pilot with an order and a template of their own. */
export async function givenWorld(service: Service): Promise<World> {
  const em = service.app.orm.em.fork();
  const admin = await givenAdmin(service);
  const suspended = await givenSubject(service, admin);
  await query(em, sql`update app_user set roles = '{}' where id = ${suspended.person.id}`);
  const waiting = await givenSubject(service, admin);
  await query(
    em,
    sql`update app_user set roles = '{}', approval = 'waiting', approval_since = now() where id = ${waiting.person.id}`,
  );
  const self = await givenSubject(service, admin);
  const demoted = await givenAdmin(service);
  await query(em, sql`update app_user set roles = '{user}' where id = ${demoted.id}`);
  await query(
    em,
    sql`insert into guild (id, name, status, member_count, installed_at, accepted_at, last_seen_at)
        values (${GUILD_ID}, '104th', 'active', 5, now(), now(), now())`,
  );
  await query(
    em,
    sql`insert into guild_channel (id, guild_id, name, type, is_postable, can_send_messages, can_embed_links, updated_at)
        values (${CHANNEL_ID}, ${GUILD_ID}, 'ops', 'text', true, true, true, now())`,
  );
  await query(
    em,
    sql`insert into registration_session (token_hash, guild_id, discord_user_id, discord_username, created_at, expires_at)
        values (encode(sha256(${REGISTRATION_TOKEN}::text::bytea), 'hex'), ${GUILD_ID}, ${DISCORD_USER.discordUserId},
                ${DISCORD_USER.discordUsername}, now(), now() + interval '1 day')`,
  );
  // another file of this worker may have used the numbers up
  linksUsed = 0;
  await query(
    em,
    sql`insert into sign_in_link (token_hash, user_id, created_at, expires_at)
        select encode(sha256(('sign-in-' || n)::bytea), 'hex'), ${self.person.id}, now(), now() + interval '1 day'
        from generate_series(1, ${sql.lit(SIGN_IN_LINKS)}) as n`,
  );
  await givenOwnAircraft(service);
  await givenSeries(service, admin.id);
  await givenWebhook(service);
  await givenInvite(service);
  return {
    admin,
    self: self.person,
    subject: self.subject,
    other: await givenPerson(service),
    suspended: suspended.person,
    suspendedSubject: suspended.subject,
    waiting: waiting.person,
    waitingSubject: waiting.subject,
    demoted,
  };
}
