/** The REST calls, a row each: method, path under /api/v1, procedure, and the status of success when it is not 200. */

export type Method = 'get' | 'post' | 'put' | 'delete';
export type Row = readonly [method: Method, path: string, procedure: string, status?: 201];

export const REST_TABLE: readonly Row[] = [
  ['post', '/auth/register', 'auth.register', 201],
  ['post', '/auth/login', 'auth.login'],
  ['post', '/auth/logout', 'auth.logout'],
  ['get', '/auth/me', 'auth.me'],
  ['get', '/auth/viewer', 'auth.viewer'],
  ['post', '/auth/password', 'auth.changePassword'],
  ['post', '/auth/sign-in-link', 'auth.redeemSignInLink'],
  ['post', '/auth/credentials', 'auth.setCredentials'],
  ['get', '/auth/sessions', 'auth.sessions'],
  ['delete', '/auth/sessions/:id', 'auth.endSession'],
  ['post', '/auth/sessions/end-others', 'auth.endOtherSessions'],

  ['post', '/users/dev-token', 'auth.devToken'],
  ['put', '/users/:id', 'pilot.updateProfile'],
  ['get', '/users/:id/status', 'pilot.status'],
  ['put', '/users/:id/status', 'pilot.setStatus'],
  ['get', '/users/:id/proficiencies', 'pilot.proficiencies'],
  ['put', '/users/:id/proficiencies/:aircraftId', 'pilot.setProficiency'],
  ['delete', '/users/:id/proficiencies/:aircraftId', 'pilot.removeProficiency'],
  ['get', '/users/:id/notifications', 'pilot.notifications'],
  ['put', '/users/:id/notifications', 'pilot.setNotifications'],
  ['get', '/users/:id/availability/templates', 'availability.templates'],
  ['post', '/users/:id/availability/templates', 'availability.createTemplate', 201],
  ['put', '/users/:id/availability/templates/:templateId', 'availability.updateTemplate'],
  ['get', '/users/:id/availability/window', 'availability.window'],
  ['get', '/users/:id/availability/overrides', 'availability.overrides'],
  ['post', '/users/:id/availability/overrides', 'availability.addOverride', 201],
  ['delete', '/users/:id/availability/overrides/:overrideId', 'availability.removeOverride'],

  ['get', '/stats', 'pilot.stats'],
  ['get', '/aircraft', 'availability.aircraft'],

  ['get', '/pilot/inbox', 'pilot.inbox'],
  ['get', '/pilot/inbox/status', 'pilot.inboxStatus'],
  ['get', '/pilot/inbox/accepted', 'pilot.accepted'],
  ['get', '/pilot/inbox/:id', 'pilot.order'],
  ['post', '/pilot/inbox/:id/rsvp', 'pilot.rsvp'],

  ['get', '/pilot/calendar', 'calendar.feed'],
  ['post', '/pilot/calendar', 'calendar.renew', 201],
  ['delete', '/pilot/calendar', 'calendar.end'],
  ['get', '/pilot/push/key', 'pilot.push.key'],
  ['get', '/pilot/push/subscriptions', 'pilot.push.subscriptions'],
  ['post', '/pilot/push/subscriptions', 'pilot.push.subscribe', 201],
  ['delete', '/pilot/push/subscriptions', 'pilot.push.unsubscribe'],
  ['post', '/pilot/push/test', 'pilot.push.test'],

  ['post', '/admin/missions', 'admin.createMission', 201],
  ['get', '/admin/missions/by-date', 'admin.missionsByDate'],
  ['get', '/admin/users', 'admin.users'],
  ['post', '/admin/users/:id/reset-password', 'admin.resetPassword'],
  ['get', '/admin/users/:id/roles', 'admin.roles'],
  ['post', '/admin/users/:id/roles', 'admin.addRole'],
  ['delete', '/admin/users/:id/roles/:role', 'admin.removeRole'],

  ['get', '/discord/guilds', 'discord.guilds'],
  ['get', '/discord/guilds/:guildId', 'discord.guild'],

  ['post', '/public/registration/start', 'discord.startRegistration'],
  ['post', '/public/registration/complete', 'discord.completeRegistration'],
];
