import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { openImports } from '#platform/program/testing/imports.ts'

const { platform, preview, start, show, work, importAll } = await openImports()
afterAll(() => platform.close())

const log = (sample: string, value: string) =>
  JSON.stringify({
    eval: {
      task: 'pop',
      model: 'openai/small',
      run_id: sample,
      created: '2026-01-01T00:00:00Z',
      packages: { inspect_ai: '0.3.95' },
    },
    status: 'success',
    samples: [{ id: sample, epoch: 1, input: 'Hi', scores: { match: { value } } }],
  })

test('a run says which tool, version and file it came from, and names its import', async () => {
  const { id } = await importAll({ 'logs/a.json': log('a', 'C') }, 'sources')
  const [row] = await platform.services.db.select().from(runs).where(eq(runs.experimentId, 'sources'))
  const { json } = await platform.request('GET', `/runs/${encodeURIComponent(row?.compositeId ?? '')}`)
  expect(json.run.source).toEqual({
    tool: 'Inspect',
    toolVersion: '0.3.95',
    file: 'logs/a.json#a, epoch 1',
    importId: id,
  })
})

test('charts of an experiment that several imports made show the runs of all of them', async () => {
  await importAll({ 'a.json': log('a', 'C') }, 'grown')
  const more = await preview({ 'b.json': log('b', 'I') })
  await start(more.id, 'grown')
  await work()
  expect(await show(more.id)).toMatchObject({ state: 'done' })
  const ask = (parameters: Record<string, unknown>) =>
    platform.request('POST', `/insights/${encodeURIComponent('chart:grown:leaderboard')}/execute`, {
      body: { parameters },
    })
  const { version, groups } = JSON.parse((await ask({ group_by: 'agent' })).json.chartDataJson)
  expect([version, groups[0].runs]).toEqual(['all', 2])
  const latest = JSON.parse((await ask({ group_by: 'agent', version: 'latest' })).json.chartDataJson)
  expect(latest.groups[0].runs).toBe(1)
})

test('a list of experiments can have only those that take more results', async () => {
  await platform.request('POST', '/experiments', { yaml: 'id: own\nname: Own\nagents: [{id: a, command: ["true"]}]\n' })
  await importAll({ 'a.json': log('a', 'C') }, 'taken')
  const idsOf = async (query: string) =>
    (await platform.request('GET', `/experiments?${query}`)).json.experiments.map(({ id }: { id: string }) => id)
  expect(await idsOf('imported=true')).not.toContain('own')
  expect(await idsOf('imported=true')).toContain('taken')
  expect(await idsOf('')).toContain('own')
})
