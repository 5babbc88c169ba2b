/** Events of missions, series and templates, and of what the clock does with a mission. */
import type { Nudge } from '#shared/board-needs.ts';
import type { Attendance, StoredMissionStatus } from '#shared/vocabulary.ts';
import {
  auditOnly,
  NOTHING,
  newsOf,
  type Actor,
  type AuditRecord,
  type CommentAction,
  type Consequences,
  type Freed,
} from './effects.ts';

interface Named {
  id: string;
  name: string;
}
/** An admin's change of a mission. */
interface OfMission {
  by: Actor;
  mission: Named;
}
interface OfComment {
  missionId: string;
  commentId: string;
}
interface OfTemplate {
  by: Actor;
  template: Named;
}
interface OfSeries {
  series: Named;
}
interface SeriesByAdmin extends OfSeries {
  by: Actor;
}
/** @param rule in words */
interface SeriesChanged extends SeriesByAdmin {
  rule: string;
}

/** A field of a mission, or of a flight with its callsign before the edit. Values are texts, long ones truncated, times in Zulu. */
interface MissionChange {
  field: string;
  from: string | null;
  to: string | null;
  flight?: string;
}

/** Hand-over to the channels of a pilot. */
interface Due {
  userId: string;
  deadlineAt: Date;
  channels: { email: boolean; push: boolean };
}

export interface MissionEvents {
  'mission.created': OfMission;
  /** Pilots can see and join it. `hasBegun`: within the grace period. `week`: of drafts published together, whose news are one. */
  'mission.opened': { missionIds: readonly string[]; hasBegun: boolean; isPractice: boolean; week: string | null };
  /** a draft, by an admin */
  'mission.published': OfMission & { orders: number; openSeats: number };
  'mission.edited': OfMission & { changes: readonly MissionChange[] };
  'mission.cancelled': OfMission & { ordersCancelled: number; was: StoredMissionStatus | 'launched' | 'completed' };
  'mission.file_kept': OfMission & { file: string; version: number; sha256: string };
  'practice.removed': OfMission & { freed: Freed; pilotIds: readonly string[] };
  /** @param seat `Viper 1, seat 2` @param replaced the pilot who had it */
  'pilot.assigned': OfMission & {
    pilot: string;
    userId: string;
    seat: string;
    replaced: { id: string; name: string } | null;
  };
  'pilot.removed': OfMission & { pilot: string; userId: string; seat: string };
  /** Pilots were asked again by an admin. */
  'pilots.nudged': OfMission & { about: Nudge; pilots: number };
  /** `told`: whose mark changes; attendance null: removed */
  'attendance.recorded': OfMission & {
    marks: readonly { pilot: string; userId: string; attendance: Attendance | null }[];
    told: readonly { orderId: string; pilotId: string }[];
  };
  /** presences were added to a mission that is over; nobody is marked */
  'attendance.proposed': OfMission & { proposals: number };
  'attendance.dismissed': OfMission & { proposals: number };
  /** an admin has said whose name in the game a name is */
  'game_name.set': OfMission & { pilot: string; userId: string };
  'game_name.removed': OfMission & { pilot: string; userId: string };
  /** on a mission's thread */
  'comment.written': OfComment;
  'comment.edited': OfComment;
  /** by its author */
  'comment.deleted': OfComment;
  /** by an admin. @param pilot its author */
  'comment.removed': OfMission & { commentId: string; pilot: string; userId: string };
  'reminder.due': Due & { reminderId: string };
  /** too few pilots, for the mission's creator */
  'turnout.low': Due & { warningId: string };

  'template.saved': OfTemplate;
  'template.changed': OfTemplate & { formerName: string; isOverwritten: boolean };
  'template.deleted': OfTemplate;

  'series.created': SeriesChanged;
  /** @param from a date; null for all */
  'series.changed': SeriesChanged & { from: string | null };
  'series.date_skipped': SeriesByAdmin & { date: string };
  'series.ended': SeriesByAdmin & { removedDrafts: number; cancelled: number };
  'series.taken_over': SeriesByAdmin;
  /** by the server, when its creator is no longer an admin */
  'series.paused': OfSeries;
  /** by the server, when its creator is one again */
  'series.resumed': OfSeries;
  /** The mission of a date cannot be made. */
  'series.date_failed': { seriesId: string };
}

