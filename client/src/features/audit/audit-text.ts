/** Sentences of the audit log. */
export const auditCopy = {
  loading: 'Loading audit log...',
  loadFailed: 'Error loading audit log: ',
  empty: 'No entries yet',
  emptyMeaning: 'Changes to roles, passwords, levels, missions and seats appear here, along with sign-ins.',
  emptyFiltered: 'No entries match these filters',
  emptyPage: 'There is no such page',
  actorGone: 'deleted account',
  actorUnknown: 'not signed in',
  commandLine: 'command line',
} as const;
