import { eq, inArray } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { importParts } from '#platform/ground/database/tables/imports.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import type { Analytics } from '#platform/ground/services/analytics.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openImports } from '#platform/program/testing/imports.ts'
import { performImport } from './perform-import.ts'

const { platform, post, succeed, show, work, upload, preview, start, importAll, undo } = await openImports()
afterAll(() => platform.close())
const { db } = platform.services

const trial = (name: string, reward: number) =>
  JSON.stringify({
    id: name,
    trial_name: name,
    task_name: 'count',
    config: { job_id: 'job' },
    agent_info: { name: 'solver', model_info: { name: 'small' } },
    agent_result: { n_input_tokens: 10, n_output_tokens: 2, cost_usd: 0.5 },
    verifier_result: { rewards: { reward } },
  })
const twoFormats = {
  'drop/job/a/result.json': trial('a', 1),
  'drop/job/b/result.json': trial('b', 0.5),
  'drop/mine.csv': 'agent,model,task,passed,cost\nother,big,count,true,1.5\n',
  'drop/README.md': 'Hello',
}
const countRuns = (experimentId: string) => db.$count(runs, eq(runs.experimentId, experimentId))

test('a preview says what dropped files will make and what is left out, and touches nothing', async () => {
  const before = await db.$count(runs)
  const { state, preview: shown, files } = await preview(twoFormats)
  expect([state, files]).toEqual(['ready', 4])
  expect(shown).toMatchObject({
    formats: [
      { title: 'Harbor', runs: 2 },
      { title: 'Table', runs: 1 },
    ],
    runs: 3,
    agents: { count: 2, names: ['other', 'solver'] },
    models: { count: 2, names: ['big', 'small'] },
    prompts: { count: 1, names: ['count'] },
    solved: 2,
    leftOut: [{ file: 'drop/README.md', reason: 'no known format of results' }],
    experimentId: 'drop',
    experimentName: 'drop',
  })
  expect(shown?.tables).toMatchObject([
    { file: 'drop/mine.csv', isRead: true, columns: ['agent', 'model', 'task', 'passed', 'cost'] },
  ])
  expect(await db.$count(runs)).toBe(before)
})

test('an import makes an experiment, the same files again double nothing, and an undo removes exactly what it made', async () => {
  const first = await importAll(twoFormats, 'both')
  expect(first).toMatchObject({
    state: 'done',
    isNew: true,
    progress: { done: 3, total: 3 },
    result: { imported: 3, alreadyImported: 0, leftOut: [{ file: 'drop/README.md' }] },
  })
  const more = await preview({ ...twoFormats, 'drop/job/c/result.json': trial('c', 1) })
  await start(more.id, 'both')
  await work()
  expect(await show(more.id)).toMatchObject({ isNew: false, result: { imported: 1, alreadyImported: 3 } })
  expect(await countRuns('both')).toBe(4)
  expect((await undo(more.id)).state).toBe('undone')
  expect(await countRuns('both')).toBe(3)
  expect(await undo(first.id)).toMatchObject({ state: 'undone', progress: { done: 3, total: 3 } })
  expect([
    await countRuns('both'),
    await db.$count(runRequests, eq(runRequests.experimentId, 'both')),
    await db.$count(experiments, eq(experiments.id, 'both')),
    await db.$count(importParts, inArray(importParts.importId, [first.id, more.id])),
  ]).toEqual([0, 0, 0, 0])
})

test('an undo keeps an experiment that other runs use, and says so', async () => {
  const first = await importAll({ 'a.csv': 'agent,task,passed\nsolver,count,true\n' }, 'shared')
  const { id } = await preview({ 'b.csv': 'agent,task,passed\nsolver,sort,true\n' })
  await start(id, 'shared')
  await work()
  expect((await undo(first.id)).result?.note).toContain('The experiment is still there')
  expect(await countRuns('shared')).toBe(1)
})

