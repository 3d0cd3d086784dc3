import { test } from 'vitest'

import { createInsight } from '#contract/insights.ts'
import { click } from './act.ts'
import { expectPage } from './expect-page.ts'
import { openOrganization } from './open-page.tsx'

test('an insight of the retired pipeline explains why it has no result and links to the experiment to fork', async () => {
  const { page } = await openOrganization()
  const old = { heading: 'Old one', slug: 'old-one', sql: 'SELECT * FROM sessions', dataSchema: 'legacy' } as const
  await page.call(createInsight, old)
  await page.goto('/insights')
  await click(page.getByRole('link', { name: 'Old one' }))
  const notice = page.getByRole('region', { name: 'This insight uses a retired data pipeline and can’t be run.' })
  await expectPage(notice).toContainText('The tables it reads no longer exist')
  await expectPage(page.getByRole('textbox', { name: 'SQL of Old one' })).toHaveText('SELECT * FROM sessions')
  await expectPage(page.getByRole('button', { name: 'Publish' })).toHaveCount(0)
  await expectPage(page.getByRole('region', { name: 'Result' })).toHaveCount(0)
  await click(notice.getByRole('link', { name: 'fork its experiment' }))
  await expectPage(page.getByRole('heading', { name: 'Experiments' })).toBeVisible()
})
