/** What people in Discord read when the server could not say it. */
export const sentences = {
  serverAway: 'Marshal cannot be reached right now. Please try again in a minute.',
  failed: 'Something went wrong. Please try again; if it happens again, tell an admin.',
  unknownButton: 'This button is from another version of Marshal. Please use the commands: /help lists them.',
  unknownCommand: 'This command is from another version of Marshal. /help lists those of today.',
} as const;
