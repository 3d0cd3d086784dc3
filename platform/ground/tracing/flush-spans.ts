import { ProxyTracerProvider, trace } from '@opentelemetry/api'

const limitMs = 3000

/** Sends what was recorded before the process ends. A collector that is down loses it, and delays the end by at most three seconds. */
export async function flushSpans() {
  const given = trace.getTracerProvider()
  const provider = given instanceof ProxyTracerProvider ? given.getDelegate() : given
  if (!('forceFlush' in provider) || typeof provider.forceFlush !== 'function') return
  await Promise.resolve(provider.forceFlush({ timeoutMillis: limitMs })).catch(() => {})
}
