import { existsSync, globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { findFastTests, findTestsAbout, findTestsThatRead } from './find-tests.mjs'
import {
  suitesAboutTheDatabase,
  suitesOnClickhouse,
  suitesWithDocument,
  suitesWithMockedModules,
} from './test-suites.mjs'

const everywhere = '{contract,server-kit,statistics,platform,BFF,src,tools}/**/*.test.{ts,tsx}'

test('a change of one verb is tested by the tests beside it and by those that import it, and not by all that start a server', () => {
  const found = findTestsAbout(['platform/results/reports/append-block.ts'], everywhere)
  expect(found).toContain('platform/results/reports/reports.test.ts')
  expect(found).toContain('platform/results/reports/racing.test.ts')
  expect(found).not.toContain('platform/queue/runs/runs.test.ts')
  expect(found.length).toBeLessThan(40)
  for (const verb of ['platform/queue/runs/submit-runs.ts', 'platform/inputs/secrets/delete-secret.ts'])
    expect(findTestsAbout([verb], everywhere).length, verb).toBeLessThan(40)
})

test('a change of a file that everything uses is tested by all that use it', () => {
  const found = findTestsAbout(['platform/program/testing/test-platform.ts'], everywhere)
  expect(found).toContain('platform/queue/runs/runs.test.ts')
  expect(found).toContain('platform/inputs/secrets/secrets.test.ts')
  expect(found).not.toContain('statistics/known-values.test.ts')
})

test('a change of one page is tested by the tests that draw pages, and a change of one verb is not', () => {
  const pages = globSync('src/page-tests/*.dom.test.tsx')
  expect(findTestsAbout(['src/features/secrets/SecretsPage.tsx'], everywhere)).toEqual(expect.arrayContaining(pages))
  const aboutVerb = findTestsAbout(['platform/results/reports/append-block.ts'], everywhere)
  expect(aboutVerb.filter((file) => pages.includes(file))).toEqual([])
})

test('a fast test starts no process, no server and no database', () => {
  const fast = findFastTests(everywhere)
  expect(fast).toContain('tools/import-law.test.ts')
  expect(fast).toContain('statistics/known-values.test.ts')
  expect(fast.filter((file) => file.startsWith('src/page-tests/'))).toEqual([])
  expect(fast.filter((file) => /openTest(Platform|Context|Database)\(/.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('the tests that are shortened are found by the length that they import', () => {
  const shortened = findTestsThatRead('TEST_LONG', 'platform/**/*.test.ts')
  expect(shortened).toContain('platform/people/notifications/feed-property.test.ts')
  expect(shortened).not.toContain('platform/queue/runs/runs.test.ts')
})

test('every suite that is listed to run somewhere exists', () => {
  for (const file of [...suitesAboutTheDatabase, ...suitesWithDocument, ...suitesWithMockedModules])
    expect(globSync(file).length, file).toBeGreaterThan(0)
  for (const file of suitesOnClickhouse) expect(globSync(file).length, file).toBeGreaterThan(0)
})

test('a suite about the database would notice which database it runs on', () => {
  const reading = new Set(findTestsThatRead('TEST_DATABASE_URL', 'platform/**/*.test.ts'))
  for (const file of suitesAboutTheDatabase.filter(existsSync)) expect(reading, file).toContain(file)
})
