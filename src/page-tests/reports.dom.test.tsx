import { test } from 'vitest'

import { appendBlock, createReport } from '#contract/reports.ts'
import { expectPage } from './expect-page.ts'
import { openOrganization } from './open-page.tsx'

test('text after an unclosed comment is shown', async () => {
  const { page } = await openOrganization()
  const { report } = await page.call(createReport, { title: 'Open', bodyMarkdown: 'Text.\n\n<!-- later' })
  await page.call(appendBlock, { reportId: report.id, markdown: '> [!CLIP]\n> [Run](/runs)\n>\n> quoted' })
  await page.goto(`/reports/${report.id}/read`)
  await expectPage(page.getByRole('article').getByRole('blockquote')).toContainText('quoted')
})
