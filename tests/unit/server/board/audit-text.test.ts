import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AuditDetail, auditWords } from '#server/board/rules/audit-text.ts';
import { AUDIT_ACTIONS, type AuditAction } from '#shared/vocabulary.ts';

const names = {
  aircraft: (id: number) => (id === 2 ? 'F-16C Viper' : undefined),
  pilot: (id: string) => (id.startsWith('pilot') ? `Pilot ${id.slice(5)}` : undefined),
};

test.each<[AuditAction, AuditDetail, string]>([
  ['role_added', { role: 'admin' }, 'Added the role admin'],
  ['role_removed', { role: 'user' }, 'Removed the role user'],
  ['invite_created', { name: 'Recruits' }, 'Made the invite'],
  [
    'invite_created',
    { name: 'Staff', role: 'admin', maxUses: 1, expiresAt: '2026-11-21T19:00:00.000Z', withApproval: true },
    'Made the invite for admins, 1 use, until Nov 21 1900Z, with approval',
  ],
  [
    'invite_created',
    { name: 'Viper', maxUses: 1, isForRequest: true },
    "Made the invite for a visitor's request, 1 use",
  ],
  ['request_dismissed', {}, "Dismissed a visitor's request"],
  ['invite_revoked', { name: 'Recruits' }, 'Revoked the invite'],
  [
    'invite_revoked',
    { name: 'Deputies', creatorLeft: true },
    'Revoked the invite, because its creator lost a role or their account',
  ],
  ['invite_used', { name: 'Recruits' }, 'Joined with the invite'],
  ['account_approved', { name: 'Goose' }, 'Approved the account'],
  ['account_declined', { name: null }, 'Declined the account'],
  [
    'community_changed',
    { changes: [{ field: 'registration', from: 'open', to: 'invite' }] },
    'Registration: open to invite',
  ],
  ['community_changed', {}, 'Changed the settings'],
  [
    'community_messaged',
    { text: 'Fly-in on Saturday', recipients: 21 },
    'Sent a message to 21 pilots: Fly-in on Saturday',
  ],
  ['community_messaged', { text: 'Hello', recipients: 1 }, 'Sent a message to 1 pilot: Hello'],
  ['backup_requested', {}, 'Started a backup'],
  [
    'backup_restored',
    { by: 'command line', madeAt: '2026-11-26T03:17:00.123Z' },
    'Restored the backup of 2026-11-26 03:17 UTC, by the command line',
  ],
  ['backup_restored', {}, 'Restored a backup'],
  ['password_changed', {}, 'Changed the password'],
  ['credentials_set', {}, 'Set an email address and a password'],
  ['address_verified', {}, 'Verified the email address'],
  ['discord_linked', {}, 'Linked a Discord account'],
  ['discord_unlinked', {}, 'Unlinked the Discord account'],
  ['session_confirmed', { device: 'Firefox' }, 'Confirmed a sign-in from a new device (Firefox)'],
  ['session_ended', {}, 'Ended a session'],
  ['other_sessions_ended', { count: 2 }, 'Ended all other sessions: 2'],
  ['calendar_link_made', {}, 'Made a new calendar link'],
  ['calendar_link_ended', {}, 'Ended the calendar link'],
  ['leave_set', { firstDate: '2026-11-28', lastDate: '2026-12-05' }, 'Set a leave from Nov 28 to Dec 5'],
  ['leave_set', {}, 'Set a leave'],
  ['leave_ended', {}, 'Ended the leave'],
  ['ban_added', {}, 'Banned'],
  ['ban_lifted', { name: 'Somebody' }, 'Lifted the ban'],
  ['password_reset', {}, 'Reset the password'],
  ['password_links_made', { created: ['pilot1'] }, 'Made a link to set a password'],
  [
    'password_links_made',
    { created: ['pilot1', 'pilot2'] },
    'Made links to set a password for 2 pilots (Pilot 1; Pilot 2)',
  ],
  ['signed_in', { way: 'password_link' }, 'Set a password with a personal link and signed in'],
  ['pilots_imported', { created: ['pilot1'], updated: [] }, 'Imported pilots: 1 added (Pilot 1)'],
  [
    'pilots_imported',
    { created: ['pilot1', 'gone'], updated: Array.from({ length: 10 }, (_, index) => `pilot${index}`) },
    'Imported pilots: 2 added (Pilot 1; a former pilot), 10 changed (Pilot 0; Pilot 1; Pilot 2; Pilot 3; Pilot 4; Pilot 5; Pilot 6; Pilot 7; and 2 more)',
  ],
  ['proficiency_set', { aircraftId: 2, level: 'expert' }, 'Set F-16C Viper to expert'],
  ['proficiency_set', { aircraftId: 999, level: 'basic' }, 'Set an aircraft to basic'],
  ['proficiency_removed', { aircraftId: 2 }, 'Removed F-16C Viper from the list of aircraft'],
  ['mission_created', { name: 'Op' }, 'Created the mission'],
  ['mission_published', { name: 'Op' }, 'Published the mission'],
  ['mission_published', { name: 'Op', orders: 3 }, 'Published the mission with 3 orders'],
  ['mission_cancelled', { name: 'Op', ordersCancelled: 0 }, 'Cancelled the mission'],
  ['practice_removed', { name: 'Practice' }, 'Removed the practice mission'],
  ['mission_file_kept', { name: 'Op', file: 'op.miz', version: 2 }, 'Kept version 2 of the mission file op.miz'],
  ['mission_file_kept', { name: 'Op' }, 'Kept a mission file'],
  ['mission_cancelled', { name: 'Op', ordersCancelled: 1 }, 'Cancelled the mission and 1 order'],
  [
    'mission_edited',
    {
      name: 'Op',
      changes: [
        { field: 'start', from: '2026-11-21T19:00:00.000Z', to: '2026-11-21T20:00:00.000Z' },
        { flight: 'VIPER 1', field: 'role', from: 'CAP', to: 'Strike' },
        { field: 'notes', from: null, to: 'Bring smoke' },
      ],
    },
    'Start: Nov 21 1900Z to Nov 21 2000Z; VIPER 1 role: CAP to Strike; Notes: none to “Bring smoke”',
  ],
  ['mission_edited', { name: 'Op', changes: [] }, 'Edited the mission'],
  [
    'mission_edited',
    {
      changes: [
        { field: 'flight', from: 'VIPER 1, 2 × F-16C Viper, CAP', to: null },
        { field: 'flight', from: null, to: 'DODGE 1, 4 × F-16C Viper, CAS' },
      ],
    },
    'Removed VIPER 1, 2 × F-16C Viper, CAP; Added DODGE 1, 4 × F-16C Viper, CAS',
  ],
  [
    'mission_edited',
    {
      changes: Array.from({ length: 20 }, (_, n) => ({ flight: `DODGE ${n}`, field: 'side', from: 'Blue', to: 'Red' })),
    },
    `${Array.from({ length: 8 }, (_, n) => `DODGE ${n} side: Blue to Red`).join('; ')}; and 12 more`,
  ],
  ['pilot_assigned', { pilot: 'Maverick', seat: 'VIPER 1 seat 2' }, 'Assigned Maverick to VIPER 1 seat 2'],
  [
    'pilot_assigned',
    { pilot: 'Maverick', seat: 'VIPER 1 seat 2', replaced: 'Goose' },
    'Assigned Maverick to VIPER 1 seat 2 in place of Goose',
  ],
  ['pilot_assigned', { pilot: '0192@discord.invalid', seat: 'VIPER 1 seat 2' }, 'Assigned a pilot to VIPER 1 seat 2'],
  ['pilots_nudged', { about: 'unanswered', pilots: 3 }, 'Asked 3 pilots again to answer'],
  ['pilots_nudged', { about: 'unconfirmed', pilots: 1 }, 'Asked 1 pilot again to confirm'],
  ['pilot_removed', { pilot: 'Maverick', seat: 'VIPER 1 seat 2' }, 'Removed Maverick from VIPER 1 seat 2'],
  [
    'attendance_recorded',
    {
      marks: [
        { pilot: 'Maverick', attendance: 'attended' },
        { pilot: 'Goose', attendance: 'no_show' },
        { pilot: 'Iceman', attendance: null },
      ],
    },
    'Attendance: Maverick attended; Goose no-show; Iceman not marked',
  ],
  ['registration_resent', { guildName: '104th', channel: 'ops' }, 'Resent the registration announcement to #ops'],
  [
    'token_created',
    { name: 'Roster', scopes: ['read', 'pilot'], expiresAt: '2026-11-21T19:00:00.000Z' },
    'Made an access token: “Roster” (read, pilot), until Nov 21 1900Z',
  ],
  ['token_created', {}, 'Made an access token'],
  ['password_reset', { by: 'command line' }, 'Reset the password, by the command line'],
  ['token_revoked', { name: 'Roster' }, 'Revoked an access token: “Roster”'],
  [
    'signed_in',
    { way: 'discord', address: '203.0.113.7', device: 'Firefox on Windows' },
    'Signed in through Discord from 203.0.113.7 (Firefox on Windows)',
  ],
  ['signed_in', { way: 'carrier pigeon' }, 'Signed in'],
  ['sign_in_failed', { address: '203.0.113.7' }, 'Tried a wrong password from 203.0.113.7'],
  [
    'sign_in_limited',
    { attempts: 10, minutes: 1, address: '::1' },
    'Further sign-ins were refused after 10 attempts in a minute, the last one from ::1',
  ],
])('%s %o', (action, detail, words) => expect(auditWords(action, detail, names)).toBe(words));

describe('every kind of entry has a sentence', () => {
  test.each(AUDIT_ACTIONS)('%s', (action) => {
    for (const detail of [undefined, null, 'text', 7, [], {}]) {
      expect(auditWords(action, detail, names)).toMatch(/^[A-Z].{3,}/);
    }
    const keys = [
      'role',
      'aircraftId',
      'level',
      'changes',
      'pilot',
      'seat',
      'marks',
      'replaced',
      'channel',
      'orders',
      'created',
      'updated',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.anything()), (detail) => {
        const words = auditWords(action, detail, names);
        expect(words).not.toBe('');
        expect(words).not.toContain('[object');
      }),
      { numRuns: 200 },
    );
  });
});
