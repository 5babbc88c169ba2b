/**
 * What can follow from an event, by channel. Each event has a row in a file beside this one, which says for every channel what
 * follows, or null: decided, nothing. `server/signals/emit.ts` and the rooms of mail and webhooks carry it out before the commit.
 */
import type { WebhookEvent } from '#shared/webhook-events.ts';
import type { AuditAction } from '#shared/vocabulary.ts';
import type { Change } from '#server/signals/rules/live-audience.ts';
import { hasLetter, type MailTopic, type NewsKind } from '#server/signals/rules/order-news.ts';

/** The operator of the installation, who has no account: `npm run marshal`. */
export const COMMAND_LINE = { by: 'command line' } as const;

/** The account that makes a change, or the operator. */
export type Actor = { id: string } | typeof COMMAND_LINE;

export interface AuditSubject {
  type:
    | 'user'
    | 'mission'
    | 'template'
    | 'series'
    | 'guild'
    | 'webhook'
    | 'aircraft'
    | 'invite'
    | 'community'
    | 'ban'
    | 'request';
  id: string;
}

/** An entry of the audit log. A name stands beside the id of its account, by which it is replaced when that is erased. */
export interface AuditRecord {
  /** null: the server itself, or somebody who is not signed in */
  by: Actor | null;
  action: AuditAction;
  subject: AuditSubject;
  detail?: Record<string, unknown>;
  /** No second entry within a quarter of an hour that has these details, so that a flood of attempts does not fill the table. */
  unlessSame?: Record<string, unknown>;
}

/** A change that open pages show, or the standby queue of a mission, in which every pilot's position may have changed. */
export type LiveChange = Change | { queueOf: string };

export type DiscordNews =
  /** the messages of these pilots: who gets any, and how they name their pilot */
  | { accounts: readonly string[] }
  /** their messages, the cards that name them, and the messages of their crews */
  | { seats: readonly string[] }
  /** their own messages alone */
  | { messages: readonly string[] }
  /** the scheduled events of a mission and the messages that name it. `isNew`: pilots who want news of open missions get them */
  | { mission: string; isNew?: boolean }
  /** news of a published week */
  | { week: string }
  /** all upcoming missions: a server shows more than before */
  | { upcoming: true }
  /** the pilots of a server who can get messages again. @param of Discord's ids; null: all members */
  | { membersOf: string; of: readonly string[] | null }
  /** the bot leaves a server */
  | { leave: string };

export type Mail =
  | { kind: 'order'; orderId: string; topic: MailTopic }
  | { kind: 'reminder'; reminderId: string; userId: string; deadlineAt: Date }
  | { kind: 'turnout'; warningId: string; userId: string; deadlineAt: Date }
  | { kind: 'verification' | 'welcome' | 'test'; userId: string }
  /** news about the safety of an account, which the audit entry tells */
  | { kind: 'security'; userId: string; auditId: string }
  | { kind: 'password'; address: string }
  | { kind: 'invite'; address: string; inviteId: string }
  /** a pilot's week after that Sunday, `YYYY-MM-DD` */
  | { kind: 'digest'; userId: string; sunday: string }
  /** a visitor's request, to all admins who want to hear of them */
  | { kind: 'request' };

export type Push =
  | { kind: NewsKind; orderIds: readonly string[] }
  /** a reminder, or a warning of too few pilots, of no use once the mission has begun */
  | { kind: 'reminder' | 'turnout'; userId: string; subjectId: string; deadlineAt: Date }
  /** news of missions that have just been published */
  | { kind: 'news'; missionIds: readonly string[] };

type OrderEvent = Extract<WebhookEvent, `order.${string}`>;
/** The action on a comment of a mission's thread. */
export type CommentAction = 'written' | 'edited' | 'removed';
type MissionEvent = 'mission.published' | 'mission.changed' | 'mission.cancelled';

/** An event that webhooks may want: its type and the ids of its subject. */
export type WebhookNote =
  | { type: OrderEvent; missionId: string; orderId: string }
  /** @param changes of a changed one, as in the audit log */
  | { type: MissionEvent; missionId: string; changes: readonly unknown[] }
  | { type: 'mission.comment'; missionId: string; commentId: string; action: CommentAction }
  | { type: 'pilot.registered'; userId: string };

/** Pilots who have time again that a mission took: other missions then can have them. */
export interface Freed {
  missionId: string;
  pilotIds: readonly string[];
  /** of the seat, which the mission may no longer have */
  startMs: number;
  endMs: number;
  now: Date;
}

export type Work =
  /** fill the free seats of a mission */
  | { backfillMission: string }
  /** this transaction has filled them: what was asked for until now is done */
  | { backfilledMission: string }
  /** the same, after a shared offer was accepted, for the pilots who were slower */
  | { backfillForSlower: string }
  /** offer free seats to a pilot, or pass on a suspended pilot's */
  | { backfillPilot: string }
  | { freed: Freed }
  /** make the missions of series that are due */
  | { makeOccurrences: true }
  | { backUp: true }
  | { sendCommunityMessage: string };

export interface Effects {
  audit: AuditRecord;
  /** open pages */
  live: readonly LiveChange[];
  discord: readonly DiscordNews[];
  mail: readonly Mail[];
  push: readonly Push[];
  webhooks: readonly WebhookNote[];
  work: readonly Work[];
}
export type Channel = keyof Effects;

/** What an event has besides its own facts. The audit entry has its id and its time. */
export interface Stamp {
  id: string;
  occurredAt: Date;
}

/** What follows from each event. */
export type Consequences<Events extends object> = {
  readonly [T in keyof Events]: {
    readonly [C in Channel]: ((event: Events[T] & Stamp) => Effects[C] | null) | null;
  };
};

/** For the channels that an event does not concern. */
export const NOTHING = {
  audit: null,
  live: null,
  discord: null,
  mail: null,
  push: null,
  webhooks: null,
  work: null,
} as const satisfies Record<Channel, null>;

/** A row for an event that only the audit log tells of. */
export const auditOnly = <Event>(audit: (event: Event) => AuditRecord | null) => ({ ...NOTHING, audit });

/** Notifications and email with news of an event's orders: the choices of each pilot decide which of them is sent. */
export const newsOf = <Event>(kind: NewsKind, orderIdsOf: (event: Event) => readonly string[]) => ({
  push: (event: Event): Push[] => {
    const orderIds = orderIdsOf(event);
    return orderIds.length === 0 ? [] : [{ kind, orderIds }];
  },
  mail: (event: Event): Mail[] =>
    hasLetter(kind) ? orderIdsOf(event).map((orderId) => ({ kind: 'order', orderId, topic: kind })) : [],
});
