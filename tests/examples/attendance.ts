// Writes the attendance of a month as CSV: `node attendance.ts 2026-11 > attendance.csv`. Needs a token with the scope admin.
// Plain fetch instead of marshal-client, because the REST call answers with CSV by itself.
const { MARSHAL_URL = 'http://localhost:3000', MARSHAL_TOKEN = '' } = process.env;
const [year, month] = (process.argv[2] ?? new Date().toISOString()).split('-').map(Number);
if (!year || !month) throw new Error('Give the month as YYYY-MM.');

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
// day 0 of the next month is the last day of this one
const query = new URLSearchParams({
  from: dayOf(new Date(Date.UTC(year, month - 1, 1))),
  to: dayOf(new Date(Date.UTC(year, month, 0))),
  tz: 'UTC',
});
const response = await fetch(`${MARSHAL_URL}/api/v1/admin/attendance?${query}`, {
  headers: { authorization: `Bearer ${MARSHAL_TOKEN}`, accept: 'text/csv' },
});
const text = await response.text();
if (!response.ok) throw new Error(text);
process.stdout.write(text);
