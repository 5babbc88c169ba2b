/** Groups of operations in the OpenAPI document, in the order in which a reader meets them. */
export const TAGS = {
  Auth: 'Registration with email, sign-in, sessions and passwords.',
  Profile:
    "A pilot's own data: status, aircraft and levels, notification choices, linked Discord account, track record.",
  Tokens: 'Personal access tokens for scripts. Only a signed-in browser can make and revoke them.',
  Availability: "A pilot's week (templates), dated exceptions (overrides), and the free times that follow from both.",
  Inbox: 'Frag orders of the signed-in pilot: read and answer them, and load their files.',
  Seats: 'Open seats that a pilot can take, and swaps of seats between two pilots.',
  Notifications: 'Notices on the home page, push notifications, the calendar link and the stream of live changes.',
  Calendar: 'Missions as pilots see them: their own and the open ones.',
  Missions: "An admin's work on missions: plan, create, edit, publish, cancel, seat pilots, record attendance.",
  'Game servers': 'What a game server reads to keep cockpits for the pilots who have orders.',
  'Templates and series': 'Missions to create again: templates without a date, and series that repeat by themselves.',
  Dashboard: 'Figures for admins: days and weeks, expected pilots, recommended times, turnout.',
  Users: "Accounts for admins: list, roles, passwords, one pilot's availability, and the audit log.",
  Aircraft: "Aircraft types: those of the catalogue, and the community's own.",
  Community: 'The name of the community, who may register, invites, and accounts that wait for approval.',
  Email: 'Verification, unsubscribing, invites by email, and what was not sent. Only where an SMTP server is set up.',
  Discord: 'Discord servers in which the bot is installed, and the state of the bot.',
  Registration: 'Registration from Discord with a personal link.',
  Webhooks: 'Addresses to which Marshal posts events, signed by Standard Webhooks, and the log of deliveries.',
  Backups: 'Backups of the database.',
  Reference: 'Lists and figures that other calls refer to.',
} as const satisfies Record<string, string>;

export type Tag = keyof typeof TAGS;
