/** The Prometheus metrics of one process: its registry, and what its parts count while they work. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of a call's time, seconds: from a polled read to the time limit of a heavy one. */
const CALL_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20];
/** A job may wait for a server elsewhere. */
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60];

/**
 * The metrics that parts of a process write, and the registry that `/metrics` reads. Names end in their unit; times are
 * in seconds. A process has one of these, so that two services in one test do not count together.
 */
export interface Metrics {
  registry: Registry;
  /** answered requests, by method, route and status */
  requests: Histogram<'method' | 'route' | 'status'>;
  /** procedure calls over every transport, by name and result: `OK`, or the code of the refusal */
  calls: Histogram<'call' | 'result'>;
  /** executed jobs, by name and result: `done` or `failed` */
  jobs: Histogram<'job' | 'result'>;
  /** Discord's answers, by method and status; `none` for no answer in time */
  discordAnswers: Counter<'method' | 'status'>;
  /** calls to Discord that a rate limit has put off, its own or ours */
  discordWaits: Counter;
  /** pilots whose changes the roster in memory had not read yet at its last check: the lag of the availability index */
  rosterBehind: Gauge;
  /** pilots of the roster in memory that differed from the database: a fault of ours */
  rosterDifferences: Counter;
  /** open event streams */
  streams: Gauge;
  /** 1 if the database answered the scrape, 0 if not */
  databaseUp: Gauge;
  /** reads that may go to the replica, by the server that answered: `replica` or `primary` */
  replicaReads: Counter<'from'>;
  /** bytes of the write-ahead log that the replica has not replayed yet; no value without one, or when it does not answer */
  replicaLag: Gauge;
  /** Unix time of the newest backup; no value without one, or when its place cannot be listed */
  backupMade: Gauge;
  queuedJobs: Gauge<'job' | 'state'>;
  /** how long the oldest due job has waited */
  queueLag: Gauge<'job'>;
  /** 1 if a bot is connected to Discord, 0 if not; none without DISCORD_TOKEN */
  botConnected: Gauge;
  /** seats of coming missions: `filled` or `open` */
  seats: Gauge<'state'>;
  /** Add a gauge that is read when it is scraped. */
  watch(name: string, help: string, read: () => number): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  // event loop lag, heap, garbage collection, CPU time and open files
  collectDefaultMetrics({ register: registry });
  // gauges named like counters, which Prometheus's own check refuses
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'marshal_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: CALL_SECONDS,
      registers,
    }),
    calls: new Histogram({
      name: 'marshal_call_duration_seconds',
      help: 'Time of a procedure call, by tRPC, REST or the bot.',
      labelNames: ['call', 'result'],
      buckets: CALL_SECONDS,
      registers,
    }),
    jobs: new Histogram({
      name: 'marshal_job_duration_seconds',
      help: 'Time of an executed background job.',
      labelNames: ['job', 'result'],
      buckets: JOB_SECONDS,
      registers,
    }),
    discordAnswers: new Counter({
      name: 'marshal_discord_answers_total',
      help: "Discord's answers to the server's calls.",
      labelNames: ['method', 'status'],
      registers,
    }),
    discordWaits: new Counter({
      name: 'marshal_discord_rate_limited_total',
      help: 'Calls to Discord that a rate limit has put off.',
      registers,
    }),
    rosterBehind: new Gauge({
      name: 'marshal_roster_behind_pilots',
      help: 'Pilots whose changes the availability index had not read yet at its check every minute. The next answer reads them first.',
      registers,
    }),
    rosterDifferences: new Counter({
      name: 'marshal_roster_differences_total',
      help: 'Pilots of the availability index that differed from the database.',
      registers,
    }),
    streams: new Gauge({ name: 'marshal_event_streams', help: 'Open event streams.', registers }),
    databaseUp: new Gauge({
      name: 'marshal_database_up',
      help: '1 if the database answered, 0 if not.',
      registers,
    }),
    replicaReads: new Counter({
      name: 'marshal_replica_reads_total',
      help: 'Reads that may go to the replica, by the server that answered.',
      labelNames: ['from'],
      registers,
    }),
    replicaLag: new Gauge({
      name: 'marshal_replica_lag_bytes',
      help: 'What the replica has not replayed of the write-ahead log.',
      registers,
    }),
    backupMade: new Gauge({
      name: 'marshal_backup_made_timestamp_seconds',
      help: 'Unix time of the newest backup that this process can see.',
      registers,
    }),
    queuedJobs: new Gauge({
      name: 'marshal_queued_jobs',
      help: 'Background jobs in the queue.',
      labelNames: ['job', 'state'],
      registers,
    }),
    queueLag: new Gauge({
      name: 'marshal_queue_lag_seconds',
      help: 'How long the oldest due job has waited.',
      labelNames: ['job'],
      registers,
    }),
    botConnected: new Gauge({
      name: 'marshal_bot_connected',
      help: '1 if a bot of this installation is connected to Discord, 0 if not; only with a token.',
      registers,
    }),
    seats: new Gauge({
      name: 'marshal_seats',
      help: 'Seats of missions of the next 60 days.',
      labelNames: ['state'],
      registers,
    }),
    watch(name, help, read) {
      void new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
  };
}
