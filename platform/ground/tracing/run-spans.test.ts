import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { unavailable } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from '#platform/engine/run-engine/start-run-engine.ts'
import { openTestRunEngine, submitTestRuns, untilEnded } from '#platform/program/testing/test-run-engine.ts'
import { flushSpans } from './flush-spans.ts'
import { traced } from './traced.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  trace.setGlobalTracerProvider(provider)
  bench = await openTestRunEngine()
})
afterAll(async () => {
  await bench.close()
  await provider.shutdown()
  trace.disable()
  context.disable()
})

test('an attempt of a run is one span, and its steps are parts of it', async () => {
  const definition = {
    id: 'traced',
    name: 'Traced',
    agents: [{ id: 'a', command: ['true'] }],
    tests: [{ name: 'passes', command: ['true'] }],
  }
  const { requestId } = await submitTestRuns(bench.db, { definition, repeat: 1, mock: true })
  const folder = `${bench.folder}/work`
  const engine = startRunEngine(bench.services, { sandbox: unavailable('none here'), workFolder: folder, slots: 1 })
  await untilEnded(bench.db, requestId)
  await engine.stop()
  await flushSpans()
  const spans = exporter.getFinishedSpans()
  const run = spans.find(({ name }) => name === 'run')
  expect(run?.attributes).toMatchObject({ 'assay.run.attempt': 1, 'assay.run.mock': true })
  expect(['completed', 'errored']).toContain(run?.attributes['assay.run.status'])
  const parts = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === run?.spanContext().spanId)
  expect(parts.map(({ name }) => name)).toEqual(['plan', 'set up', 'agent', 'keep changes', 'test', 'settle'])
})

test('a span tells that its work failed, and nothing of the message', async () => {
  exporter.reset()
  const work = traced('fails', {}, () => Promise.reject(new Error('secret')))
  await expect(work).rejects.toThrow('secret')
  const [span] = exporter.getFinishedSpans()
  expect(span?.status).toEqual({ code: 2 })
  expect(JSON.stringify([span?.attributes, span?.events])).not.toContain('secret')
})
