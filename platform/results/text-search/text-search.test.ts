import { afterAll, beforeAll, expect, test } from 'vitest'

import type { TextSearch } from '#contract/text-search.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addOrganization, addVersion } from '#platform/program/testing/finished-runs.ts'
import { addPrintedRun } from '#platform/program/testing/printed-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const minute = (index: number) => `2026-11-20T10:${String(index).padStart(2, '0')}:00.000001Z`
const shared = { fingerprint: '1'.padStart(64, 'f'), outcomes: { one: 'failed' } } as const

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const organizationId = organization.id
  for (const experimentId of ['first', 'second'])
    await addVersion(services.db, { organizationId, experimentId, ordinal: 1 })
  const add = (experimentId: string, at: number, rest: object) =>
    addPrintedRun(services, { ...shared, organizationId, experimentId, endedAt: minute(at), ...rest })
  await add('first', 0, {
    agent: 'printed',
    turns: [{ text: 'I try the needle.' }],
    printed: { one: { stderrTail: 'AssertionError: no needle' } },
  })
  await add('first', 1, { agent: 'said', turns: [{ text: 'NEEDLE in a haystack' }, { text: 'needle again' }] })
  await add('second', 2, { agent: 'ended', statusReason: 'The run errored: needle missing' })
  await add('second', 3, { agent: 'part', turns: [{ text: 'needlework' }] })
  await add('second', 4, { agent: 'thought', turns: [{ kind: 'reasoning', text: 'needle' }] })
  const elsewhere = await addOrganization(services.db)
  await addVersion(services.db, { organizationId: elsewhere, experimentId: 'first', ordinal: 1 })
  await addPrintedRun(services, {
    ...shared,
    organizationId: elsewhere,
    experimentId: 'first',
    endedAt: minute(5),
    turns: [{ text: 'needle of another organization' }],
  })
  for (const [title, bodyMarkdown] of [
    ['Weekly', 'We lost 100% of a Needle_ \\ here.'],
    ['The needle', 'Nothing else.'],
    ['Other', 'Hay.'],
  ] as const)
    await platform.request('POST', '/reports', { body: { title, bodyMarkdown } })
  await projectRuns(services, organizationId)
  await projectRuns(services, elsewhere)
})
afterAll(() => platform.close())

const find = async (query: Record<string, string>) => {
  const { status, json } = await platform.request('GET', `/text-search?${new URLSearchParams(query)}`)
  return { status, json, found: json as unknown as TextSearch }
}

test('a text is found in the transcripts, test output and errors of every experiment, once for each run', async () => {
  const { found } = await find({ search: 'needle' })
  expect(found.runs.map(({ agent, source, testName, turn }) => [agent, source, testName ?? turn])).toEqual([
    ['thought', 'transcripts', 1],
    ['ended', 'endings', null],
    ['printed', 'tests', 'one'],
    ['said', 'transcripts', 1],
    ['part', 'transcripts', 1],
  ])
  expect(found.runs[1]).toMatchObject({ experimentId: 'second', match: 'needle', after: ' missing' })
  expect(found).toMatchObject({ searchedRuns: 5, totalRuns: 5, stoppedEarly: false })
  expect(found.nextPageToken).toBeUndefined()
})

test('reports that have the text come with what surrounds it, those whose title has it first', async () => {
  const { found } = await find({ search: 'needle' })
  expect(found.reports).toMatchObject([
    { title: 'The needle', before: 'The ', match: 'needle', after: '' },
    {
      title: 'Weekly',
      before: 'We lost 100% of a ',
      match: 'Needle',
      after: expect.stringMatching(/^_ \\+ here\.\n$/),
    },
  ])
  expect(found).toMatchObject({ searchedReports: 3, totalReports: 3 })
})

test.each(['100%', '_ \\', "' OR 1=1 --"])('%s is searched as text and not as a pattern', async (search) => {
  const { found } = await find({ search })
  expect(found.reports.map(({ title }) => title)).toEqual(search.startsWith("'") ? [] : ['Weekly'])
})

test('a search without a match says what it has read', async () => {
  const { found } = await find({ search: 'nowhere' })
  expect(found).toMatchObject({ runs: [], reports: [], searchedRuns: 5, totalRuns: 5, searchedReports: 3 })
})

test('pages continue with older runs, repeat none, and only the first has reports', async () => {
  const seen: string[] = []
  let pageToken: string | undefined
  do {
    const { found } = await find({ search: 'needle', limit: '1', ...(pageToken && { page_token: pageToken }) })
    expect(found.runs.length).toBeLessThanOrEqual(1)
    expect(found.reports.length > 0).toBe(pageToken === undefined)
    seen.push(...found.runs.map(({ agent }) => agent ?? ''))
    pageToken = found.nextPageToken
  } while (pageToken)
  expect(seen).toEqual(['thought', 'part', 'ended', 'said', 'printed'])
})

test.each<Record<string, string>>([
  { search: 'a' },
  { search: ' a ' },
  { search: 'x'.repeat(201) },
  { search: 'needle', limit: '0' },
  { search: 'needle', page_token: 'of another list' },
])('400 for %o', async (query) => {
  expect(await find(query)).toMatchObject({ status: 400, json: { error: 'invalid_argument' } })
})