const missionRecord = ({ by, mission }: OfMission, action: AuditRecord['action'], detail = {}): AuditRecord => ({
  by,
  action,
  subject: { type: 'mission', id: mission.id },
  detail: { name: mission.name, ...detail },
});
const templateRecord = ({ by, template }: OfTemplate, action: AuditRecord['action'], detail = {}): AuditRecord => ({
  by,
  action,
  subject: { type: 'template', id: template.id },
  detail: { name: template.name, ...detail },
});
const seriesRecord = (event: OfSeries | SeriesByAdmin, action: AuditRecord['action'], detail = {}): AuditRecord => ({
  by: 'by' in event ? event.by : null,
  action,
  subject: { type: 'series', id: event.series.id },
  detail: { name: event.series.name, ...detail },
});

/** The admins' boards alone. */
const ON_BOARDS = { ...NOTHING, live: () => ['missions' as const] };
/** A change of a series of which missions may have to be made as soon as the transaction has committed. */
const MAKES_MISSIONS = { ...ON_BOARDS, work: () => [{ makeOccurrences: true as const }] };

const ofThread = (action: CommentAction) => ({
  ...NOTHING,
  live: () => ['thread' as const],
  webhooks: ({ missionId, commentId }: OfComment) => [
    { type: 'mission.comment' as const, missionId, commentId, action },
  ],
});

