/**
 * OpenTelemetry traces: requests, calls, statements and jobs as spans of one trace, sent to a collector by OTLP over HTTP.
 * Without a collector nothing is recorded, and none of the library's larger parts is loaded.
 */
import type { Observer } from '#server/schema/statements.ts';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

export { SpanKind };

const TRACER = 'marshal';
/** How long shutdown waits for the collector to take the last spans. */
const FLUSH_MS = 2_000;

let isOn = false;

/**
 * Record and send traces from now on.
 * @param endpoint the collector's address without `/v1/traces`, such as `http://localhost:4318`; the exporter takes headers
 * from OTEL_EXPORTER_OTLP_HEADERS itself
 * @returns a function that sends the last spans and stops
 */
export async function startTraces(endpoint: string): Promise<() => Promise<void>> {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
    ]);
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: FLUSH_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': TRACER, 'process.pid': process.pid }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  isOn = true;
  return async () => {
    isOn = false;
    await provider.shutdown();
    trace.disable();
    propagation.disable();
    context.disable();
    manager.disable();
  };
}

type Attributes = Record<string, string | number>;

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** the `traceparent` of the caller, who may be another program or a request of the past */
  parent?: string | undefined;
}

/**
 * Run a function as a span of the current trace, or of a new one. It ends when the returned promise does.
 * @param name as few different ones as there are calls: no ids
 */
export function inSpan<Result>(
  name: string,
  { parent, ...options }: SpanOptions,
  run: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (!isOn) return run(null);
  const above =
    parent === undefined ? context.active() : propagation.extract(context.active(), { traceparent: parent });
  return trace.getTracer(TRACER).startActiveSpan(name, options, above, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      // the message may hold somebody's words
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** As `inSpan`, but only inside of a trace: background work of a process needs no trace of its own. */
export const inChildSpan: typeof inSpan = (name, options, run) =>
  isOn && trace.getActiveSpan() ? inSpan(name, options, run) : run(null);

/** Begin a span inside of a trace, for code that returns no promise. @returns a function that ends it */
function startChildSpan(name: string, options: Omit<SpanOptions, 'parent'>): () => void {
  if (!isOn || !trace.getActiveSpan()) return () => undefined;
  const span = trace.getTracer(TRACER).startSpan(name, options);
  return () => span.end();
}

/** The current trace for others to continue it, in W3C's form; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  if (!isOn) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** How much of a statement a span keeps. */
const STATEMENT_LENGTH = 2_000;
/** Values in a statement's text: MikroORM writes them there instead of passing them as parameters. */
const VALUES = /'(?:[^']|'')*'|(?<![$\w".])\d+(?:\.\d+)?\b/g;

/** A statement as it may leave the process: without anybody's data. */
export const withoutValues = (statement: string): string => statement.replace(VALUES, '?').slice(0, STATEMENT_LENGTH);

/** Makes a span of every statement that belongs to a trace. */
export const traceStatement: Observer = ({ text }) =>
  startChildSpan(/^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement', {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': withoutValues(text) },
  });
