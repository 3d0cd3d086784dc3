import { readFile } from 'node:fs/promises'

import { RunList } from '#contract/run-list.ts'
import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Sorted runs
agents:
  - { id: quick, command: ["sh", "-c", "echo 0.9 > mark"] }
  - { id: failing, command: ["sh", "-c", "echo 0.25 > mark; exit 3"] }
tests: [{ name: ends, command: [cat, mark], report: { format: reward, threshold: 0.1 } }]
`

test('a person sorts, searches and filters runs in the platform, and exports all of them', async ({ page }) => {
  test.setTimeout(300_000)
  const id = `sorted-${Date.now()}`
  const { runs } = await submitExperiment(page, { id, yaml: definition(id) })
  const table = page.getByRole('table')
  const first = table.getByRole('row').nth(1)

  await test.step('a click on a column sorts the whole list, and the URL keeps the order', async () => {
    await page.goto(`/experiments/${id}/runs`)
    await expect(table.getByRole('row')).toHaveCount(runs.length + 1)
    await expect(page.getByText('2 runs, 2 solved (100 %)', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(first).toContainText('failing')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page).toHaveURL(/sort=-run/)
    await expect(first).toContainText('quick')
  })

  await test.step('the search finds runs that failed, and can be cleared', async () => {
    await page.getByRole('searchbox', { name: 'Search runs' }).fill('exited with code 3')
    await expect(page).toHaveURL(/search=exited/)
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(first).toContainText('exit 3')
    await expect(page.getByText('1 run, 1 solved (100 %)', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(table.getByRole('row')).toHaveCount(runs.length + 1)
    await expect(page.getByRole('searchbox', { name: 'Search runs' })).toHaveValue('')
  })

  await test.step('exit codes and results are filters', async () => {
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('button', { name: 'Agent exit code' }).click()
    await page.getByRole('checkbox', { name: 'Any but 0' }).click()
    await expect(table.getByRole('row')).toHaveCount(2)
    await page.goto(`/experiments/${id}/runs?result=unsolved`)
    await expect(page.getByText('No runs match')).toBeVisible()
  })

  await test.step('a score is a column, a sort and a filter', async () => {
    await page.goto(`/experiments/${id}/runs`)
    await page.getByRole('button', { name: 'reward', exact: true }).click()
    await expect(page).toHaveURL(/sort=-score%3Areward|sort=-score:reward/)
    await expect(first).toContainText('0.9')
    await page.getByRole('button', { name: 'Score', exact: true }).click()
    await page.getByRole('combobox', { name: 'Score' }).click()
    await page.getByRole('option', { name: 'reward' }).click()
    await page.getByRole('spinbutton', { name: 'Below' }).fill('0.5')
    await page.getByRole('spinbutton', { name: 'Below' }).press('Enter')
    await expect(page).toHaveURL(/score=reward.*score_below=0\.5|score_below=0\.5.*score=reward/)
    await expect(page.getByRole('button', { name: 'Score: reward < 0.5' })).toBeVisible()
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(first).toContainText('0.25')
    await page.reload()
    await expect(first).toContainText('0.25')
  })

  await test.step('the exported CSV has every run with every column', async () => {
    await page.goto('/runs?sort=time')
    const { statusCounts } = RunList.parse(await (await page.request.get('/api/v1/runs?limit=1')).json())
    const total = Object.values(statusCounts).reduce((sum, count) => sum + count)
    await page.getByRole('button', { name: 'Columns and export of runs' }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export runs' })
    await expect(dialog).toContainText('with every column, in the order of the list')
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('runs.csv')
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\r\n')[0]).toMatch(/^id,run_id,.*,agent,.*,model,.*,prompt,/)
    expect(text.match(/^[^,\n]+::[^,\n]+,[0-9a-f]{8}-/gm)?.length).toBe(total)
    await expect(dialog).toBeHidden()
  })
})
