// Creates a mission from a JSON file and waits until every seat has an accepted pilot: `node create-mission.ts mission.json`.
// Needs a token with the scope admin. The file has the shape of CreateMission in the API reference, `timeZone` included.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createMarshalClient, type CreateMission } from 'marshal-client';

const { MARSHAL_URL = 'http://localhost:3000', MARSHAL_TOKEN, POLL_SECONDS = '30' } = process.env;
const marshal = createMarshalClient({ baseUrl: MARSHAL_URL, token: MARSHAL_TOKEN });

const request = JSON.parse(readFileSync(process.argv[2] ?? 'mission.json', 'utf8')) as CreateMission;
// the same key for the same mission: a second start of this script creates nothing
const idempotencyKey = `${request.name}-${request.startLocal}`.replaceAll(/[^\w:-]/g, '-');
const { mission } = await marshal.admin.createMission.mutate(request, { context: { idempotencyKey } });
console.log(`Created ${mission.name}, ${mission.startLocal} ${mission.timeZone}`);

for (;;) {
  const { packages, startUtc } = await marshal.admin.mission.get.query({ id: mission.id });
  const flights = packages.flatMap((one) => one.flights);
  const seats = flights.reduce((sum, { sizeCap }) => sum + sizeCap, 0);
  const accepted = flights.reduce((sum, { acceptedCount }) => sum + acceptedCount, 0);
  console.log(`${accepted} of ${seats} seats accepted`);
  if (accepted === seats || Date.parse(startUtc) < Date.now()) break;
  await wait(Number(POLL_SECONDS) * 1000);
}
