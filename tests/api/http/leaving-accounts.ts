/**
 * What every write of an admin decides about accounts that are being deleted or have been erased: it refuses them, or it is
 * about something else. The test of this name fails for a new operation that is in neither list.
 */
import type { Operation, Subject } from './operations.ts';

type Input = Operation['input'];

/** Inputs about the subject, where the input in the list of operations is about somebody else. */
export const ABOUT_ACCOUNT: Record<string, Input> = {
  'admin.community.decide': ({ id }: Subject) => ({ ids: [id], decision: 'approve' }),
  'admin.mission.applySeats': ({ id, missionId, flightId }: Subject) => ({
    id: missionId,
    changes: [{ userId: id, to: { flightId, seatIndex: 0 }, anyway: true }],
  }),
  'admin.mission.assignPilot': ({ id, missionId, flightId }: Subject) => ({
    id: missionId,
    flightId,
    seatIndex: 0,
    userId: id,
    replace: true,
  }),
};

/** Writes that may go on about such an account, or that are about no account, by the reason. */
export const LEFT_ALONE: Record<string, readonly string[]> = {
  'a ban is about the person: it gives nothing, and stays when the account is gone': [
    'admin.bans.add',
    'admin.bans.banAccount',
    'admin.bans.lift',
  ],
  'rows are planned anew against the accounts, see the test': ['admin.spreadsheet.preview', 'admin.spreadsheet.import'],
  'the plan of a mission; seats go to pilots, and a leaving account is none': [
    'admin.createMission',
    'admin.mission.dryRun',
    'admin.mission.weekPlan',
    'admin.mission.publishWeek',
    'admin.mission.createPractice',
    'admin.mission.removePractice',
    'admin.mission.edit',
    'admin.mission.previewEdit',
    'admin.mission.fileChanges',
    'admin.mission.applyFile',
    'admin.mission.cancel',
    'admin.mission.publish',
    'admin.missionTemplates.create',
    'admin.missionTemplates.update',
    'admin.missionTemplates.remove',
    'admin.series.create',
    'admin.series.update',
    'admin.series.adopt',
    'admin.series.skip',
    'admin.series.end',
    'admin.series.takeOver',
  ],
  'what a mission keeps of a former pilot: a seat that is freed, and who flew': [
    'admin.mission.removePilot',
    'admin.mission.recordAttendance',
    'admin.mission.decideAttendance',
    'admin.mission.nudge',
  ],
  'the community, its aircraft, servers, webhooks and backups': [
    'admin.backups.start',
    'admin.community.update',
    'admin.community.dismissStart',
    'admin.community.sendMessage',
    'admin.aircraft.create',
    'admin.aircraft.offer',
    'admin.aircraft.update',
    'admin.aircraft.remove',
    'admin.webhooks.create',
    'admin.webhooks.update',
    'admin.webhooks.remove',
    'admin.webhooks.rotateSecret',
    'admin.webhooks.test',
    'admin.webhooks.replay',
    'discord.acceptGuild',
    'discord.leaveGuild',
    'discord.setMissions',
    'discord.resendRegistration',
  ],
  'people who have no account yet': [
    'admin.community.createInvite',
    'admin.community.revokeInvite',
    'admin.community.dismissRequest',
    'admin.mail.sendInvite',
  ],
  "the admin's own address": ['admin.mail.test'],
};
