import { expect, test } from 'vitest'

import { createReport } from '#contract/reports.ts'
import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { importRun } from './import-run.ts'
import { newName, openOrganization } from './open-page.tsx'

test('text of a transcript and of a report is found from the palette, the list of runs and the page of the search', async () => {
  const { page, slug } = await openOrganization()
  const experiment = newName('search')
  await importRun({ org: slug, experiment, results: { test_hello: 'failed' } })
  const { report } = await page.call(createReport, { title: 'Weekly', bodyMarkdown: 'It did not say it at all.' })

  await page.goto('/search')
  await expectPage(page.getByText('Type 2 to 200 characters.')).toBeVisible()
  await fill(page.getByRole('searchbox'), 'say it')
  const hits = page.getByRole('region', { name: 'Text matches' })
  await expectPage(hits.getByRole('link', { name: /Weekly/ })).toBeVisible()
  await expectPage(hits.getByRole('link', { name: /Turn 1/ })).toBeVisible()
  await expectPage(hits).toContainText('Searched the transcripts, test output and errors of 1 run, and 1 report.')

  await page.goto('/runs?search=not+say')
  await expectPage(page.getByText('No runs match')).toBeVisible()
  await expectPage(hits.getByRole('link', { name: /Weekly/ })).toBeVisible()

  await page.press('ControlOrMeta+k')
  const box = page.getByRole('combobox', { name: 'Search everything' })
  await fill(box, 'xyzzy')
  await expectPage(
    page.getByText(/Nothing matches “xyzzy”\. Searched the transcripts.* of 1 run, and 1 report/),
  ).toBeVisible()
  await fill(box, 'not say it')
  await click(page.getByRole('option', { name: /did not say it at all/ }))
  await page.expectURL(new RegExp(`/reports/${report.id}/read`))
  expect(document.title).toContain('Weekly')
})
