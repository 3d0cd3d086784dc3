import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'

vi.mock(import('#contract/wire/limit.ts'), async (load) => {
  const { limits, ...rest } = await load()
  const most = { keysPerPerson: 3, keysPerOrganization: 4, webhooksPerOrganization: 2, budgetsPerOrganization: 2 }
  return { ...rest, limits: { ...limits, ...most } as unknown as typeof limits }
})

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

const eight = Array.from({ length: 8 }, (_, place) => place)

/** PGlite has one connection, so only PostgreSQL can fail these. */
test.each([
  // The key of this test is the first of its person.
  { path: '/admin/v1/me/keys', accepted: 2, bodyOf: (place: number) => ({ name: `own ${place}` }) },
  { path: '/admin/v1/keys', accepted: 4, bodyOf: (place: number) => ({ name: `all ${place}`, role: 'member' }) },
  {
    path: '/admin/v1/webhooks',
    accepted: 2,
    bodyOf: (place: number) => ({ name: `w ${place}`, url: 'https://example.com/hook' }),
  },
])('of eight requests at the same time, $path accepts $accepted', async ({ path, accepted, bodyOf }) => {
  const answers = await Promise.all(eight.map((place) => platform.request('POST', path, { body: bodyOf(place) })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual(
    eight.map((place) => (place < accepted ? 201 : 429)),
  )
})

test('of four budgets at the same time, two are accepted', async () => {
  const keys = ['anthropic', 'openai', 'google', '']
  const answers = await Promise.all(
    keys.map((key) => {
      const body = { scope: key === '' ? 'organization' : 'provider', key, monthlyLimitUsd: 5 }
      return platform.request('PUT', '/admin/v1/budgets', { body })
    }),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
})
