// Saves a week of availability from a CSV file: `node save-week.ts week.csv`. A line is `weekday,start,end,aircraft`, such as
// `Friday,19:00,23:00,F-16C` or `Sunday,14:00,24:00,any`. Times are in the time zone of your profile.
import { readFileSync } from 'node:fs';
import { createMarshalClient } from 'marshal-client';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const { MARSHAL_URL = 'http://localhost:3000', MARSHAL_TOKEN } = process.env;
const marshal = createMarshalClient({ baseUrl: MARSHAL_URL, token: MARSHAL_TOKEN });

const [me, aircraft] = await Promise.all([marshal.auth.me.query(), marshal.availability.aircraft.query()]);
const lines = readFileSync(process.argv[2] ?? 'week.csv', 'utf8')
  .split(/\r?\n/)
  .filter(Boolean);
const slots = lines.map((line) => {
  const [day = '', startLocal = '', endLocal = '', code = ''] = line.split(',').map((cell) => cell.trim());
  const found = aircraft.find((one) => one.code === code || one.name === code);
  if (!WEEKDAYS.includes(day) || (!found && code !== 'any')) throw new Error(`Cannot read this line: ${line}`);
  return { weekday: WEEKDAYS.indexOf(day), startLocal, endLocal, aircraftCodeId: found?.id ?? 0 };
});
const week = await marshal.availability.saveWeek.mutate({ id: me.id, slots });
console.log(`${week.name}: ${week.slots.length} slots in ${me.timeZone}`);
