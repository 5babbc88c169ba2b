/** Sentences about bans. */
export const bansCopy = {
  banned: 'Banned',
  lifted: 'Ban lifted',
  liftFailed: 'Error lifting the ban: ',
  loading: 'Loading bans...',
  loadFailed: 'Error loading bans: ',
  none: 'Nobody is banned',
  noneMeaning: 'Ban an account in the menu of the users list, or add an email or a Discord id here.',
  meaning: (name: string) =>
    `${name} is suspended and signed out everywhere, and loses every seat. Nobody can register, be imported or sign in with the email or the Discord account again, even after the account is deleted.`,
  addMeaning:
    'Nobody can register, be imported or sign in with these again. An account that has one of them is banned with it. Marshal stores no address or id, only what is needed to recognize it.',
  liftMeaning: (hasAccount: boolean) =>
    hasAccount
      ? 'The account stays suspended until you restore it in the users list.'
      : 'The address can be used to register again.',
} as const;
