import { load } from 'js-yaml'

import { queryExperiment } from '#contract/queries.ts'
import { submitRuns } from '#contract/run-submission.ts'
import { callAs } from './call-as.ts'
import { copyAs, runCurl } from './copies.ts'
import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Copied runs
agents:
  - {id: careful, transcript: text, command: [bash, -c, 'touch first']}
  - {id: hasty, transcript: text, command: [bash, -c, 'test $ASSAY_REPEAT = 1 || touch first']}
prompts: [{id: terse, text: T}, {id: long, text: L}]
tests:
  - {name: "makes 'the' first", command: [test, -f, first]}
`
const testName = "makes 'the' first"

type Row = unknown[]

test('every view of runs offers them as curl, SQL and a YAML selector', async ({ page, context }) => {
  test.setTimeout(300_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = `copy-runs-${Date.now()}`
  const { requestId, runs } = await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })
  const rowsOf = async (sql: string) => (await callAs(page, queryExperiment, { id, sql })).rows as Row[]
  const idsOf = (rows: Row[]) => rows.map(([run]) => run).toSorted()
  const pane = page.getByRole('complementary')
  const header = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) })
  const hasty = runs.filter(({ variantId }) => variantId.includes('hasty'))
  const terse = runs.filter(({ variantId }) => variantId.includes('terse'))
  const careful = runs.filter(({ variantId }) => variantId.includes('careful'))
  const list: { runs: { id: string; runUuid: string }[] } = await (
    await page.request.get(`/api/v1/runs?run_request_id=${requestId}`)
  ).json()
  const runUuids = list.runs.filter((run) => terse.some((one) => one.id === run.id)).map(({ runUuid }) => runUuid)

  for (const { name, query, shown } of [
    { name: 'a group', query: 'view=scatter&group_by=agent&group=hasty', shown: hasty },
    {
      name: 'points',
      query: `view=metric&metric=passRate&${runUuids.map((run) => `run=${run}`).join('&')}`,
      shown: terse,
    },
    { name: 'a matched cell', query: 'view=compare&measure=passRate&group_by=agent&cell=terse', shown: terse },
    {
      name: 'a matched cell of the other axis',
      query: 'view=compare&measure=passRate&group_by=prompt&cell=careful',
      shown: careful,
    },
  ])
    await test.step(`copy from the pane of ${name}`, async () => {
      await page.goto(`/experiments/${id}/results?${query}`)
      await expect(pane.getByRole('listitem')).toHaveCount(4)
      const ids = shown.map((run) => run.id).toSorted()
      expect(idsOf((await runCurl(await copyAs(page, pane, 'curl'))).rows)).toEqual(ids)
      expect(idsOf(await rowsOf(await copyAs(page, pane, 'SQL')))).toEqual(ids)
      const { variantIds } = load(await copyAs(page, pane, 'YAML selector')) as { variantIds: string[] }
      expect(variantIds).toEqual([...new Set(shown.map(({ variantId }) => variantId))].toSorted())
      await pane.getByRole('button', { name: 'Clip to report' }).click()
      const dialog = page.getByRole('dialog', { name: 'Clip to report' })
      for (const { variantId, repeat } of shown)
        await expect(dialog).toContainText(`${variantId.replaceAll('~', ' · ')} #${repeat}`)
      await page.keyboard.press('Escape')
    })

  await test.step('copy a request: its roll-up, its runs, and the same submission again', async () => {
    await page.goto(`/runs/${requestId}`)
    expect((await runCurl(await copyAs(page, header, 'curl'))).runRequest).toMatchObject({ id: requestId, runCount: 8 })
    expect(idsOf(await rowsOf(await copyAs(page, header, 'SQL')))).toEqual(runs.map((run) => run.id).toSorted())
    const selection = load(await copyAs(page, header, 'YAML selector')) as object
    const again = await callAs(page, submitRuns, { id, ...selection, mock: true })
    expect(again).toMatchObject({ runCount: 8 })
    await header.getByRole('button', { name: 'Clip to report' }).click()
    await expect(page.getByRole('dialog')).toContainText('8 of 8 runs finished')
  })

  const failed = hasty.find(({ repeat }) => repeat === 1)
  const run = failed?.id ?? ''
  await test.step('copy a run and its open test', async () => {
    await page.goto(`/runs/${encodeURIComponent(run)}?test=${encodeURIComponent(testName)}`)
    expect((await runCurl(await copyAs(page, header, 'curl'))).run).toMatchObject({ id: run, status: 'completed' })
    expect(idsOf(await rowsOf(await copyAs(page, header, 'SQL')))).toEqual([run])
    expect(load(await copyAs(page, header, 'YAML selector'))).toMatchObject({ variantIds: [failed?.variantId] })
    const tests = page.getByRole('region', { name: 'Tests' })
    expect(await runCurl(await copyAs(page, tests, 'curl'))).toMatchObject({ runId: run, testName, outcome: 'failed' })
    const [row, ...others] = await rowsOf(await copyAs(page, tests, 'SQL'))
    expect([row?.slice(0, 2), others]).toEqual([['failed', 1], []])
    await page.goto(await copyAs(page, tests, 'Link'))
    await expect(page.getByText(`${testName}: exit code 1`)).toBeVisible()
  })

  await test.step('copy a comparison of two runs', async () => {
    const right = careful[0]?.id ?? ''
    await page.goto(`/runs/compare?${new URLSearchParams({ left: run, right })}`)
    expect(idsOf((await runCurl(await copyAs(page, header, 'curl'))).rows)).toEqual([run, right].toSorted())
    expect(idsOf(await rowsOf(await copyAs(page, header, 'SQL')))).toEqual([run, right].toSorted())
  })
})
