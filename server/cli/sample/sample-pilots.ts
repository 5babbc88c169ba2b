/** The forty pilots of the sample community. Nobody here is a real person. */
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import type { SampleWeek } from './sample-weeks.ts';

const HORNET = 'FA-18C_hornet';
const VIPER = 'F-16C_50';
const HAWG = 'A-10C_2';
const TOMCAT = 'F-14B';
const STRIKE_EAGLE = 'F-15ESE';
const EAGLE = 'F-15C';
const PHANTOM = 'F-4E-45MC';
const HARRIER = 'AV8BNA';
const MIRAGE = 'M-2000C';
const VIGGEN = 'AJS37';
const FLANKER = 'Su-27';
const FULCRUM = 'MiG-29S';
const APACHE = 'AH-64D_BLK_II';
const HIND = 'Mi-24P';
const KIOWA = 'OH58D';
const GCI = 'GCI';

type SampleLevels = readonly (readonly [aircraftCode: string, level: ProficiencyLevel])[];

/** `week` null: a pilot who has not entered any availability yet; without levels: one who has not listed any aircraft. */
type Row = readonly [mailbox: string, callSign: string, week: SampleWeek | null, ...levels: SampleLevels];

export interface SamplePilot {
  mailbox: string;
  callSign: string;
  timeZone: string;
  week: SampleWeek | null;
  levels: SampleLevels;
}

/** The pilots whose sign-ins are printed: one in each part of the world. */
export const PRINTED_PILOTS = ['vesper', 'brakeline', 'inari'] as const;

const BY_ZONE: Record<string, readonly Row[]> = {
  'Europe/Berlin': [
    ['vesper', 'Vesper', 'everyEvening', [HORNET, 'expert'], [VIPER, 'proficient'], [MIRAGE, 'learning']],
    ['mara', 'Mara "Lantern" Lindqvist', 'weeknights', [VIPER, 'expert'], [HORNET, 'learning']],
    ['dachshund', 'Dachshund', 'oddNights', [HAWG, 'proficient'], [APACHE, 'basic']],
    ['kessel', 'Jonas Kessel', 'lateEveryEvening', [STRIKE_EAGLE, 'proficient'], [VIPER, 'learning']],
    ['quill', 'Quill', 'viperDriver', [VIPER, 'proficient']],
    ['ostara', 'Ostara', 'longWeekend', [TOMCAT, 'expert'], [PHANTOM, 'proficient'], [VIPER, 'basic']],
    ['hummel', 'Greta Hummel', 'rotorheads', [APACHE, 'expert'], [KIOWA, 'proficient']],
    ['zwieback', 'Zwieback', null, [HORNET, 'basic']],
  ],
  'Europe/London': [
    ['marzipan', 'Marzipan', 'everyEvening', [HARRIER, 'expert'], [HORNET, 'proficient'], [VIPER, 'basic']],
    ['pemberley', 'Alice Pemberley', 'weeknights', [HORNET, 'proficient'], [VIPER, 'learning'], [GCI, 'learning']],
    ['halfpenny', 'Halfpenny', 'evenNights', [VIPER, 'learning']],
    ['sixmile', 'Owen "Sixmile" Carrow', 'mixed', [HORNET, 'learning'], [MIRAGE, 'proficient']],
    ['gorse', 'Gorse', 'nightOwl', [VIPER, 'expert'], [EAGLE, 'proficient'], [FLANKER, 'learning']],
    ['thimble', 'Thimble', 'controller', [GCI, 'expert']],
    ['tamworth', 'Ruth Tamworth', 'weekend', [HAWG, 'learning'], [HARRIER, 'basic'], [VIPER, 'basic']],
  ],
  'America/New_York': [
    ['brakeline', 'Brakeline', 'everyEvening', [VIPER, 'expert'], [HAWG, 'proficient'], [STRIKE_EAGLE, 'learning']],
    ['delacroix', 'Theo Delacroix', 'weeknights', [TOMCAT, 'proficient'], [HORNET, 'learning'], [VIPER, 'basic']],
    ['sawbuck', 'Sawbuck', 'lateEveryEvening', [HAWG, 'expert'], [VIPER, 'learning']],
    ['pennywhistle', 'Pennywhistle', 'oddNights', [HORNET, 'proficient'], [VIPER, 'learning']],
    ['okafor', 'Nadia "Compass" Okafor', 'evenNights', [STRIKE_EAGLE, 'expert'], [VIPER, 'proficient']],
    ['gravel', 'Gravel', 'fridayNight', [PHANTOM, 'learning'], [VIPER, 'basic']],
    ['winslow', 'Harriet Winslow', 'longWeekend', [VIPER, 'learning']],
    ['moth', 'Moth', null],
  ],
  'America/Los_Angeles': [
    ['tumbleweed', 'Tumbleweed', 'everyEvening', [HORNET, 'expert'], [TOMCAT, 'learning'], [VIPER, 'learning']],
    ['castellan', 'Rafael Castellan', 'earlyWeeknights', [VIPER, 'proficient']],
    ['saltlick', 'Saltlick', 'earlyWeeknights', [HAWG, 'learning'], [APACHE, 'proficient'], [VIPER, 'basic']],
    ['juniper', 'June "Juniper" Abara', 'hornetDriver', [HORNET, 'proficient']],
    ['lowtide', 'Lowtide', 'longWeekend', [FULCRUM, 'expert'], [FLANKER, 'proficient'], [VIPER, 'learning']],
    ['bramble', 'Bramble', 'earlyBird', [VIGGEN, 'proficient']],
    ['pocket', 'Pocket', 'tomcatCrew', [TOMCAT, 'proficient']],
  ],
  'Asia/Tokyo': [
    ['inari', 'Inari', 'everyEvening', [VIPER, 'proficient'], [EAGLE, 'expert'], [HORNET, 'learning']],
    ['tanabe', 'Yuki Tanabe', 'weeknights', [EAGLE, 'proficient'], [VIPER, 'learning']],
    ['paperlantern', 'Paper Lantern', 'lateEveryEvening', [MIRAGE, 'learning'], [HORNET, 'basic'], [VIPER, 'basic']],
    ['hoshino', 'Ren "Kite" Hoshino', 'longWeekend', [HORNET, 'expert'], [VIPER, 'learning']],
    ['sardine', 'Sardine', 'nightOwl', [VIPER, 'learning'], [HIND, 'proficient']],
  ],
  'Australia/Sydney': [
    ['saltbush', 'Saltbush', 'everyEvening', [HORNET, 'proficient'], [VIPER, 'basic']],
    ['bunyip', 'Bunyip', 'weeknights', [HAWG, 'proficient'], [VIPER, 'basic']],
    ['yarrow', 'Imogen Yarrow', 'oddNights', [VIPER, 'expert'], [HORNET, 'proficient']],
    ['mudlark', 'Mudlark', 'evenNights'],
    ['tinplate', 'Callum "Tinplate" Reyes', 'hawgDriver', [HAWG, 'learning']],
  ],
};

export const SAMPLE_PILOTS: readonly SamplePilot[] = Object.entries(BY_ZONE).flatMap(([timeZone, rows]) =>
  rows.map(([mailbox, callSign, week, ...levels]) => ({ mailbox, callSign, timeZone, week, levels })),
);

/** The domain is one that cannot receive mail. */
export const sampleEmail = (mailbox: string): string => `${mailbox}@sample.marshal.local`;