async function countInAnalytics(experimentId: string) {
  const { json } = await post('/query', {
    sql: `SELECT count() AS runs FROM runs WHERE experiment_id = '${experimentId}'`,
  })
  return json.rows?.[0] ?? json
}

test('an undo also takes the runs out of the analytics', async () => {
  const { id } = await importAll({ 'a.csv': 'agent,task,passed\nsolver,count,true\n' }, 'counted')
  const before = await countInAnalytics('counted')
  await undo(id)
  expect([before, await countInAnalytics('counted')]).toEqual([[1], [0]])
})

test('runs that are imported again during an undo stay in the analytics', async () => {
  const { id } = await importAll({ 'a.csv': 'agent,task,passed\nsolver,count,true\n' }, 'again')
  const [run] = await db.select().from(runs).where(eq(runs.experimentId, 'again'))
  const [request] = await db.select().from(runRequests).where(eq(runRequests.experimentId, 'again'))
  if (!run || !request) throw new Error('Nothing was imported')
  const { services, organization } = platform
  const analytics: Analytics = {
    ...services.analytics,
    async remove(...removed) {
      await db.insert(runRequests).values(request)
      await db.insert(runs).values(run)
      await services.analytics.remove(...removed)
    },
  }
  await succeed(`/imports/${id}/undo`)
  await performImport({ ...services, analytics }, 'write', new AbortController().signal)
  await projectRuns(services, organization.id)
  expect(await countInAnalytics('again')).toEqual([1])
})

test('a table whose columns say nothing is mapped by a person, and the next one with the same columns is read alike', async () => {
  const bots = { 'bots.csv': 'bot,case,q\nalpha,count,1\nalpha,sort,0.25\n' }
  const guess = await preview(bots)
  expect(guess.preview).toMatchObject({ runs: 0, tables: [{ isRead: false, columns: ['bot', 'case', 'q'] }] })
  const columns = [
    { field: 'agent', column: 'bot' },
    { field: 'prompt', column: 'case' },
    { field: 'score:quality', column: 'q' },
  ]
  await succeed(`/imports/${guess.id}/preview`, { format: 'table', columns })
  await work()
  const mapped = await show(guess.id)
  expect(mapped.preview).toMatchObject({ runs: 2, solved: 1, agents: { names: ['alpha'] }, scores: 2 })
  await start(guess.id, 'bots', 'Bots')
  await work()
  const next = await preview({ 'next.csv': 'bot,case,q\nbeta,count,1\n' })
  expect(next).toMatchObject({ columns, preview: { runs: 1, agents: { names: ['beta'] } } })
  const wrong = await post(`/imports/${next.id}/preview`, { columns: [{ field: 'size', column: 'q' }] })
  expect([wrong.status, wrong.json.error]).toEqual([400, 'invalid_argument'])
})

test('an import that is interrupted continues, and an undo of the rest removes all of it', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => `solver,task-${index},true`)
  const { id } = await preview({ 'many.csv': `agent,task,passed\n${rows.join('\n')}\n` })
  await start(id, 'many', 'Many')
  const stopping = new AbortController()
  const interrupted = { ...platform.services, wakeProjector: () => stopping.abort() }
  await performImport(interrupted, 'write', stopping.signal)
  expect((await show(id)).state).toBe('running')
  const between = await countRuns('many')
  expect([between > 0, between < 120]).toEqual([true, true])
  await work()
  expect(await show(id)).toMatchObject({ state: 'done', result: { imported: 120, alreadyImported: 0 } })
  expect(await countRuns('many')).toBe(120)
  await undo(id)
  expect([await countRuns('many'), await db.$count(capturedTests)]).toEqual([0, expect.any(Number)])
})

