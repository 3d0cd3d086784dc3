import { type Attributes, type Context, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('assay')

/**
 * Runs `work` as a span of the current trace. The span records that the work failed, but not the message, which may
 * contain what people wrote. Without a collector nothing is recorded.
 */
export const traced = <Result>(name: string, attributes: Attributes, work: (span: Span) => Promise<Result>) =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })

/** The current trace, for work that other code records later. */
export const currentTrace = (): Context => context.active()

type Told = { attributes: Attributes; startedAt: Date; milliseconds: number; hasFailed: boolean }

/** Records a span of work that has ended, as a part of `within`. */
export function recordSpan(within: Context, name: string, { attributes, startedAt, milliseconds, hasFailed }: Told) {
  const span = tracer.startSpan(name, { attributes, startTime: startedAt }, within)
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(new Date(startedAt.getTime() + milliseconds))
}
