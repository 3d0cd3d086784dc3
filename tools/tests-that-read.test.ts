import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { findTestsThatRead, findTestsWithout } from './tests-that-read.mjs'

const left = findTestsWithout('TEST_DATABASE_URL', 'platform/**/*.test.{ts,tsx}')

test('no test that opens the state database, itself or through a file it imports, is left out on PostgreSQL', () => {
  for (const file of ['platform/runs/runs.test.ts', 'platform/failures/outage.test.ts', 'platform/server/http.test.ts'])
    expect(left).not.toContain(file)
  for (const file of left)
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/TEST_DATABASE_URL|openTest(Context|Platform|Database)/)
})

test('a test that only shares types with the database is left out', () => {
  expect(left).toContain('platform/egress/egress-proxy.test.ts')
  expect(left).toContain('platform/images/hostile-images.test.ts')
})

test('the tests that are shortened are found by the length that they import', () => {
  const shortened = findTestsThatRead('TEST_LONG', 'platform/**/*.test.ts')
  expect(shortened).toContain('platform/notifications/feed-property.test.ts')
  expect(shortened).not.toContain('platform/runs/runs.test.ts')
})
