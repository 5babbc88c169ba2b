/** Guild scheduled events, of the kind that happens elsewhere. */
import { GatewayIntentBits, PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { invalidForm, refusals } from '#tests/discord/emulator/errors.ts';
import { nextId } from '#tests/discord/emulator/ids.ts';
import { guildPermissions, isTimedOut } from '#tests/discord/emulator/permissions.ts';
import { eventShape } from '#tests/discord/emulator/shapes.ts';
import type { Guild, ScheduledEvent, World } from '#tests/discord/emulator/state.ts';
import { ownGuild } from './guilds.ts';
import type { Call, Route } from './route.ts';

const EVENTS = '/guilds/{guild_id}/scheduled-events';
const EVENT = `${EVENTS}/{guild_scheduled_event_id}`;
const EXTERNAL = 3;
const MOST_EVENTS = 100;
const FIVE_YEARS_MS = 5 * 366 * 86_400_000;

/** 1 scheduled, 2 active, 3 completed, 4 cancelled */
const NEXT_STATUSES: Record<number, readonly number[]> = { 1: [2, 4], 2: [3], 3: [], 4: [] };

interface EventBody {
  name?: string;
  description?: string | null;
  scheduled_start_time?: string;
  scheduled_end_time?: string | null;
  entity_type?: number | null;
  entity_metadata?: { location: string };
  status?: number | null;
}

/** Creating takes CREATE_EVENTS; one's own events, and there are no others, may be changed with either. */
const MAY_CREATE = Bits.CreateEvents;
const MAY_CHANGE = Bits.CreateEvents | Bits.ManageEvents;

/**
 * @param any one of these permissions is enough
 * @throws DiscordError 50013
 */
function checkMay(any: bigint, world: World, guild: Guild): void {
  const bot = guild.members.get(world.bot.id);
  const permissions = bot === undefined || isTimedOut(bot) ? 0n : guildPermissions(guild, bot);
  if ((permissions & any) === 0n) throw refusals.missingPermissions();
}

/** @throws DiscordError 10070 */
function eventIn(guild: Guild, { params }: Call): ScheduledEvent {
  const event = guild.events.get(params['guild_scheduled_event_id'] ?? '');
  if (event === undefined) throw refusals.unknownEvent();
  return event;
}

/** @throws DiscordError 50035 */
function checkTimes(startsAt: string, endsAt: string | null, mustBeFuture: boolean): void {
  const [start, end, now] = [Date.parse(startsAt), endsAt === null ? Number.NaN : Date.parse(endsAt), Date.now()];
  if (mustBeFuture && start <= now) {
    throw invalidForm(
      'scheduled_start_time',
      'GUILD_SCHEDULED_EVENT_SCHEDULE_PAST',
      'Cannot schedule event in the past.',
    );
  }
  if (start > now + FIVE_YEARS_MS) {
    throw invalidForm(
      'scheduled_start_time',
      'GUILD_SCHEDULED_EVENT_START_TOO_FAR',
      'Cannot schedule event so far ahead.',
    );
  }
  if (Number.isNaN(end)) throw invalidForm('scheduled_end_time', 'BASE_TYPE_REQUIRED', 'This field is required');
  if (end <= start) {
    throw invalidForm(
      'scheduled_end_time',
      'GUILD_SCHEDULED_EVENT_END_BEFORE_START',
      'End time must be after start time.',
    );
  }
}

function tell(world: World, kind: 'CREATE' | 'UPDATE' | 'DELETE', event: ScheduledEvent): void {
  world.dispatch(
    `GUILD_SCHEDULED_EVENT_${kind}`,
    event.guildId,
    eventShape(world)(event),
    GatewayIntentBits.GuildScheduledEvents,
  );
}

const SCHEDULED = 1;
const ACTIVE = 2;
const COMPLETED = 3;
/** Longest delay of setTimeout. */
const TIMER_MAX_MS = 2 ** 31 - 1;
const timers = new WeakMap<ScheduledEvent, ReturnType<typeof setTimeout>>();

/**
 * Starts and ends an external event at its times, as Discord does by itself.
 * https://docs.discord.com/developers/resources/guild-scheduled-event ("An external event will automatically begin at its scheduled start time")
 */
function watchClock(world: World, guild: Guild, event: ScheduledEvent): void {
  clearTimeout(timers.get(event));
  if (event.status >= COMPLETED || guild.events.get(event.id) !== event) return;
  const nextMs = Date.parse(event.status === SCHEDULED ? event.startsAt : (event.endsAt ?? ''));
  const step = (): void => {
    if (guild.events.get(event.id) === event && nextMs <= Date.now()) {
      event.status = event.status === SCHEDULED ? ACTIVE : COMPLETED;
      tell(world, 'UPDATE', event);
    }
    watchClock(world, guild, event);
  };
  const timer = setTimeout(step, Math.min(Math.max(1, nextMs - Date.now() + 1), TIMER_MAX_MS));
  timer.unref();
  timers.set(event, timer);
}

export const scheduledEventRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: EVENTS,
    handle: (world, call) => ({
      body: [...ownGuild(world, call).events.values()].filter(({ status }) => status < 3).map(eventShape(world)),
    }),
  },
  {
    method: 'POST',
    path: EVENTS,
    handle: (world, call) => {
      const guild = ownGuild(world, call);
      checkMay(MAY_CREATE, world, guild);
      const body = call.body as EventBody;
      if (body.entity_type !== EXTERNAL) {
        throw invalidForm('entity_type', 'BASE_TYPE_CHOICES', 'Only external events exist here.');
      }
      const location = body.entity_metadata?.location ?? '';
      if (location === '')
        throw invalidForm('entity_metadata.location', 'BASE_TYPE_REQUIRED', 'This field is required');
      if (!body.name) throw invalidForm('name', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
      const [startsAt, endsAt] = [body.scheduled_start_time ?? '', body.scheduled_end_time ?? null];
      checkTimes(startsAt, endsAt, true);
      const open = [...guild.events.values()].filter(({ status }) => status < 3);
      if (open.length >= MOST_EVENTS) throw refusals.tooManyEvents();
      const event: ScheduledEvent = {
        id: nextId(),
        guildId: guild.id,
        name: body.name,
        description: body.description ?? null,
        status: 1,
        startsAt,
        endsAt,
        location,
      };
      guild.events.set(event.id, event);
      tell(world, 'CREATE', event);
      watchClock(world, guild, event);
      return { body: eventShape(world)(event) };
    },
  },
  {
    method: 'GET',
    path: EVENT,
    handle: (world, call) => ({ body: eventShape(world)(eventIn(ownGuild(world, call), call)) }),
  },
  {
    method: 'PATCH',
    path: EVENT,
    handle: (world, call) => {
      const guild = ownGuild(world, call);
      checkMay(MAY_CHANGE, world, guild);
      const event = eventIn(guild, call);
      const body = call.body as EventBody;
      const status = body.status ?? event.status;
      if (event.status > 2) throw refusals.finishedEvent();
      if (status !== event.status && !NEXT_STATUSES[event.status]?.includes(status)) {
        throw invalidForm('status', 'GUILD_SCHEDULED_EVENT_STATUS', 'Invalid Guild Scheduled Event Status Transition');
      }
      const startsAt = body.scheduled_start_time ?? event.startsAt;
      const endsAt = body.scheduled_end_time === undefined ? event.endsAt : body.scheduled_end_time;
      const isMoved = Date.parse(startsAt) !== Date.parse(event.startsAt);
      if (isMoved || endsAt !== event.endsAt) checkTimes(startsAt, endsAt, isMoved);
      Object.assign(event, {
        status,
        startsAt,
        endsAt,
        name: body.name ?? event.name,
        description: body.description === undefined ? event.description : body.description,
        location: body.entity_metadata?.location ?? event.location,
      });
      tell(world, 'UPDATE', event);
      watchClock(world, guild, event);
      return { body: eventShape(world)(event) };
    },
  },
  {
    method: 'DELETE',
    path: EVENT,
    handle: (world, call) => {
      const guild = ownGuild(world, call);
      checkMay(MAY_CHANGE, world, guild);
      const event = eventIn(guild, call);
      guild.events.delete(event.id);
      tell(world, 'DELETE', event);
      return {};
    },
  },
];
