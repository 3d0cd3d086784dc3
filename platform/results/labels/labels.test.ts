import { randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import type { Label, NewLabel } from '#contract/labels.ts'
import { limits } from '#contract/wire/limit.ts'
import { experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const colleague = await platform.newKey({ role: 'member', email: 'max@lab.example' })
await addVersion(platform.services.db, { organizationId: platform.organization.id, experimentId: 'e', ordinal: 1 })
const person: string = (await platform.request('GET', '/whoami')).json.actor.id
afterAll(() => platform.close())

/** Adds an ended run, and returns the path of its labels. */
async function addRun(facts: { status?: 'completed' | 'running'; outcome?: 'passed' | 'failed' } = {}) {
  const { status = 'completed', outcome = 'failed' } = facts
  const organizationId = platform.organization.id
  const run = { organizationId, experimentId: 'e', triggeredBy: person, status, outcomes: { suite: outcome } }
  return pathOf(await addFinishedRun(platform.services.db, run))
}
const pathOf = (runId: string) => `/runs/a::${runId}/labels`

const post = (path: string, body: Partial<NewLabel>, key = platform.admin) =>
  platform.request('POST', path, { key, body })

async function add(path: string, body: Partial<NewLabel>, key = platform.admin): Promise<Label> {
  const { status, json } = await post(path, body, key)
  expect(status, JSON.stringify(json)).toBe(201)
  return json as Label
}

const read = async (path: string, key = platform.admin) => (await platform.request('GET', path, { key })).json
const textsOf = async (path: string, key?: string) =>
  ((await read(path, key)).labels as Label[]).map(({ text }) => text).toSorted()
const runOf = async (path: string) => (await platform.request('GET', path.replace('/labels', ''))).json.run

test('a tag is stored in one spelling, once for each person, and the run has it', async () => {
  const path = await addRun()
  const first = await add(path, { kind: 'tag', text: '  Wrong   API ' })
  expect(first).toMatchObject({ kind: 'tag', text: 'wrong api', canChange: false, canDelete: true })
  const [again, byColleague] = await Promise.all([
    add(path, { kind: 'tag', text: 'WRONG API' }),
    add(path, { kind: 'tag', text: 'wrong api' }, colleague),
  ])
  expect(again.id).toBe(first.id)
  expect(byColleague.id).not.toBe(first.id)
  expect(await textsOf(path)).toEqual(['wrong api', 'wrong api'])
  expect((await runOf(path)).tags).toEqual(['wrong api'])
  await platform.request('DELETE', `${path}/${first.id}`)
  expect((await runOf(path)).tags).toEqual(['wrong api'])
  await platform.request('DELETE', `${path}/${byColleague.id}`)
  expect((await runOf(path)).tags).toBeUndefined()
})

test('concurrent additions and deletions of tags leave the run with exactly the tags not deleted', async () => {
  const path = await addRun()
  const added = await Promise.all(['a', 'b', 'c', 'd'].map((text) => add(path, { kind: 'tag', text })))
  await Promise.all([
    ...added.slice(0, 2).map(({ id }) => platform.request('DELETE', `${path}/${id}`)),
    add(path, { kind: 'tag', text: 'e' }, colleague),
  ])
  expect(await textsOf(path)).toEqual(['c', 'd', 'e'])
  expect((await runOf(path)).tags).toEqual(['c', 'd', 'e'])
})

test('a label can be added only to a test or turn that the run has, and does not count as a tag of the run', async () => {
  const path = await addRun()
  expect(await add(path, { kind: 'tag', text: 'flaky', testName: 'suite' })).toMatchObject({ testName: 'suite' })
  expect((await runOf(path)).tags).toBeUndefined()
  for (const target of [{ testName: 'nothing' }, { turn: 4 }])
    expect((await post(path, { kind: 'note', text: 'Here', ...target })).status).toBe(404)
  expect((await post(path, { kind: 'note', text: 'Here', testName: 'suite', turn: 1 })).status).toBe(400)
})

test('412 for a label of a test or a turn of a run that has not ended, because a retry has others', async () => {
  const path = await addRun({ status: 'running' })
  for (const target of [{ testName: 'suite' }, { turn: 1 }])
    expect((await post(path, { kind: 'note', text: 'Here', ...target })).status).toBe(412)
})

test('notes are changed by their author alone, and deleted by the author or an admin', async () => {
  const path = await addRun()
  const note = await add(path, { kind: 'note', text: 'The test is\nwrong' }, colleague)
  const change = (key?: string) =>
    platform.request('PATCH', `${path}/${note.id}`, { body: { text: 'The test is right' }, ...(key && { key }) })
  expect((await change()).status).toBe(403)
  expect((await change(colleague)).json).toMatchObject({
    text: 'The test is right',
    createdBy: { email: 'max@lab.example' },
  })
  const another = await platform.newKey({ role: 'member', email: 'eve@lab.example' })
  expect((await platform.request('DELETE', `${path}/${note.id}`, { key: another })).status).toBe(403)
  expect((await platform.request('DELETE', `${path}/${note.id}`)).status).toBe(204)
  expect((await platform.request('DELETE', `${path}/${note.id}`)).status).toBe(404)
})

test('412 for a new name of a tag, which would be another tag', async () => {
  const path = await addRun()
  const tag = await add(path, { kind: 'tag', text: 'slow' })
  expect((await platform.request('PATCH', `${path}/${tag.id}`, { body: { text: 'fast' } })).status).toBe(412)
})

test('a dispute stays beside the measured outcome, once for each person', async () => {
  const path = await addRun()
  const dispute = { kind: 'dispute', claimedOutcome: 'solved', text: 'The test checks the wrong file' } as const
  const [first, again] = await Promise.all([add(path, dispute), add(path, dispute)])
  expect(again.id).toBe(first.id)
  expect((await post(path, { ...dispute, text: 'Another reason' })).status).toBe(409)
  expect(await runOf(path)).toMatchObject({ disputed: true, outcomes: { failed: 1, passed: 0 } })
  const listed = await platform.request('GET', '/runs?disputed=true')
  expect(listed.json.runs.map(({ id }: { id: string }) => `/runs/${id}/labels`)).toEqual([path])
  await platform.request('DELETE', `${path}/${first.id}`)
  expect((await runOf(path)).disputed).toBeUndefined()
  expect((await platform.request('GET', '/runs?disputed=true')).json.runs).toEqual([])
})

test('412 for a dispute that claims the measured outcome, or of a run that has not ended', async () => {
  const reason = { kind: 'dispute', text: 'I looked' } as const
  const [passed, running] = [await addRun({ outcome: 'passed' }), await addRun({ status: 'running' })]
  for (const [path, claimedOutcome, status] of [
    [passed, 'solved', 412],
    [passed, 'unsolved', 201],
    [running, 'solved', 412],
  ] as const)
    expect((await post(path, { ...reason, claimedOutcome })).status).toBe(status)
})

test('lists find runs by any of several tags, in any spelling', async () => {
  const [one, two, three] = [await addRun(), await addRun(), await addRun()]
  await add(one, { kind: 'tag', text: 'red' })
  await add(two, { kind: 'tag', text: 'blue' })
  await add(three, { kind: 'tag', text: 'red', testName: 'suite' })
  const found = async (query: string) =>
    (await platform.request('GET', `/runs?${query}`)).json.runs.map(({ id }: { id: string }) => `/runs/${id}/labels`)
  expect((await found('tag=Red,blue')).toSorted()).toEqual([one, two].toSorted())
  expect(await found('tag=RED')).toEqual([one])
  expect(await found('tag=green')).toEqual([])
})

test('a list that polls sees a new tag', async () => {
  const path = await addRun()
  const { stamp } = (await platform.request('GET', '/runs')).json
  await add(path, { kind: 'tag', text: 'seen' })
  const { runs } = (await platform.request('GET', `/runs?changed_since=${encodeURIComponent(stamp)}`)).json
  expect(runs).toMatchObject([{ tags: ['seen'] }])
})

test('a blind reader sees the labels of others after tagging the run', async () => {
  const path = await addRun()
  await add(path, { kind: 'tag', text: 'wrong tool' })
  await add(path, { kind: 'note', text: 'Turn 3' })
  await add(path, { kind: 'tag', text: 'unclear', testName: 'suite' }, colleague)
  const blind = async () => {
    const { labels, hiddenCount } = await read(`${path}?blind=true`, colleague)
    return [labels.map(({ text }: Label) => text), hiddenCount]
  }
  expect(await blind()).toEqual([['unclear'], 2])
  await add(path, { kind: 'tag', text: 'fine' }, colleague)
  expect(await blind()).toEqual([['wrong tool', 'Turn 3', 'unclear', 'fine'], 0])
})

test('tags of the organization are listed by the number of their runs', async () => {
  const [one, two] = [await addRun(), await addRun()]
  for (const path of [one, two]) await add(path, { kind: 'tag', text: 'zz often' })
  await add(one, { kind: 'tag', text: 'zz rare' }, colleague)
  const { tags } = await read('/tags')
  expect(tags.filter(({ name }: { name: string }) => name.startsWith('zz'))).toEqual([
    { name: 'zz often', runs: 2 },
    { name: 'zz rare', runs: 1 },
  ])
})

test.each([
  ['a blank tag', { kind: 'tag', text: '  ' }],
  ['a tag with a comma', { kind: 'tag', text: 'a,b' }],
  ['a tag with a separator of groups', { kind: 'tag', text: 'a + b' }],
  ['a tag that is too long', { kind: 'tag', text: 'x'.repeat(limits.tagName + 1) }],
  ['a tag with a hidden mark', { kind: 'tag', text: 'a\u202eb' }],
  ['a note that is too long', { kind: 'note', text: 'x'.repeat(limits.labelText + 1) }],
  ['a note with a control character', { kind: 'note', text: 'a\u0000b' }],
  ['an unknown kind', { kind: 'rating', text: '5' }],
  ['a dispute without an outcome', { kind: 'dispute', text: 'No' }],
  ['a note with an outcome', { kind: 'note', text: 'No', claimedOutcome: 'solved' }],
  ['a dispute of a test', { kind: 'dispute', text: 'No', claimedOutcome: 'solved', testName: 'suite' }],
])('400 for %s', async (_, body) => {
  const { status, json } = await platform.request('POST', await addRun(), { body })
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})

test('429 at the limit of labels that a person may put on a run', async () => {
  const path = await addRun()
  const first = await add(path, { kind: 'note', text: 'First' })
  const { db } = platform.services
  const [row] = await db.select().from(labels).where(eq(labels.id, first.id))
  if (!row) throw new Error('The label was not stored')
  const others = Array.from({ length: limits.labelsPerPersonAndRun - 1 }, (_, index) => index + 1)
  await db.insert(labels).values(others.map((slot) => ({ ...row, id: randomUUID(), slot })))
  expect((await post(path, { kind: 'note', text: 'One more' })).status).toBe(429)
  expect((await post(path, { kind: 'note', text: 'Of another person' }, colleague)).status).toBe(201)
})

test('an organization key reads labels and adds none', async () => {
  const path = await addRun()
  const { json } = await platform.request('POST', '/admin/v1/keys', { body: { name: 'CI', role: 'member' } })
  expect((await post(path, { kind: 'tag', text: 'by ci' }, json.key)).status).toBe(403)
  expect((await read(path, json.key)).labels).toEqual([])
})

test('another organization sees and changes nothing of it', async () => {
  const path = await addRun()
  const { id } = await add(path, { kind: 'tag', text: 'private' })
  await createOrganization(platform.services, { slug: 'foreign' })
  const key = await platform.newKey({ role: 'admin', organizations: ['foreign'], email: 'x@foreign.example' })
  expect((await read('/tags', key)).tags).toEqual([])
  for (const [method, target, body] of [
    ['GET', path, undefined],
    ['POST', path, { kind: 'tag', text: 'mine' }],
    ['PATCH', `${path}/${id}`, { text: 'mine' }],
    ['DELETE', `${path}/${id}`, undefined],
  ] as const)
    expect((await platform.request(method, target, { key, body })).status).toBe(404)
})

test('a review counts who tagged which runs, and how well two people agree', async () => {
  const paths = [await addRun(), await addRun(), await addRun(), await addRun()]
  const [one, two, three] = paths as [string, string, string, string]
  for (const path of paths) await add(path, { kind: 'tag', text: 'to review', testName: 'suite' })
  const say = async (path: string, mine: string[], theirs: string[]) => {
    for (const text of mine) await add(path, { kind: 'tag', text })
    for (const text of theirs) await add(path, { kind: 'tag', text }, colleague)
  }
  await say(one, ['k yes', 'k odd'], ['k odd', 'k yes'])
  await say(two, ['k yes'], ['k no'])
  await say(three, ['k yes'], [])
  const { json } = await platform.request('GET', '/review?tag=k%20yes,k%20no')
  expect(json).toMatchObject({
    runs: 3,
    ownRunIds: expect.toSatisfy((ids: string[]) => ids.length === 3),
    reviewers: [
      { person: { id: person }, runs: 3 },
      { person: { email: 'max@lab.example' }, runs: 2 },
    ],
    agreement: {
      first: { id: person },
      sets: { runs: 2, agreed: 1, observed: 0.5 },
      pairs: [{ runs: 1 }, { runs: 1 }],
      tags: [
        { name: 'k no', both: 0, onlyFirst: 0, onlySecond: 1, neither: 1, kappa: 0 },
        { name: 'k odd', both: 1, onlyFirst: 0, onlySecond: 0, neither: 1, kappa: 1 },
        { name: 'k yes', both: 1, onlyFirst: 1, onlySecond: 0, neither: 0, kappa: 0 },
      ],
    },
  })
  expect(json.agreement.sets.kappa).toBeCloseTo(1 / 3, 12)
  const none = (await platform.request('GET', '/review?tag=nothing')).json
  expect(none).toEqual({ runs: 0, ownRunIds: [], ownNotedRunIds: [], reviewers: [] })
})

test('κ on prompts like these needs six tasks, however many prompts they have', async () => {
  const { services, organization } = platform
  const version = { organizationId: organization.id, experimentId: 'tasks', ordinal: 1 }
  const fingerprint = await addVersion(services.db, version)
  const names = Array.from({ length: 7 }, (_, place) => `p${place}`)
  for (const [place, prompt] of names.entries()) {
    const facts = { ...version, fingerprint, prompt, triggeredBy: person, outcomes: {} }
    const path = pathOf(await addFinishedRun(services.db, facts))
    for (const key of [platform.admin, colleague]) await add(path, { kind: 'tag', text: `kind ${place % 2}` }, key)
  }
  const intervalOf = async () =>
    (await platform.request('GET', '/review?tag=kind%200,kind%201')).json.agreement.intervals.promptsLikeThese
  expect(await intervalOf()).toMatchObject({ high: 1 })
  const prompts = names.map((id, place) => ({ id, text: 'Do it.', ...(place > 0 && { task: `t${place % 3}` }) }))
  await services.db
    .update(experimentVersions)
    .set({ definition: { id: 'tasks', name: 'Tasks', agents: [], prompts } })
    .where(eq(experimentVersions.experimentId, 'tasks'))
  expect(await intervalOf()).toBeNull()
})

test('a review tells runs with only a note of the caller from those that the caller tagged', async () => {
  const [noted, tagged, none] = [await addRun(), await addRun(), await addRun()]
  for (const path of [noted, tagged, none]) await add(path, { kind: 'tag', text: 'only notes' }, colleague)
  await add(noted, { kind: 'note', text: 'Look again' })
  await add(tagged, { kind: 'note', text: 'Look again' })
  await add(tagged, { kind: 'tag', text: 'fine' })
  const { json } = await platform.request('GET', '/review?tag=only%20notes')
  const idOf = (path: string) => path.split('/')[2]
  expect(json).toMatchObject({ runs: 3, ownRunIds: [idOf(tagged)], ownNotedRunIds: [idOf(noted)] })
})
