// Accepts every order for an evening mission and declines the others: `node answer-inbox.ts`. Needs a token with the scope pilot.
import { createMarshalClient, isRefusal } from 'marshal-client';

const { MARSHAL_URL = 'http://localhost:3000', MARSHAL_TOKEN } = process.env;
const marshal = createMarshalClient({ baseUrl: MARSHAL_URL, token: MARSHAL_TOKEN });

const { timeZone } = await marshal.auth.me.query();
for (const order of await marshal.pilot.inbox.query()) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' });
  const response = Number(format.format(new Date(order.startUtc))) >= 18 ? 'accepted' : 'declined';
  try {
    await marshal.pilot.rsvp.mutate({ id: order.id, response });
    console.log(`${order.label} ${order.missionName}: ${response}`);
  } catch (error) {
    // another pilot was faster, or the order has expired: both are a matter of time and no reason to stop
    if (!isRefusal(error, 'SEAT_TAKEN', 'NO_SEAT_FREE', 'OVERLAP', 'ORDER_EXPIRED')) throw error;
    console.log(`${order.label} ${order.missionName}: ${error.message}`);
  }
}
