/** Sentences of the home screen; the specification fixes the failures. */

export const homeCopy = {
  loadingOrders: 'Loading frag orders...',
  ordersFailed: 'Failed to load frag orders',
  loadingAccepted: 'Loading accepted missions...',
  acceptedFailed: 'Failed to load accepted missions',
  loadingStatus: 'Loading status...',
  statusFailed: 'Failed to load status',
  loadingStats: 'Loading stats...',
  statsFailed: 'Failed to load stats',
  loadingWindow: 'Loading availability...',
  windowFailed: 'Failed to load availability',
  loadingNotices: 'Loading notices...',
  noticesFailed: 'Failed to load notices',
  noticeFailed: 'Failed to dismiss the notice',
  welcome: 'Three things that help',
  noNextMission: "None planned yet. We'll tell you as soon as one fits your times.",
  noAircraft: 'Which aircraft do you fly?',
  whyListAircraft: 'Until you list them, you may be asked to fly any.',
} as const;
