/** The closed union of what can happen, and what follows from it. A new event does not compile until each channel has decided. */
import { ACCOUNT_CONSEQUENCES, type AccountEvents } from './accounts.ts';
import { COMMUNITY_CONSEQUENCES, type CommunityEvents } from './community.ts';
import { DISCORD_CONSEQUENCES, type DiscordEvents } from './discord.ts';
import type { Consequences } from './effects.ts';
import { MISSION_CONSEQUENCES, type MissionEvents } from './missions.ts';
import { ORDER_CONSEQUENCES, type OrderEvents } from './orders.ts';
import { PILOT_CONSEQUENCES, type PilotEvents } from './pilots.ts';

export interface Events
  extends AccountEvents, CommunityEvents, DiscordEvents, MissionEvents, OrderEvents, PilotEvents {}
export type EventType = keyof Events;

/** An event with its facts. */
export type MarshalEvent = { [T in EventType]: { type: T } & Events[T] }[EventType];

export const CONSEQUENCES: Consequences<Events> = {
  ...ACCOUNT_CONSEQUENCES,
  ...COMMUNITY_CONSEQUENCES,
  ...DISCORD_CONSEQUENCES,
  ...MISSION_CONSEQUENCES,
  ...ORDER_CONSEQUENCES,
  ...PILOT_CONSEQUENCES,
};
