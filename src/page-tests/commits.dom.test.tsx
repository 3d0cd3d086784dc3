import { expect, test } from 'vitest'

import { pushExperiment } from '#contract/experiments.ts'
import { submitRuns } from '#contract/run-submission.ts'
import { click } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, openOrganization } from './open-page.tsx'

test('an experiment lists the commits of its pipeline, and a commit lists its requests', async () => {
  const { page } = await openOrganization()
  const id = newName('gated')
  const experimentYaml = `id: ${id}\nname: Gated\nagents: [{id: a, command: ["true"]}]\n`
  await page.call(pushExperiment, { experimentYaml })
  await page.goto(`/experiments/${id}/commits`)
  await expectPage(page.getByText('No commits yet')).toBeVisible()

  await page.call(submitRuns, { id, mock: true, origin: { commit: 'a'.repeat(40), branch: 'main' } })
  const change = { commit: 'b'.repeat(40), branch: 'faster', pullRequest: 17 }
  const { runRequestId } = await page.call(submitRuns, { id, mock: true, origin: change })
  await page.goto(`/experiments/${id}`)
  await click(page.getByRole('link', { name: 'bbbbbbb of faster, pull request 17' }))
  await expectPage(page.getByRole('heading', { name: 'Commits' })).toBeVisible()
  await expectPage(page.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
  await expect.poll(() => document.title).toBe('Gated · Commits · Assay')
  const table = page.getByRole('region', { name: 'requests of commits' })
  await expectPage(table).toContainText('0 of 1')
  await expectPage(table.getByText('aaaaaaaaaaaa')).toHaveCount(0)
  await click(page.getByRole('button', { name: 'Show all commits' }))
  await expectPage(table).toContainText('aaaaaaa')

  await page.goto(`/runs/${runRequestId}`)
  await expectPage(page.getByRole('link', { name: 'bbbbbbb of faster, pull request 17' })).toBeVisible()
})
