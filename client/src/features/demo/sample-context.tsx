import { createContext, useContext, useRef, useState, type ReactNode } from 'react';
import type { Loadable } from '#client/components/loaded.tsx';
import { ReaderZone } from '#client/lib/reader-zone.ts';
import { detectedTimeZone } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { momentsOf, type OrderState, orderStateAt } from '#shared/order-state.ts';
import { chosenStatus, presentStatus, type StoredStatus } from '#shared/pilot-status.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse, StatusState } from '#shared/vocabulary.ts';
import { answerSample, type SampleAnswer } from './sample-answer.ts';
import { makeSampleNotices } from './sample-notices.ts';
import { makeSampleOrders, makeSampleWindow, SAMPLE_AIRCRAFT, SAMPLE_STATS, type SampleOrder } from './sample-home.ts';

/** A loaded query with sample data. */
function ready<Data>(data: Data): Loadable<Data> {
  return { data, error: null, refetch: () => Promise.resolve() };
}

/** State of the demo, kept while it is open, in the browser's time zone. */
function useSampleState() {
  const [opened] = useState(() => new Date());
  const [timeZone] = useState(detectedTimeZone);
  const [samples, setSamples] = useState(() => makeSampleOrders(opened, timeZone));
  // Undo may run long after the render that created its toast.
  const latest = useRef(samples);
  const [status, setStatus] = useState<StoredStatus>({ state: 'available', minutes: null, expiresAtMs: null });
  const [notices, setNotices] = useState(() => makeSampleNotices(opened));
  const now = useNow().getTime();

  const keep = (next: SampleOrder[]): void => {
    latest.current = next;
    setSamples(next);
  };
  const send = async ({ id }: FragOrderDto, response: RsvpResponse): Promise<SampleAnswer> => {
    const sample = latest.current.find(({ order }) => order.id === id);
    if (sample === undefined) {
      throw new Error(`The demo has no order ${id}.`);
    }
    const outcome = answerSample(sample, response, new Date());
    if ('answered' in outcome) {
      keep(latest.current.map((one) => (one === sample ? { ...one, order: outcome.answered } : one)));
    }
    return outcome;
  };

  const orders = samples.map(({ order }) => order);
  const ordersIn = (state: OrderState) => orders.filter((order) => orderStateAt(momentsOf(order), now) === state);
  return {
    timeZone,
    orders,
    home: {
      notices: ready(notices),
      closeNotice: (orderId: string) => setNotices((shown) => shown.filter((notice) => notice.orderId !== orderId)),
      inbox: ready(ordersIn('pending')),
      history: ready(orders),
      accepted: ready(ordersIn('accepted').toSorted((a, b) => Date.parse(a.startUtc) - Date.parse(b.startUtc))),
      stats: ready(SAMPLE_STATS),
      window: ready(makeSampleWindow(opened, timeZone)),
      aircraft: SAMPLE_AIRCRAFT,
      status: ready(presentStatus(status, now)),
      setStatus: (state: StatusState, minutes: number | null) => setStatus(chosenStatus(state, minutes, Date.now())),
      send,
    },
  };
}

type Sample = ReturnType<typeof useSampleState>;

const SampleContext = createContext<Sample | null>(null);

/** Holds the demo's state for the pages inside. */
export function SampleProvider({ children }: { children: ReactNode }) {
  const sample = useSampleState();
  return (
    <SampleContext value={sample}>
      <ReaderZone value={sample.timeZone}>{children}</ReaderZone>
    </SampleContext>
  );
}

function useSample(): Sample {
  const sample = useContext(SampleContext);
  if (sample === null) {
    throw new Error('This component must be inside the demo.');
  }
  return sample;
}

export const useSampleHome = (): Sample['home'] => useSample().home;

/** A demo order by id; undefined for an unknown id. */
export const useSampleOrder = (id: string): AcceptedMissionDto | undefined =>
  useSample().orders.find((order) => order.id === id);
