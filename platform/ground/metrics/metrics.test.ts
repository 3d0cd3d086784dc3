import { afterAll, expect, test, vi } from 'vitest'

import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { serveMetrics } from './serve-metrics.ts'

const platform = await openTestPlatform()
const served = await serveMetrics(platform.services.db, { host: '127.0.0.1', port: 0 })
afterAll(async () => {
  served.close()
  await platform.close()
})

const get = (path: string) => fetch(`http://127.0.0.1:${served.port}${path}`)

/** The value of one line of the metrics. */
async function valueOf(line: string) {
  const text = await (await get('/metrics')).text()
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length))
}

test('queued runs, requests by route and the process are in the metrics', async () => {
  expect(await valueOf('assay_runs{status="queued"}')).toBe(0)
  await platform.request('POST', '/experiments', { yaml: twoByTwo('measured') })
  const route = 'method="POST",route="/api/v1/experiments/:id/runs",status="202"'
  const before = await valueOf(`assay_http_request_seconds_count{${route}}`)
  const { json } = await platform.request('POST', '/experiments/measured/runs')
  expect(await valueOf('assay_runs{status="queued"}')).toBe(json.runCount)
  expect(await valueOf('assay_queue_oldest_seconds')).toBeGreaterThan(0)
  expect(await valueOf('assay_projection_waiting_runs')).toBe(0)
  expect(await valueOf(`assay_http_request_seconds_count{${route}}`)).toBe((before ?? 0) + 1)
  expect(await valueOf('process_cpu_seconds_total')).toBeGreaterThan(0)
})

test('a server that cannot ask the database has no values of the queue, not old ones', async () => {
  const gauges = ['assay_runs{status="queued"}', 'assay_queue_oldest_seconds', 'assay_projection_waiting_runs']
  for (const gauge of gauges) expect(await valueOf(gauge)).toBeDefined()
  const { db } = platform.services
  const execute = vi.spyOn(db, 'execute').mockRejectedValue(new Error('no answer'))
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
  for (const gauge of gauges) expect(await valueOf(gauge)).toBeUndefined()
  expect(complaint).toHaveBeenCalled()
  execute.mockRestore()
  complaint.mockRestore()
  for (const gauge of gauges) expect(await valueOf(gauge)).toBeDefined()
})

test('an unknown path has no label of its own, so that strangers cannot make the metrics grow', async () => {
  for (const path of ['/nowhere', '/elsewhere']) await platform.visit(path)
  const text = await (await get('/metrics')).text()
  expect(text).not.toContain('nowhere')
  expect(text).toContain('route="unknown"')
})

test('nothing but /metrics is served, in the format of Prometheus', async () => {
  expect((await get('/')).status).toBe(404)
  expect((await get('/metrics')).headers.get('content-type')).toContain('text/plain; version=0.0.4')
})

test('GET /readyz says which part is not ready', async () => {
  const ready = await platform.visit('/readyz')
  expect([ready.status, JSON.parse(ready.text)]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', storage: 'ok' } },
  ])
  const { blobs } = platform.services
  const has = blobs.has
  blobs.has = () => Promise.reject(new Error('no answer'))
  const without = await platform.visit('/readyz')
  blobs.has = has
  expect([without.status, JSON.parse(without.text).checks]).toEqual([503, { database: 'ok', storage: 'unavailable' }])
})