export const MISSION_CONSEQUENCES: Consequences<MissionEvents> = {
  'mission.created': { ...ON_BOARDS, audit: (event) => missionRecord(event, 'mission_created') },
  'mission.opened': {
    ...NOTHING,
    // one that has begun counts as running
    live: ({ hasBegun }) => ['missions', ...(hasBegun ? (['stats'] as const) : [])],
    discord: ({ missionIds, week }) => [
      ...missionIds.map((mission) => ({ mission, isNew: week === null })),
      ...(week === null ? [] : [{ week }]),
    ],
    push: ({ missionIds, isPractice }) => (isPractice ? null : [{ kind: 'news', missionIds }]),
    webhooks: ({ missionIds }) =>
      missionIds.map((missionId) => ({ type: 'mission.published', missionId, changes: [] })),
  },
  'mission.published': auditOnly((event) =>
    missionRecord(event, 'mission_published', { orders: event.orders, openSeats: event.openSeats }),
  ),
  'mission.edited': {
    ...ON_BOARDS,
    audit: (event) => missionRecord(event, 'mission_edited', { changes: event.changes }),
    discord: ({ mission }) => [{ mission: mission.id }],
    webhooks: ({ mission, changes }) => [{ type: 'mission.changed', missionId: mission.id, changes }],
  },
  'mission.cancelled': {
    ...NOTHING,
    audit: (event) => missionRecord(event, 'mission_cancelled', { ordersCancelled: event.ordersCancelled }),
    live: ({ was }) => ['missions', ...(was === 'launched' ? (['stats'] as const) : [])],
    discord: ({ mission }) => [{ mission: mission.id }],
    webhooks: ({ mission, was }) =>
      was === 'draft' ? null : [{ type: 'mission.cancelled', missionId: mission.id, changes: [] }],
  },
  'mission.file_kept': {
    ...ON_BOARDS,
    audit: (event) => {
      const { file, version, sha256 } = event;
      return missionRecord(event, 'mission_file_kept', { file, version, sha256 });
    },
  },
  'practice.removed': {
    ...NOTHING,
    audit: (event) => missionRecord(event, 'practice_removed'),
    live: ({ pilotIds }) => [['orders', pilotIds], 'missions'],
    discord: ({ pilotIds }) => [{ seats: pilotIds }],
    work: ({ freed }) => [{ freed }],
  },
  'pilot.assigned': auditOnly(({ by, mission, pilot, userId, seat, replaced }) => ({
    by,
    action: 'pilot_assigned',
    subject: { type: 'mission', id: mission.id },
    detail: {
      missionName: mission.name,
      pilot,
      userId,
      seat,
      replaced: replaced?.name ?? null,
      ...(replaced && { replacedId: replaced.id }),
    },
  })),
  'pilot.removed': auditOnly(({ by, mission, pilot, userId, seat }) => ({
    by,
    action: 'pilot_removed',
    subject: { type: 'mission', id: mission.id },
    detail: { missionName: mission.name, pilot, userId, seat },
  })),
  'pilots.nudged': auditOnly((event) =>
    missionRecord(event, 'pilots_nudged', { about: event.about, pilots: event.pilots }),
  ),
  'attendance.recorded': {
    ...NOTHING,
    audit: (event) => missionRecord(event, 'attendance_recorded', { marks: event.marks }),
    live: ({ told }) => ['missions', ['orders', told.map(({ pilotId }) => pilotId)]],
    discord: ({ told }) => [{ seats: told.map(({ pilotId }) => pilotId) }],
    ...newsOf('attendance', ({ told }: MissionEvents['attendance.recorded']) => told.map(({ orderId }) => orderId)),
  },
  'attendance.proposed': {
    ...ON_BOARDS,
    audit: (event) => missionRecord(event, 'attendance_proposed', { proposals: event.proposals }),
  },
  'attendance.dismissed': {
    ...ON_BOARDS,
    audit: (event) => missionRecord(event, 'attendance_dismissed', { proposals: event.proposals }),
  },
  'game_name.set': {
    ...ON_BOARDS,
    audit: (event) => missionRecord(event, 'game_name_set', { pilot: event.pilot, userId: event.userId }),
  },
  'game_name.removed': {
    ...ON_BOARDS,
    audit: (event) => missionRecord(event, 'game_name_removed', { pilot: event.pilot, userId: event.userId }),
  },
  // no push and no email: a thread is read where it stands, and a message for each comment would drown the orders
  'comment.written': ofThread('written'),
  'comment.edited': ofThread('edited'),
  'comment.deleted': ofThread('removed'),
  'comment.removed': {
    ...NOTHING,
    audit: ({ by, mission, pilot, userId }) => ({
      by,
      action: 'comment_removed',
      subject: { type: 'mission', id: mission.id },
      detail: { missionName: mission.name, pilot, userId },
    }),
    live: () => ['thread'],
    webhooks: ({ mission, commentId }) => [
      { type: 'mission.comment', missionId: mission.id, commentId, action: 'removed' },
    ],
  },
  'reminder.due': {
    ...NOTHING,
    live: ({ userId }) => [['orders', [userId]], 'missions'],
    discord: ({ userId }) => [{ seats: [userId] }],
    mail: ({ channels, reminderId, userId, deadlineAt }) =>
      channels.email ? [{ kind: 'reminder', reminderId, userId, deadlineAt }] : null,
    push: ({ channels, reminderId: subjectId, userId, deadlineAt }) =>
      channels.push ? [{ kind: 'reminder', userId, subjectId, deadlineAt }] : null,
  },
  'turnout.low': {
    ...NOTHING,
    mail: ({ channels, warningId, userId, deadlineAt }) =>
      channels.email ? [{ kind: 'turnout', warningId, userId, deadlineAt }] : null,
    push: ({ channels, warningId: subjectId, userId, deadlineAt }) =>
      channels.push ? [{ kind: 'turnout', userId, subjectId, deadlineAt }] : null,
  },

  'template.saved': { ...ON_BOARDS, audit: (event) => templateRecord(event, 'mission_template_saved') },
  'template.changed': {
    ...ON_BOARDS,
    audit: (event) => {
      const { formerName, isOverwritten } = event;
      return templateRecord(event, 'mission_template_changed', { formerName, isOverwritten });
    },
  },
  'template.deleted': { ...ON_BOARDS, audit: (event) => templateRecord(event, 'mission_template_deleted') },

  'series.created': {
    ...MAKES_MISSIONS,
    audit: (event) => seriesRecord(event, 'series_created', { rule: event.rule }),
  },
  'series.changed': {
    ...MAKES_MISSIONS,
    audit: (event) => seriesRecord(event, 'series_changed', { rule: event.rule, from: event.from }),
  },
  'series.date_skipped': {
    ...ON_BOARDS,
    audit: (event) => seriesRecord(event, 'series_date_skipped', { date: event.date }),
  },
  'series.ended': {
    ...ON_BOARDS,
    audit: (event) => {
      const { removedDrafts, cancelled } = event;
      return seriesRecord(event, 'series_ended', { removedDrafts, cancelled });
    },
  },
  'series.taken_over': { ...MAKES_MISSIONS, audit: (event) => seriesRecord(event, 'series_taken_over') },
  'series.paused': { ...ON_BOARDS, audit: (event) => seriesRecord(event, 'series_paused') },
  'series.resumed': { ...ON_BOARDS, audit: (event) => seriesRecord(event, 'series_resumed') },
  'series.date_failed': ON_BOARDS,
};
