/**
 * The HTTP contract as it was fixed before the code: shapes and answers by name. The document may say more, but each of
 * these fields must be in it, and null only where the contract allows it.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createOpenApi } from '#server/http/rest/openapi.ts';

/** Fields of each shape; `?` after a name: the value can be null. */
const SHAPES: Record<string, string> = {
  User: 'id email displayName? timeZone roles createdAt',
  Status: 'state effectiveState minutes? expiresAt?',
  Slot: 'weekday startLocal endLocal aircraftCodeId notes?',
  Template: 'id name isActive slots',
  Window: 'timeZone days',
  Aircraft: 'id code name seats roles active',
  FragOrder:
    'id seq label status statusReason? rsvp missionId missionName theater startUtc endUtc flightCallsign aircraftName ' +
    'seatIndex role title reasons issuedAt expiresAt confirmedAt? standbyPosition?',
  AcceptedMission: 'id launchUtc? totUtc? radioFreq? side notes? package',
  Stats: 'totalUsers missionsRunning',
  Mission: 'id name theater status timeZone startLocal endLocal startUtc endUtc createdByName notes? packages',
  Package: 'id callsign objective launchUtc? launch? totUtc? tot? notes? sortOrder flights',
  Flight:
    'id callsign aircraftId aircraftName role side launchUtc? launch? totUtc? tot? radioFreq? sizeCap notes? sortOrder ' +
    'acceptedCount pendingCount openSlots assignments',
  Assignment: 'flightId seatIndex userId userDisplayName',
  Recommendation:
    'rank startLocal endLocal startUtc endUtc participantCount reason availableUserNames availableUserIds',
  Guild:
    'id name iconUrl? status memberCount? registeredMemberCount globalEventOptIns installedAt lastSeenAt ' +
    'defaultSplashChannelId?',
  GuildDetail: 'id registeredMembers members channels recentEvents',
  GuildMember:
    'discordUserId discordUsername isModerator isRegistered fightClubUserId? wantsGlobalEvents joinedAt? updatedAt',
  Channel: 'id name type topic? isNsfw isPostable canSendMessages canEmbedLinks lastUpdated',
  GuildEvent: 'id eventType eventData? errorMessage? occurredAt',
  DaySummary: 'date timeZone missions flights pilotsAssigned awaitingSlots expectedPilots',
  WeekSummary: 'startDate timeZone dailySummaries upcomingLaunches',
  ExpectedOnline: 'bucketMinutes points',
  UsersPage: 'users total page pageSize',
  Roles: 'roles',
  AvailabilitySummary: 'user availabilityWindows aircraftProficiencies upcomingMissions previousMissions',
  Proficiency: 'aircraftId aircraftCode aircraftName level updatedAt',
  AssignedMission:
    'missionId missionName theater packageCallsign flightCallsign aircraftName seatIndex startLocal endLocal status',
  Schedule: 'user schedule',
  CreatedMission: 'mission slotsSummary issued',
  IssuedOrders: 'orders openSeats',
  MissionsByDate: 'date timeZone totalMissions missions',
  RecommendedTimes: 'totalAvailableUsers recommendations',
  PostedRegistration: 'success errorMessage?',
  InboxStatus: 'hasNewOrders pendingCount',
  RegistrationStart: 'guild authorizeUrl?',
  CompletedRegistration: 'success message fightClubUserId signInUrl?',
  DevToken: 'token user',
  Success: 'success',
};

