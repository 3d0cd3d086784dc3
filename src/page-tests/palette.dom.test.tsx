import { expect, test } from 'vitest'

import { pushExperiment } from '#contract/experiments.ts'
import { createInsight } from '#contract/insights.ts'
import { createReport } from '#contract/reports.ts'
import { listRuns } from '#contract/run-list.ts'
import { submitRuns } from '#contract/run-submission.ts'
import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, openOrganization, type Page } from './open-page.tsx'

const search = (page: Page) => page.getByRole('combobox', { name: 'Search everything' })

/** Types into the palette and chooses an entry. */
async function take(page: Page, words: string, entry: string | RegExp) {
  await page.press('ControlOrMeta+k')
  await fill(search(page), words)
  await click(page.getByRole('dialog').getByRole('option', { name: entry }).first())
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** An experiment with a request of two runs, which wait because there is no worker. */
async function submitTwoRuns(page: Page) {
  const id = newName('palette')
  const experimentYaml = `{id: ${id}, name: ${id}, agents: [{id: a, command: ["true"]}], tests: [{name: t, command: ["true"]}]}`
  await page.call(pushExperiment, { experimentYaml })
  const { runRequestId } = await page.call(submitRuns, { id, repeat: 2 })
  return { id, runRequestId }
}

test('the palette finds a request by its id, copies its call as curl, and cancels its runs after confirming', async () => {
  const { page } = await openOrganization()
  const { runRequestId } = await submitTwoRuns(page)
  await page.goto('/')
  await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
  await take(page, runRequestId, `Run ${runRequestId}`)
  await page.expectURL(new RegExp(`/runs/${runRequestId}`))
  await expectPage(page.getByRole('button', { name: 'Cancel all' })).toBeVisible()
  await take(page, 'curl', 'Copy as curl')
  await expect.poll(() => navigator.clipboard.readText()).toContain(`/api/v1/runs/${runRequestId}`)
  await take(page, 'Cancel', 'Cancel 2 runs')
  await click(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 2 runs' }))
  await expectPage(page.getByRole('link', { name: 'Canceled 2' })).toBeVisible()
  await page.press('ControlOrMeta+k')
  await fill(search(page), 'Cancel 2')
  await expectPage(page.getByText(/^Nothing matches “Cancel 2”\./)).toBeVisible()
})

test('the palette finds a run by its hash, the charts of an experiment, SQL and the themes', async () => {
  const { page } = await openOrganization()
  const { id } = await submitTwoRuns(page)
  const { runs } = await page.call(listRuns, { experimentId: id })
  const runId = runs[0]?.id ?? ''
  const hash = runId.slice(runId.indexOf('::') + 2)
  await page.goto('/')
  await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
  await take(page, hash, `run ${hash}`)
  await page.expectURL(new RegExp(`/runs/${encodeURIComponent(runId)}`))
  await page.goto(`/experiments/${id}`)
  await expectPage(heading(page, id)).toBeVisible()
  await take(page, 'heatmap', `Results of ${id}`)
  await page.expectURL(/view=heatmap/)
  await take(page, 'dark', 'Dark theme')
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe('dark')
  await take(page, 'system theme', 'System theme')
  await take(page, 'sql', 'New query')
  await page.expectURL(/\/insights\/query/)
})

test('the palette finds an insight, which opens its dialog to publish it, and opens a report by its title', async () => {
  const { page } = await openOrganization()
  const { id } = await submitTwoRuns(page)
  const { insight } = await page.call(createInsight, {
    heading: 'How many',
    slug: id,
    sql: 'SELECT count() FROM runs',
    provenance: { kind: 'experiment', experimentId: id },
  })
  await page.call(createReport, { title: 'Found again', bodyMarkdown: '' })
  await page.goto(`/insights/${insight.reference}`)
  await expectPage(page.getByRole('button', { name: 'Publish' })).toBeVisible()
  await take(page, 'share', 'Share How many')
  const dialog = page.getByRole('dialog', { name: 'Publish' })
  await expectPage(dialog).toContainText('Anyone with the link can see this')
  await page.press('Escape')
  await expectPage(dialog).toBeHidden()
  await take(page, 'Found again', /Found again/)
  await expectPage(page.getByRole('heading', { name: 'Found again' })).toBeVisible()
})
