import { asc } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

test('a submitted run has the retries of its prompt, else of its experiment, else two', async () => {
  const platform = await openTestPlatform()
  onTestFinished(() => platform.close())
  const submit = async (id: string, limits: string) => {
    const yaml = `id: ${id}\nname: N\nagents: [{id: a, command: [x]}]\n${limits}`
    await platform.request('POST', '/experiments', { yaml })
    await platform.request('POST', `/experiments/${id}/runs`, { body: { mock: true } })
  }
  await submit('usual', '')
  await submit('own', 'limits: {retries: 0}\nprompts: [{id: p, text: x, limits: {retries: 5}}, {id: q, text: y}]\n')
  const rows = await platform.services.db.select().from(runs).orderBy(asc(runs.experimentId), asc(runs.prompt))
  expect(rows.map(({ experimentId, prompt, retries }) => [experimentId, prompt, retries])).toEqual([
    ['own', 'p', 5],
    ['own', 'q', 0],
    ['usual', null, 2],
  ])
})
