import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { writeFolder } from '#platform/testing/write-folder.ts'
import { expect, test } from './fixtures.ts'
import { assay } from './operator.ts'

const trial = {
  trial_name: 'hello.1-of-1',
  task_id: 'hello',
  is_resolved: true,
  failure_mode: 'unset',
  parser_results: { test_a: 'passed' },
  trial_started_at: '2025-08-01T10:00:00+00:00',
  trial_ended_at: '2025-08-01T10:05:00+00:00',
}

test('an experiment with imported results leads to them, and says why its agents can’t run here', async ({ page }) => {
  const id = `imported-${Date.now()}`
  const folder = await mkdtemp(join(tmpdir(), 'assay-imported-'))
  await writeFolder(folder, {
    '20250801_alpha_model-1/run1/results.json': JSON.stringify({ id: 'one', results: [trial] }),
  })
  await assay('import', 'terminal-bench', folder, '--org', 'demo', '--experiment', id)
  await rm(folder, { recursive: true })

  const notice = page.getByRole('region', { name: 'These runs were imported, and their agents can’t run here.' })
  await test.step('the page offers the results instead of a submission', async () => {
    await page.goto(`/experiments/${id}`)
    await expect(notice).toContainText('replace the agents’ placeholder commands in the definition')
    await expect(page.getByRole('link', { name: 'Submit runs' })).toHaveCount(0)
    await page.getByRole('banner').or(page.getByRole('main')).getByRole('link', { name: 'Results' }).first().click()
    await expect(page).toHaveURL(new RegExp(`/experiments/${id}/results`))
  })

  await test.step('the dialog offers mock runs only', async () => {
    await page.goto(`/experiments/${id}?submit=1`)
    const dialog = page.getByRole('dialog', { name: 'Submit runs' })
    await expect(dialog).toContainText('Imported agents can’t run here')
    await expect(dialog.getByRole('button', { name: 'Submit 1 run' })).toBeDisabled()
    await dialog.getByRole('switch', { name: 'Mock runs' }).check()
    await expect(dialog.getByRole('button', { name: 'Submit 1 run' })).toBeEnabled()
  })
})