test('a large file comes in parts, in order, and a missing part is refused', async () => {
  const text = 'agent,task,passed\nsolver,count,true\nsolver,sort,false\n'
  const send = async (offsets: [number, number][]) => {
    const { id } = await succeed('/imports')
    for (const [from, to] of offsets) {
      const content = Buffer.from(text.slice(from, to)).toString('base64')
      await succeed(`/imports/${id}/files`, { parts: [{ path: 'a.csv', offset: from, bytes: to - from }], content })
    }
    await succeed(`/imports/${id}/preview`)
    await work()
    return show(id)
  }
  const { length } = text
  const whole: [number, number][] = [
    [0, 10],
    [10, 30],
    [10, 30],
    [30, length],
  ]
  expect((await send(whole)).preview?.runs).toBe(2)
  expect(
    await send([
      [0, 10],
      [30, length],
    ]),
  ).toMatchObject({ state: 'failed', stateReason: expect.stringContaining('Upload it again') as string })
})

test('every refusal has its code', async () => {
  const id = await upload(twoFormats)
  const codeOf = async (path: string, body: object = {}, key?: string) => {
    const { status, json } = await post(path, { ...body }, key)
    return status < 300 ? status : json.error
  }
  const part = (path: string) => ({ parts: [{ path, offset: 0, bytes: 2 }], content: 'e30=' })
  const files = `/imports/${id}/files`
  for (const path of ['../a', '/a', 'a/../b', 'a//b', 'C:/a', 'a\\b', `a/${'x'.repeat(256)}`, 'a\u0001'])
    expect([path, await codeOf(files, part(path))]).toEqual([path, 'invalid_argument'])
  expect(await codeOf(`/imports/${id}/start`, { experimentId: 'x', experimentName: 'X' })).toBe('failed_precondition')
  expect(await codeOf(`/imports/${id}/undo`)).toBe('failed_precondition')
  await succeed(`/imports/${id}/preview`)
  await work()
  expect(await codeOf(`/imports/${id}/start`, { experimentId: 'x' })).toBe('not_found')
  await platform.request('POST', '/experiments', {
    yaml: 'id: own\nname: Own\nagents: [{id: a, command: [echo]}]\nprompts: [{id: p, text: P}]\ntests: [{name: t, command: [echo]}]\n',
  })
  expect(await codeOf(`/imports/${id}/start`, { experimentId: 'own', experimentName: 'X' })).toBe('already_exists')
  expect(await codeOf(`/imports/${id}/start`, { experimentId: 'own' })).toBe('failed_precondition')
  const member = await platform.newKey({ role: 'member' })
  expect(await codeOf(files, part('a'), member)).toBe('not_found')
  expect((await platform.request('GET', `/imports/${id}`, { key: member })).status).toBe(404)
  await start(id, 'refused', 'Refused')
  await work()
  expect((await platform.request('GET', `/imports/${id}`, { key: member })).status).toBe(200)
  expect(await codeOf(`/imports/${id}/undo`, {}, member)).toBe('permission_denied')
  expect(await codeOf(files, part('a'))).toBe('failed_precondition')
  expect((await platform.request('DELETE', `/imports/${id}`)).json.error).toBe('failed_precondition')
})

test('another organization neither sees an import nor touches it', async () => {
  await createOrganization(platform.services, { slug: 'other' })
  const other = await platform.newKey({ organizations: ['other'] })
  const { id } = await importAll({ 'a.csv': 'agent,task,passed\nsolver,count,true\n' }, 'private')
  expect((await platform.request('GET', `/imports/${id}`, { key: other })).status).toBe(404)
  expect((await post(`/imports/${id}/undo`, {}, other)).status).toBe(404)
  expect((await platform.request('GET', '/imports', { key: other })).json.imports).toEqual([])
  expect((await platform.request('GET', '/imports')).json.imports[0]).toMatchObject({ id })
})

test('the oldest uploads of a person that were never started are deleted with their files', async () => {
  const person = await platform.newKey({ role: 'member' })
  const ids: string[] = []
  for (let count = 0; count < 7; count += 1) ids.push(await upload({ 'a.csv': 'a,b\n' }, person))
  const statuses = await Promise.all(
    ids.map(async (id) => (await platform.request('GET', `/imports/${id}`, { key: person })).status),
  )
  expect(statuses).toEqual([404, 404, 200, 200, 200, 200, 200])
})
