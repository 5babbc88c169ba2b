/** Sentences and level names of the aircraft list. */
import type { ProficiencyLevel } from '#shared/vocabulary.ts';

export const aircraftCopy = {
  loading: 'Loading your aircraft...',
  loadFailed: 'Failed to load your aircraft',
  loadingCatalogue: 'Loading aircraft...',
  catalogueFailed: 'Failed to load aircraft. You can list yours in your profile later.',
  saveFailed: 'Failed to save your aircraft',
  saved: 'Aircraft saved',

  none: 'No aircraft yet. Without a list you can be offered any aircraft, after pilots who listed it.',
  whyList: '"Any Aircraft" means any aircraft on this list.',
  mostFlown: 'Most flown here',
  oftenFlown: 'Often flown',
} as const;

export const LEVEL_NAMES: Record<ProficiencyLevel, string> = {
  basic: 'Basic',
  learning: 'Learning',
  proficient: 'Proficient',
  expert: 'Expert',
};

/** Meaning of each level, in the first person. */
export const LEVEL_MEANINGS: Record<ProficiencyLevel, string> = {
  basic: 'I can start it, fly it and land it.',
  learning: 'I am learning its systems and weapons.',
  proficient: 'I fly its missions without help and can lead a flight.',
  expert: 'I know it in depth and teach others.',
};
