import { afterAll, afterEach, expect, test, vi } from 'vitest'

import { getExperiment, listExperiments, pushExperiment } from '#contract/experiments.ts'
import { whoami } from '#contract/identity.ts'
import { getRun } from '#contract/runs.ts'
import { call } from './call.ts'
import { type ApiError, canReadAgain, canRetry, toApiError, waitBeforeReading } from './errors.ts'
import { selectOrganization } from './organization.ts'

const store = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, value: string) => store.set(key, value),
})

const demo = { id: '019a1f2c-8f60-7000-8000-000000000001', slug: 'demo', name: 'Demo', role: 'admin' as const }

/** Answers every fetch with one response and records the requests. */
function response(status: number, body: string, type = 'application/json') {
  const asked = vi.fn(async (_url: string, _init: RequestInit) => {
    return new Response(body, { status, headers: { 'content-type': type, 'x-request-id': 'req_9' } })
  })
  vi.stubGlobal('fetch', asked)
  return asked
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('the call should have failed'),
    (error: ApiError) => error,
  )

afterEach(() => selectOrganization([], null))
afterAll(() => void vi.unstubAllGlobals())

test('a list call sends its organization, and its filters under their wire names', async () => {
  selectOrganization([demo], 'demo')
  const fetch = response(200, '{"experiments":[]}')
  await call(listExperiments, { agent: ['a', 'b'], pageToken: 'x' })
  expect(fetch.mock.calls[0]?.[0]).toBe(`/api/v1/experiments?agent=a&agent=b&page_token=x&org_id=${demo.id}`)
})

test('whoami is called without an organization, and reads send no write header', async () => {
  selectOrganization([demo], null)
  const fetch = response(401, '{"error":"unauthenticated","message":"no"}')
  await failure(call(whoami, {}))
  expect(fetch.mock.calls[0]).toEqual([
    '/api/v1/whoami',
    expect.objectContaining({ headers: { accept: 'application/json' } }),
  ])
})

test('a write sends our header and a JSON body', async () => {
  const fetch = response(400, '{"error":"invalid_argument","message":"no"}')
  await failure(call(pushExperiment, { experimentYaml: 'id: a' }))
  const { method, headers, body } = fetch.mock.calls[0]?.[1] ?? {}
  expect({ method, headers, body }).toEqual({
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', 'x-assay-request': '1' },
    body: '{"experimentYaml":"id: a"}',
  })
})

test('a composite run id is percent-encoded', async () => {
  const fetch = response(404, '{"error":"not_found","message":"no"}')
  await failure(call(getRun, { id: 'a~b::0f' }))
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/v1/runs/a~b%3A%3A0f')
})

test('an error envelope becomes an ApiError with its request id and issues', async () => {
  response(
    400,
    '{"error":"invalid_argument","message":"bad","requestId":"req_1","issues":[{"path":"id","message":"m"}]}',
  )
  const error = await failure(call(getExperiment, { id: 'a' }))
  expect(error).toMatchObject({ code: 'invalid_argument', status: 400, message: 'bad', requestId: 'req_1' })
  expect(error.issues).toEqual([{ path: 'id', message: 'm' }])
})

test('a response that violates the contract is rejected', async () => {
  response(200, '{"experiments":[{"id":1}]}')
  const error = await failure(call(listExperiments, {}))
  expect(error).toMatchObject({ code: 'unexpected_response', requestId: 'req_9' })
  expect(error.issues[0]?.path).toBe('experiments.0.id')
})

test('a gateway’s HTML page becomes a readable error', async () => {
  response(502, '<h1>Bad gateway</h1>', 'text/html')
  expect(await failure(call(whoami, {}))).toMatchObject({ code: 'unexpected_response', status: 502 })
})

test('a missing network has its own error code and can be retried', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const error = await failure(call(whoami, {}))
  expect([error.code, canRetry(error)]).toEqual(['unreachable', true])
})

test('only network errors and server errors are retried', () => {
  const retried = [400, 401, 403, 404, 409, 412, 429].map((status) => canRetry(toApiError(status, undefined)))
  expect(new Set(retried)).toEqual(new Set([false]))
  expect(canRetry(toApiError(503, { error: 'unavailable', message: 'later' }))).toBe(true)
})

test('a refusal that says when to try again is read again then, unless that is too late for a page', () => {
  const refused = (retryAfter: string | null) =>
    toApiError(429, { error: 'resource_exhausted', message: 'later' }, retryAfter)
  const soon = refused('7')
  expect([canReadAgain(soon), waitBeforeReading(0, soon), waitBeforeReading(4, soon)]).toEqual([true, 7000, 16_000])
  expect([null, 'soon', '3600', '-5'].map((header) => canReadAgain(refused(header)))).toEqual([
    false,
    false,
    false,
    false,
  ])
  const date = refused(new Date(Date.now() + 10_000).toUTCString())
  expect(canReadAgain(date)).toBe(true)
  expect(date.retryAfterMs).toBeLessThanOrEqual(10_000)
})

test('a call reads the time that a refusal names', async () => {
  const asked = vi.fn(async () => {
    const headers = { 'content-type': 'application/json', 'retry-after': '2' }
    return new Response('{"error":"unavailable","message":"busy"}', { status: 503, headers })
  })
  vi.stubGlobal('fetch', asked)
  expect(await failure(call(whoami, {}))).toMatchObject({ code: 'unavailable', retryAfterMs: 2000 })
})
