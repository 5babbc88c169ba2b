/** Words of the simulator's mission editor in Marshal's: theaters, tasks, radio frequencies, the weather. */
import type { MissionRole, Theater } from '#shared/vocabulary.ts';
import { isTable, type LuaKey, type LuaTable, type LuaValue } from './lua-data.ts';

const THEATERS: Readonly<Record<string, Theater>> = {
  Caucasus: 'Caucasus',
  Nevada: 'Nevada',
  Normandy: 'Normandy',
  PersianGulf: 'Persian Gulf',
  Syria: 'Syria',
  MarianaIslands: 'Mariana Islands',
  MarianaIslandsWWII: 'Mariana Islands',
  Falklands: 'South Atlantic',
  SinaiMap: 'Sinai',
  Kola: 'Kola',
};

export const theaterOf = (name: string): Theater | null => THEATERS[name] ?? null;

const ROLES: Readonly<Record<string, MissionRole>> = {
  AFAC: 'CAS',
  AWACS: 'AWACS',
  'Antiship Strike': 'Strike',
  CAP: 'CAP',
  CAS: 'CAS',
  Escort: 'CAP',
  'Fighter Sweep': 'CAP',
  'Ground Attack': 'Strike',
  Intercept: 'Intercept',
  'Pinpoint Strike': 'Strike',
  Reconnaissance: 'Recon',
  Refueling: 'Tanker',
  'Runway Attack': 'Strike',
  SEAD: 'SEAD',
};

/** The role of a group's task; tasks without one (`Nothing`, `Transport`) are training. */
export const roleOf = (task: string | null): MissionRole => (task === null ? 'Training' : (ROLES[task] ?? 'Training'));

export function field(value: LuaValue | undefined, ...path: LuaKey[]): LuaValue | undefined {
  let found = value;
  for (const key of path) found = isTable(found) ? found.get(key) : undefined;
  return found;
}

export function numberAt(value: LuaValue | undefined, ...path: LuaKey[]): number | null {
  const found = field(value, ...path);
  const number = found === undefined || isTable(found) ? undefined : found.value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The tables of a list, in the order of its numbers. */
export function listAt(value: LuaValue | undefined, ...path: LuaKey[]): LuaTable[] {
  const found = field(value, ...path);
  if (!isTable(found)) return [];
  const entries = [...found].toSorted(([a], [b]) => Number(a) - Number(b));
  return entries.flatMap(([, one]) => (isTable(one) ? [one] : []));
}

const FM = 1;

/** A frequency as flights store it. @param modulation 0 for AM, 1 for FM */
export const frequencyOf = (megahertz: number, modulation: number | null): string =>
  `${megahertz.toFixed(3)} ${modulation === FM ? 'FM' : 'AM'}`;

const KNOTS = 1.943_844;
const HECTOPASCALS = 1.333_22;
const FEET = 3.280_84;

/** The weather of a mission in a few words; '' without any. */
export function weatherWords(weather: LuaValue | undefined): string {
  const wind = {
    speed: numberAt(weather, 'wind', 'atGround', 'speed'),
    to: numberAt(weather, 'wind', 'atGround', 'dir'),
  };
  const base = numberAt(weather, 'clouds', 'base');
  const density = numberAt(weather, 'clouds', 'density');
  const preset = field(weather, 'clouds', 'preset');
  const temperature = numberAt(weather, 'season', 'temperature');
  const qnh = numberAt(weather, 'qnh');
  const words: string[] = [];
  if (wind.speed !== null && wind.to !== null) {
    // the file has the direction that the wind blows to
    const from = Math.round((wind.to + 180) % 360) || 360;
    const knots = Math.round(wind.speed * KNOTS);
    words.push(knots === 0 ? 'wind calm' : `wind ${String(from).padStart(3, '0')}° ${knots} kt`);
  }
  const hasPreset = preset !== undefined && !isTable(preset) && typeof preset.value === 'string';
  if (base !== null && (hasPreset || (density ?? 0) > 0)) {
    const feet = Math.round((base * FEET) / 100) * 100;
    words.push(`clouds at ${feet} ft (${hasPreset ? preset.value : `density ${density}`})`);
  } else if (density !== null) words.push('no clouds');
  if (temperature !== null) words.push(`${Math.round(temperature)} °C`);
  if (qnh !== null) words.push(`QNH ${Math.round(qnh * HECTOPASCALS)} hPa`);
  return words.join(', ');
}
