import { test } from 'vitest'

import { createReport } from '#contract/reports.ts'
import { fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { openOrganization } from './open-page.tsx'

test('the search finds text of a report, shows the line of the match, and says where it looked if nothing is found', async () => {
  const { page } = await openOrganization()
  const bodyMarkdown = 'First line.\n\nThe retry hides a *flaky* socket.\n\nLast line.'
  await page.call(createReport, { title: 'Why it failed', bodyMarkdown })
  await page.goto('/search?query=flaky')
  const hit = page.getByRole('region', { name: 'Text matches' }).getByRole('link', { name: /Why it failed/ })
  await expectPage(hit).toContainText('The retry hides a *flaky* socket.')
  await fill(page.getByRole('searchbox', { name: 'Search' }), 'nowhere at all')
  await expectPage(page.getByText('“nowhere at all” occurs nowhere')).toBeVisible()
  await expectPage(page.getByText(/Searched .* and 1 report\./)).toBeVisible()
})
