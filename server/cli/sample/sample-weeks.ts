/** Weekly templates of the sample community, in the pilots' own wall times. Days are digits, 0 = Sunday. */

/** Aircraft by catalogue code; null means any. */
export type SampleSlot = readonly [
  days: string,
  startLocal: string,
  endLocal: string,
  aircraftCode?: string | null,
  notes?: string,
];

const EVERY_DAY = '0123456';

export const SAMPLE_WEEKS = {
  everyEvening: [[EVERY_DAY, '17:00', '00:00']],
  lateEveryEvening: [
    [EVERY_DAY, '19:00', '00:00', null, 'Once the kids are asleep'],
    ['6', '14:00', '17:00'],
  ],
  weeknights: [['1234', '19:00', '00:00']],
  /** west coast evenings that overlap the east coast's */
  earlyWeeknights: [['1234', '17:00', '22:00', null, 'Straight from work']],
  oddNights: [['135', '17:00', '00:00']],
  evenNights: [
    ['24', '17:00', '00:00'],
    ['6', '12:00', '00:00'],
  ],
  weekend: [['06', '12:00', '00:00']],
  longWeekend: [
    ['5', '17:00', '02:00', null, 'Friday is flight night'],
    ['60', '10:00', '00:00'],
  ],
  nightOwl: [['01234', '22:00', '04:00', null, 'Night shift: I fly with the other side of the world']],
  fridayNight: [
    ['5', '19:00', '03:00'],
    ['6', '19:00', '04:00'],
  ],
  earlyBird: [
    ['12345', '05:30', '08:00', null, 'Coffee first'],
    ['6', '06:00', '11:00'],
  ],
  /** this type on weeknights, anything at the weekend */
  viperDriver: [
    ['1234', '18:30', '23:30', 'F-16C_50'],
    ['06', '17:00', '00:00'],
  ],
  hornetDriver: [
    ['0135', '17:00', '00:00', 'FA-18C_hornet', 'Carrier qualified'],
    ['24', '20:00', '23:00', 'FA-18C_hornet'],
  ],
  tomcatCrew: [
    ['25', '17:00', '00:00', 'F-14B', 'Pilot or RIO'],
    ['6', '15:00', '23:30', 'F-14B'],
  ],
  hawgDriver: [['0246', '18:00', '00:00', 'A-10C_2']],
  rotorheads: [
    ['13', '18:00', '23:00', 'AH-64D_BLK_II'],
    ['06', '13:00', '22:00', 'AH-64D_BLK_II', 'Happy to teach the front seat'],
  ],
  /** two aircraft on one day */
  mixed: [
    ['1234', '18:00', '21:00', 'FA-18C_hornet'],
    ['1234', '21:00', '00:00', null, 'Anything that flies'],
    ['6', '16:00', '00:00', 'M-2000C'],
  ],
  controller: [
    ['2460', '19:00', '00:00', 'GCI', 'Scope and radios only'],
    ['15', '19:00', '00:00'],
  ],
} as const satisfies Record<string, readonly SampleSlot[]>;

export type SampleWeek = keyof typeof SAMPLE_WEEKS;
