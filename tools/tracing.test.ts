import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import { afterEach, expect, test } from 'vitest'

type Sent = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}
type Batch = {
  resourceSpans: { resource: { attributes: Sent['attributes'] }; scopeSpans: { spans: Sent[] }[] }[]
}

const cleanups: (() => void)[] = []
afterEach(() => cleanups.splice(0).forEach((clean) => clean()))

/** A collector that keeps the spans it gets, each with the name of its service. */
async function startCollector() {
  const spans: (Sent & { service: string | undefined })[] = []
  const server = createServer(async (request, response) => {
    for (const { resource, scopeSpans } of ((await json(request)) as Batch).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, service })
    }
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return { spans, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Serves until its input ends, and prints its address. `/asks` calls other addresses, and `/api` returns its headers. */
const program = `
import fastify from 'fastify'
import { request } from 'undici'
const app = fastify({ genReqId: () => 'r1' })
app.get('/api', async ({ headers }) => headers)
app.get('/asks/:token', async ({ query }) => (await request(query.url)).body.json())
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
process.stdin.resume().once('end', () => app.close())
`

async function start(environment: Record<string, string>) {
  const preload = new URL('tracing.mjs', import.meta.url).href
  const child = spawn(process.execPath, ['--import', preload, '--input-type=module', '-e', program], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [url] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended])
  return {
    url: String(url).trim(),
    async stop() {
      child.stdin.end()
      return ended
    },
  }
}

const foreign = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }

test('a request is one trace from the BFF to the platform, and nobody else takes part in it', async () => {
  const { spans, endpoint } = await startCollector()
  const collected = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const [platform, other] = await Promise.all([start({ ...collected, ASSAY_PROGRAM: 'platform' }), start({})])
  const bff = await start({ ...collected, ASSAY_PROGRAM: 'BFF', PLATFORM_URL: platform.url })
  const ask = async (url: string) => {
    const response = await fetch(`${bff.url}/asks/secret?url=${encodeURIComponent(`${url}/api`)}`, { headers: foreign })
    return (await response.json()) as { traceparent?: string }
  }
  expect((await ask(platform.url)).traceparent).toMatch(/^00-\w{32}-\w{16}-01$/)
  expect((await ask(other.url)).traceparent).toBeUndefined()
  expect((await Promise.all([bff.stop(), platform.stop(), other.stop()])).map(([code]) => code)).toEqual([0, 0, 0])

  const [asked, alone] = spans.filter(({ name }) => name === 'GET /asks/:token')
  const [answered, ...more] = spans.filter(({ name }) => name === 'GET /api')
  expect(more).toEqual([])
  expect(asked).toMatchObject({ service: 'assay-BFF' })
  expect(asked?.parentSpanId).toBeFalsy()
  expect(answered).toMatchObject({
    service: 'assay-platform',
    traceId: asked?.traceId,
    parentSpanId: asked?.spanId,
    attributes: expect.arrayContaining([
      { key: 'assay.request_id', value: { stringValue: 'r1' } },
      { key: 'http.response.status_code', value: { intValue: 200 } },
    ]),
  })
  for (const span of [asked, alone, answered]) expect(span?.traceId).not.toBe('a'.repeat(32))
  expect(JSON.stringify(spans)).not.toContain('secret')
})

test('a share of traces that is no number stops the program with a sentence', async () => {
  const preload = new URL('tracing.mjs', import.meta.url).href
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, '-e', ''], {
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_SAMPLER_ARG: 'half' },
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, 'OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1.\n'])
})