/** Answers by call: status, shape (`[]`: a list of it) and parameters in the query. */
const ANSWERS: Record<string, string> = {
  'post /auth/register': '201 User',
  'post /auth/login': '200 User',
  'post /auth/logout': '200 Success',
  'get /auth/me': '200 User',
  'post /auth/password': '200 Success',
  // with `looksLike`
  'put /users/{id}': '200 ComparedUser',
  'get /users/{id}/status': '200 Status',
  'put /users/{id}/status': '200 Status',
  'get /users/{id}/availability/templates': '200 Template[]',
  'post /users/{id}/availability/templates': '201 Template',
  'put /users/{id}/availability/templates/{templateId}': '200 Template',
  'get /users/{id}/availability/window': '200 Window start days',
  'get /stats': '200 Stats',
  'post /users/dev-token': '200 DevToken',
  'get /aircraft': '200 Aircraft[] activeOnly',
  'get /admin/dashboard/summary': '200 DaySummary day tz',
  'get /admin/dashboard/weekly-summary': '200 WeekSummary startDate tz',
  'get /admin/dashboard/series/expected-online': '200 ExpectedOnline from to bucket',
  'get /admin/users': '200 UsersPage page pageSize query role',
  'post /admin/users/{id}/reset-password': '200 Success',
  'get /admin/users/{id}/roles': '200 Roles',
  'post /admin/users/{id}/roles': '200 Roles',
  'delete /admin/users/{id}/roles/{role}': '200 Roles',
  'get /admin/users/{id}/availability-summary': '200 AvailabilitySummary upcomingDays tz',
  'get /admin/users/{id}/availability': '200 Schedule tz',
  'post /admin/missions': '201 CreatedMission',
  'get /admin/missions/by-date': '200 MissionsByDate date tz',
  'get /admin/missions/recommended-time': '200 RecommendedTimes date tz minDuration limit seats',
  'get /discord/guilds': '200 Guild[]',
  'get /discord/guilds/{guildId}': '200 GuildDetail',
  'post /discord/guilds/{guildId}/registration': '200 PostedRegistration',
  'get /pilot/inbox': '200 FragOrder[]',
  // with the briefing
  'get /pilot/inbox/{id}': '200 AcceptedMission',
  'get /pilot/inbox/status': '200 InboxStatus',
  'get /pilot/inbox/accepted': '200 AcceptedMission[]',
  'post /pilot/inbox/{id}/rsvp': '200 FragOrder',
  'post /public/registration/start': '200 RegistrationStart guildId campaignId',
  'post /public/registration/complete': '200 CompletedRegistration',
};

const reference = z.object({ $ref: z.string() });
const schema = z.looseObject({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) });
const answer = z.looseObject({
  content: z.object({
    'application/json': z.object({
      schema: z.object({ $ref: z.string().optional(), items: reference.optional() }),
    }),
  }),
});
const { paths, components } = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(createOpenApi());

/** True for a schema whose value can be null. */
function isNullable(value: unknown): boolean {
  const { type, anyOf = [] } = z
    .object({ type: z.unknown().optional(), anyOf: z.array(z.unknown()).optional() })
    .parse(value);
  return [type].flat().includes('null') || anyOf.some(isNullable);
}

describe('shapes', () => {
  test.each(Object.entries(SHAPES))('%s', (name, fields) => {
    const { properties, required } = schema.parse(components.schemas[name]);
    const wanted = fields.split(' ').map((field) => ({ field: field.replace('?', ''), isNull: field.endsWith('?') }));
    expect(required).toEqual(expect.arrayContaining(wanted.map(({ field }) => field)));
    const nullable = wanted.filter(({ field }) => isNullable(properties[field]));
    expect(nullable.map(({ field }) => field)).toEqual(wanted.filter(({ isNull }) => isNull).map(({ field }) => field));
  });
});

describe('answers', () => {
  test.each(Object.entries(ANSWERS))('%s', (call, wanted) => {
    const [method = '', path = ''] = call.split(' ');
    const [status = '', shape = '', ...names] = wanted.split(' ');
    const { responses, parameters } = z
      .object({
        responses: z.record(z.string(), z.unknown()),
        parameters: z.array(z.object({ name: z.string().optional(), in: z.string().optional() })),
      })
      .parse(paths[path]?.[method]);
    const json = answer.parse(responses[status]).content['application/json'].schema;
    const found = json.$ref ?? `${json.items?.$ref}[]`;
    expect(found).toBe(`#/components/schemas/${shape}`);
    const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    expect(inQuery).toEqual(expect.arrayContaining(names));
  });
});
