import { afterAll, expect, test } from 'vitest'

import { keepEverything } from '#contract/retention.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const run = (name: string, input: object) => runCommand(platform.services, name, { org: 'lab', ...input }, () => {})
const shown = async () => JSON.parse((await run('retention show', {})).join('\n'))

test('the operator shows, previews and changes the rules, and does not overwrite newer ones', async () => {
  const before = await shown()
  expect(before).toMatchObject({ ...keepEverything, updatedAt: null })
  const preview = JSON.parse((await run('retention preview', { rules: { runs: 30 } })).join('\n'))
  expect(preview.losses).toMatchObject([{ kind: 'runs', count: 0 }])
  const [said] = await run('retention set', { rules: { runs: 30 } })
  expect(said).toContain('Nothing is removed before 20')
  await run('retention set', { rules: { outputs: 60 } })
  expect(await shown()).toMatchObject({ runs: 30, outputs: 60, transcripts: null })
  await expect(run('retention set', { rules: before })).rejects.toThrow('changed since')
  await expect(run('retention set', { rules: { run: 30 } })).rejects.toThrow('run')
  await expect(run('retention set', { rules: { runs: 3 } })).rejects.toThrow('7')
})

test('a sweep by hand waits for the announced time, unless the operator skips it', async () => {
  await run('retention set', { rules: { runs: 20 } })
  expect(await run('retention sweep', {})).toEqual([expect.stringContaining('Nothing is removed before 20')])
  expect(await run('retention sweep', { withoutGrace: true })).toEqual(['There was nothing to remove'])
})

test('relaxed rules have no time to wait for, so none is printed', async () => {
  await run('retention set', { rules: { runs: 20 } })
  await run('retention sweep', { withoutGrace: true })
  const [relaxed] = await run('retention set', { rules: { runs: 40 } })
  expect(relaxed).toBe('Saved the retention of lab. The hourly cleanup removes what the rules name')
  const [none] = await run('retention set', { rules: { runs: null, outputs: null } })
  expect(none).toBe('Saved the retention of lab. No rule removes anything')
})

test('the audit log says that a wait was skipped only if there was one', async () => {
  const skipped = async () =>
    (await platform.request('GET', '/admin/v1/audit-events?event=retention.skip-grace')).json.events.length
  const before = await skipped()
  await run('retention sweep', { withoutGrace: true })
  expect(await skipped()).toBe(before)
  await run('retention set', { rules: { runs: 10 } })
  await run('retention sweep', { withoutGrace: true })
  expect(await skipped()).toBe(before + 1)
})
