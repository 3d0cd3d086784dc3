import { afterAll, expect, test } from 'vitest'

import type { Outcome } from '#contract/outcomes.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const scope = (experimentId: string) => ({ organizationId: platform.organization.id, experimentId })

const push = (experimentId: string, ordinal: number) =>
  addVersion(platform.services.db, { ...scope(experimentId), ordinal })

type Facts = Partial<Parameters<typeof addFinishedRun>[1]>
const finish = (experimentId: string, fingerprint: string, outcomes: Record<string, Outcome>, facts: Facts = {}) =>
  addFinishedRun(platform.services.db, { ...scope(experimentId), fingerprint, outcomes, ...facts })

async function readLatest(id: string) {
  const { json } = await platform.request('GET', `/experiments?search=${id}`)
  const { latestOutcomes, latestSolved, latestResultsFingerprint } = json.experiments[0]
  return { latestOutcomes, latestSolved, latestResultsFingerprint }
}

test('the latest results of an experiment cover all finished runs of a version, not only its newest request', async () => {
  const version = await push('many-requests', 1)
  expect(await readLatest('many-requests')).toEqual({
    latestOutcomes: null,
    latestSolved: null,
    latestResultsFingerprint: null,
  })
  await finish('many-requests', version, { a: 'passed', b: 'failed' })
  await finish('many-requests', version, { a: 'passed', b: 'skipped' })
  await finish('many-requests', version, { a: 'passed', b: 'unresolved' })
  expect(await readLatest('many-requests')).toEqual({
    latestOutcomes: { passed: 3, failed: 1, unresolved: 1, errored: 0, skipped: 1 },
    latestSolved: { solved: 1, runs: 3 },
    latestResultsFingerprint: version,
  })
})

test('the latest results are of the version that was pushed last among those with finished runs', async () => {
  const [first, second] = [await push('versions', 1), await push('versions', 2)]
  await finish('versions', first, { a: 'failed' }, { ordinal: 1 })
  expect(await readLatest('versions')).toMatchObject({ latestSolved: { solved: 0, runs: 1 } })
  await finish('versions', second, { a: 'passed' }, { ordinal: 2, status: 'running' })
  expect(await readLatest('versions')).toMatchObject({
    latestSolved: { solved: 0, runs: 1 },
    latestResultsFingerprint: first,
  })
  await finish('versions', second, { a: 'passed' }, { ordinal: 2 })
  expect(await readLatest('versions')).toMatchObject({ latestSolved: { solved: 1, runs: 1 } })
})

test('a run that errored is not solved, and canceled runs and runs without tests do not count', async () => {
  const version = await push('uncounted', 1)
  await finish('uncounted', version, { a: 'passed' }, { status: 'canceled' })
  await finish('uncounted', version, {})
  await finish('uncounted', version, { a: 'skipped' })
  expect(await readLatest('uncounted')).toMatchObject({ latestSolved: null })
  await finish('uncounted', version, {}, { status: 'errored' })
  expect(await readLatest('uncounted')).toMatchObject({ latestSolved: { solved: 0, runs: 1 } })
})
