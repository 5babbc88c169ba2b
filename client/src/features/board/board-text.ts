/** Sentences of the operations board; the specification fixes those that begin with `Error`. */
import { CHART_WEEKS_MIN } from './fill-text.ts';

export const boardCopy = {
  dashboardFailed: 'Error loading dashboard: ',
  missionsFailed: 'Error loading missions: ',
  recommendationsFailed: 'Error loading recommendations: ',
  onlineFailed: 'Error loading expected pilots: ',
  heatFailed: 'Error loading availability: ',
  needsFailed: 'Error loading what missions need: ',
  loadingDashboard: 'Loading dashboard...',
  loadingMissions: 'Loading missions...',
  loadingRecommendations: 'Loading recommendations...',
  loadingOnline: 'Loading expected pilots...',
  loadingHeat: 'Loading availability...',
  loadingNeeds: 'Loading what missions need...',
  fillTitle: 'Seats filled at the start',
  fillFailed: 'Error loading filled seats: ',
  loadingFill: 'Loading filled seats...',
  noFill: 'No mission has started in the last 12 weeks: the share of filled seats appears here.',
  fewWeeks: `A chart appears here after ${CHART_WEEKS_MIN} weeks with missions.`,
  noNeeds: 'Nothing: missions of the next 7 days have enough pilots, and nobody keeps them waiting',
  nobodyToNudge: 'Nobody keeps you waiting any more',
  noTimes: 'Nobody has entered times yet',
  noTimesYet: "You'll see here when most pilots are free, and which times suit a mission.",
  practiceMade: 'Your practice order is on your home page',
  practiceRemoved: 'Practice mission removed',
  practiceMeaning:
    "A mission just for you shows how orders work. It doesn't count, sends nothing, and you can remove it.",
  practiceOn: 'Ready: answer its order, look at the mission on the board, then remove it.',
  nameRequired: 'Enter the name of your community',
  noLaunches: 'No launches in the next 7 days',
  noRecommendations: 'No recommended times for this day',
} as const;
