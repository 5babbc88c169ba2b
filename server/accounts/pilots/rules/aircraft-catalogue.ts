/**
 * The aircraft catalogue. Ids are our own and never change: templates, seats and scripts refer to them, so add new
 * aircraft at the end. `code` is the type name of DCS World 2.9.
 */
import { MISSION_ROLES, type MissionRole } from '#shared/vocabulary.ts';

export type CatalogueAircraft = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** crew seats of the airframe; in a mission each aircraft still takes one pilot */
  readonly seats: number;
  /** the type's usual roles: suggestions for the form, not a rule */
  readonly roles: readonly MissionRole[];
};

export const AIRCRAFT_CATALOGUE: readonly CatalogueAircraft[] = [
  {
    id: 1,
    code: 'FA-18C_hornet',
    name: 'F/A-18C Hornet',
    seats: 1,
    roles: ['CAP', 'Intercept', 'Strike', 'CAS', 'SEAD', 'DEAD', 'Recon'],
  },
  {
    id: 2,
    code: 'F-16C_50',
    name: 'F-16C Viper',
    seats: 1,
    roles: ['CAP', 'Intercept', 'Strike', 'CAS', 'SEAD', 'DEAD', 'Recon'],
  },
  { id: 3, code: 'A-10C_2', name: 'A-10C II Warthog', seats: 1, roles: ['CAS', 'Strike'] },
  { id: 4, code: 'F-14B', name: 'F-14B Tomcat', seats: 2, roles: ['CAP', 'Intercept', 'Strike', 'Recon'] },
  { id: 5, code: 'F-15ESE', name: 'F-15E Strike Eagle', seats: 2, roles: ['Strike', 'CAS', 'CAP', 'DEAD'] },
  { id: 6, code: 'F-15C', name: 'F-15C Eagle', seats: 1, roles: ['CAP', 'Intercept'] },
  { id: 7, code: 'F-4E-45MC', name: 'F-4E Phantom II', seats: 2, roles: ['CAP', 'Strike', 'CAS', 'SEAD'] },
  { id: 8, code: 'F-5E-3', name: 'F-5E Tiger II', seats: 1, roles: ['CAP', 'CAS', 'Strike'] },
  { id: 9, code: 'AV8BNA', name: 'AV-8B N/A Harrier', seats: 1, roles: ['CAS', 'Strike', 'SEAD', 'DEAD'] },
  { id: 10, code: 'M-2000C', name: 'Mirage 2000C', seats: 1, roles: ['CAP', 'Intercept', 'Strike'] },
  { id: 11, code: 'Mirage-F1CE', name: 'Mirage F1CE', seats: 1, roles: ['CAP', 'Intercept', 'Strike'] },
  { id: 12, code: 'AJS37', name: 'AJS-37 Viggen', seats: 1, roles: ['Strike', 'CAS', 'DEAD', 'Recon'] },
  { id: 13, code: 'JF-17', name: 'JF-17 Thunder', seats: 1, roles: ['CAP', 'Strike', 'CAS', 'SEAD', 'DEAD'] },
  { id: 14, code: 'Su-27', name: 'Su-27 Flanker', seats: 1, roles: ['CAP', 'Intercept'] },
  { id: 15, code: 'Su-33', name: 'Su-33 Flanker-D', seats: 1, roles: ['CAP', 'Intercept'] },
  { id: 16, code: 'MiG-29S', name: 'MiG-29S Fulcrum', seats: 1, roles: ['CAP', 'Intercept', 'CAS'] },
  { id: 17, code: 'MiG-21Bis', name: 'MiG-21bis', seats: 1, roles: ['CAP', 'Intercept', 'CAS'] },
  { id: 18, code: 'J-11A', name: 'J-11A', seats: 1, roles: ['CAP', 'Intercept'] },
  { id: 19, code: 'Su-25T', name: 'Su-25T Frogfoot', seats: 1, roles: ['CAS', 'SEAD'] },
  { id: 20, code: 'F-100D', name: 'F-100D Super Sabre', seats: 1, roles: ['Strike', 'CAS', 'SEAD'] },
  { id: 21, code: 'AH-64D_BLK_II', name: 'AH-64D Apache', seats: 2, roles: ['CAS', 'Recon'] },
  { id: 22, code: 'Mi-24P', name: 'Mi-24P Hind', seats: 2, roles: ['CAS'] },
  { id: 23, code: 'Ka-50_3', name: 'Ka-50 III', seats: 1, roles: ['CAS'] },
  { id: 24, code: 'UH-1H', name: 'UH-1H Huey', seats: 2, roles: ['CAS'] },
  { id: 25, code: 'Mi-8MT', name: 'Mi-8MTV2 Hip', seats: 2, roles: ['CAS'] },
  { id: 26, code: 'CH-47Fbl1', name: 'CH-47F Chinook', seats: 2, roles: ['Training'] },
  { id: 27, code: 'OH58D', name: 'OH-58D Kiowa', seats: 2, roles: ['Recon', 'CAS'] },
  { id: 28, code: 'SA342M', name: 'SA342M Gazelle', seats: 2, roles: ['CAS', 'Recon'] },
  { id: 29, code: 'C-130J-30', name: 'C-130J Hercules', seats: 2, roles: ['Tanker'] },
  { id: 30, code: 'L-39ZA', name: 'L-39ZA Albatros', seats: 2, roles: ['Training', 'CAS'] },
  { id: 31, code: 'C-101CC', name: 'C-101CC Aviojet', seats: 2, roles: ['Training', 'CAS'] },
  { id: 32, code: 'MB-339A', name: 'MB-339A', seats: 2, roles: ['Training', 'CAS'] },
  { id: 33, code: 'MosquitoFBMkVI', name: 'Mosquito FB VI', seats: 2, roles: ['Strike'] },
  { id: 34, code: 'GCI', name: 'AWACS / GCI controller', seats: 1, roles: ['AWACS', 'EW'] },
  { id: 35, code: 'OTHER', name: 'Other', seats: 1, roles: MISSION_ROLES },
];
