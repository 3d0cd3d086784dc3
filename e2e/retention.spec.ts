import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { writeFolder } from '#platform/program/testing/write-folder.ts'
import { expect, test } from './fixtures.ts'
import { assay } from './operator.ts'

const trial = {
  trial_name: 'hello.1-of-1',
  task_id: 'hello',
  is_resolved: false,
  failure_mode: 'unset',
  parser_results: { test_a: 'failed' },
  trial_started_at: '2010-08-01T10:00:00+00:00',
  trial_ended_at: '2010-08-01T10:05:00+00:00',
}

/** Imports one run of 2010, which has a transcript and test output. */
async function importOldRun(experiment: string) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-old-runs-'))
  const at = '20100801_alpha_model-1/run1/hello/hello.1-of-1'
  await writeFolder(folder, {
    '20100801_alpha_model-1/run1/results.json': JSON.stringify({ id: 'one', results: [trial] }),
    [`${at}/results.json`]: JSON.stringify({ ...trial, instruction: 'Say it' }),
    [`${at}/sessions/agent.log`]: 'User:\r\nSay it\r\nAssistant:\r\nA word that nobody should keep\r\n',
    [`${at}/sessions/tests.log`]: '1 failed\r\n',
  })
  await assay('admin', 'import', 'terminal-bench', folder, '--org', 'demo', '--experiment', experiment)
  await rm(folder, { recursive: true })
}

const sweep = () => assay('retention', 'sweep', '--org', 'demo', '--without-grace')

test('an admin sees what retention would remove, saves it, and the run says what was removed', async ({
  page,
  colleague,
}) => {
  const experiment = `old-${Date.now()}`
  await importOldRun(experiment)
  const { runs } = await (await page.request.get(`/api/v1/runs?experiment_id=${experiment}`)).json()
  const runPath = `/runs/${encodeURIComponent(runs[0].id)}`
  // Nothing that other stories need is ten years old.
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const save = async () => {
    // An earlier change may also read “just now”, so the page says nothing about when this one has ended.
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('button', { name: 'Save rules' }).click()
    expect((await saved).ok()).toBe(true)
    await expect(page.getByText(/Changed just now/)).toBeVisible()
  }

  await test.step('a member learns who can change the rules', async () => {
    await colleague.goto('/settings/retention')
    await expect(colleague.getByText('Only admins of the organization can change the retention rules.')).toBeVisible()
  })

  await test.step('too few days are refused at the field, and the preview says what a rule would remove', async () => {
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Retention' }).click()
    await field('Transcripts').fill('3')
    await page.getByRole('button', { name: 'Save rules' }).click()
    await expect(field('Transcripts')).toHaveAttribute('aria-invalid', 'true')
    await field('Transcripts').fill('3650')
    const preview = page.getByRole('region', { name: 'what these rules would remove now' })
    await expect(preview.getByRole('row', { name: /^Transcripts [1-9]/ })).toBeVisible()
    await expect(page.getByText(/If you save now, Assay removes these after/)).toBeVisible()
  })

  await test.step('saved rules wait for a day', async () => {
    await save()
    await expect(page.getByRole('region', { name: /Nothing is removed before/ })).toBeVisible()
    const [printed] = await assay('retention', 'sweep', '--org', 'demo')
    expect(printed).toContain('Nothing is removed before')
    await page.goto(runPath)
    await expect(page.getByText('A word that nobody should keep')).toBeVisible()
  })

  await test.step('then the run says that its transcript was removed, and keeps its results', async () => {
    expect(await sweep()).toEqual([expect.stringMatching(/^transcripts: removed [1-9]/)])
    await page.reload()
    await expect(page.getByText('Transcript removed')).toBeVisible()
    await expect(
      page.getByText(/^Removed on .+ by the organization’s retention: transcripts are kept for 3650 days\.$/),
    ).toBeVisible()
    await expect(page.getByText('A word that nobody should keep')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^failed .*test_a/ })).toBeVisible()
  })

  await test.step('a removed run says so in place of its page', async () => {
    await page.goto('/settings/retention')
    await field('Whole runs').fill('3650')
    await save()
    await sweep()
    await page.goto(runPath)
    await expect(page.getByRole('heading', { name: 'Run removed' })).toBeVisible()
    await expect(page.getByText(/retention: runs are kept for 3650 days\.$/)).toBeVisible()
  })

  await test.step('the audit log has the rules and the removals', async () => {
    await page.goto('/settings/audit?event=retention.sweep')
    await expect(page.getByRole('region', { name: 'events' }).getByText('Old data removed').first()).toBeVisible()
    await page.goto('/settings/retention')
    for (const name of ['Transcripts', 'Whole runs']) await field(name).fill('')
    await save()
    await expect(page.getByText(/Last removal just now: .*1 whole run/)).toBeVisible()
  })
})
