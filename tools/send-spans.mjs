// Sends the spans of this process over OTLP, makes one of every HTTP request that it serves, and passes the trace from the
// BFF to the platform. The exporter reads the standard OTEL_EXPORTER_OTLP_… variables.
import { channel } from 'node:diagnostics_channel'

import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

const share = Number(process.env.OTEL_TRACES_SAMPLER_ARG || 1)
if (!(share >= 0 && share <= 1)) {
  process.stderr.write('OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1.\n')
  process.exit(1)
}
const isWorker = process.argv.includes('run-worker')
const program = isWorker ? 'worker' : process.env.ASSAY_PROGRAM
const isBff = program === 'BFF'
const named = resourceFromAttributes({ 'service.name': `assay-${program ?? 'other'}` })
const provider = new TracerProvider({
  resource: defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] })),
  sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(provider)
process.once('beforeExit', () => provider.shutdown().catch(() => {}))

const tracer = trace.getTracer('assay')
const isLoopback = (address = '') => /^(::ffff:)?127\.|^::1$/.test(address)

channel('fastify.initialization').subscribe(({ fastify }) => {
  fastify.addHook('onRequest', (request, reply, done) => {
    // The word of browsers and of strangers on traces could fill the collector.
    const isOurs = !isBff && isLoopback(request.socket.remoteAddress)
    const caller = isOurs ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT
    const route = request.routeOptions.url ?? 'unknown'
    // Not the path itself, because that of a published page contains its token.
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'assay.request_id': request.id }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller)
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) span.setAttribute('http.response.status_code', reply.statusCode)
      else span.setAttribute('assay.disconnected', true)
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    context.with(trace.setSpan(caller, span), done)
  })
})

// Only to the platform: other hosts learn nothing of our traces.
const platformOrigin = URL.parse(process.env.PLATFORM_URL || 'http://127.0.0.1:4401')?.origin
if (isBff)
  channel('undici:request:create').subscribe(({ request }) => {
    if (request.origin !== platformOrigin) return
    const headers = {}
    propagation.inject(context.active(), headers)
    for (const [name, value] of Object.entries(headers)) request.addHeader(name, value)
  })
