/** The operations of the community: settings, invites, bans, requests, waiting accounts, with an invite that they are about. */
import { query, sql } from '#server/schema/query.ts';
import type { Service } from '#tests/harness/service.ts';
import { copy } from '#shared/copy.ts';
import type { Operation } from './operations.ts';

export const INVITE_ID = '0192c0de-0000-7000-8000-0000000000b1';
const NOBODY = '0192c0de-0000-7000-8000-0000000000ff';
const nothing = () => undefined;
export const SLOT_REQUEST = {
  handle: 'Viper',
  email: 'visitor@example.org',
  module: 'F-16C',
  level: 'proficient',
  slot: 'Flexible',
  notes: 'Night strikes',
};
let banned = 0;

export const COMMUNITY_OPERATIONS: Record<string, Operation> = {
  'auth.registration': { policy: 'public', input: () => ({ invite: 'nothing' }) },
  'auth.requestSlot': { policy: 'public', input: () => SLOT_REQUEST },
  'auth.signInLink': { policy: 'public', input: () => ({ token: 'sign-in-1' }) },
  'discord.registrationLink': {
    policy: 'public',
    input: () => ({ discordUserId: '700800900100200300', guildId: '100200300400500600', session: 'registration-1' }),
  },
  'admin.backups.list': { policy: 'admin', input: nothing },
  'admin.backups.start': {
    policy: 'admin',
    input: nothing,
    // the configuration of these tests has no place for backups; tests/api/backup has one
    refusal: ['BACKUPS_OFF', copy.backupsOff],
  },
  'admin.bans.list': { policy: 'admin', input: nothing },
  'admin.bans.add': {
    policy: 'admin',
    // each call bans another address, since one is banned once
    input: () => ({ email: `banned-${(banned += 1)}@example.org`, label: 'Somebody', reason: 'Abuse' }),
  },
  'admin.bans.banAccount': {
    policy: 'admin',
    input: () => ({ id: NOBODY, reason: 'Abuse' }),
    refusal: ['USER_NOT_FOUND', 'User not found'],
  },
  'admin.bans.lift': { policy: 'admin', input: () => ({ id: NOBODY }), refusal: ['BAN_NOT_FOUND', 'Ban not found'] },
  'admin.community.get': { policy: 'admin', input: nothing },
  'admin.community.update': { policy: 'admin', input: () => ({ name: 'Lantern Wing', registration: 'open' }) },
  'admin.community.start': { policy: 'admin', input: nothing },
  'admin.community.dismissStart': { policy: 'admin', input: nothing },
  'admin.community.invites': { policy: 'admin', input: nothing },
  'admin.community.createInvite': {
    policy: 'admin',
    input: () => ({ name: 'Recruits', maxUses: 1, withApproval: true, timeZone: 'Europe/Berlin', aircraftIds: [2] }),
  },
  'admin.community.revokeInvite': { policy: 'admin', input: () => ({ id: INVITE_ID }) },
  'admin.community.invited': { policy: 'admin', input: () => ({ id: INVITE_ID }) },
  'admin.community.requests': { policy: 'admin', input: nothing },
  'admin.community.dismissRequest': {
    policy: 'admin',
    input: () => ({ id: NOBODY }),
    refusal: ['REQUEST_NOT_FOUND', 'This request is no longer there'],
  },
  'admin.community.messages': { policy: 'admin', input: nothing },
  'admin.community.sendMessage': { policy: 'admin', input: () => ({ text: 'Fly-in on Saturday' }) },
  'admin.community.waiting': { policy: 'admin', input: nothing },
  'admin.community.decide': { policy: 'admin', input: () => ({ ids: [NOBODY], decision: 'approve' }) },
};

/** An invite that any number of people can use. */
export async function givenInvite({ app }: Service): Promise<void> {
  await query(
    app.orm.em.fork(),
    sql`insert into invite (id, name, role, with_approval, aircraft_ids, created_at)
        values (${INVITE_ID}, 'Recruits', 'user', false, '{}', now())`,
  );
}
