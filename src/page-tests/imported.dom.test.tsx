import { test } from 'vitest'

import { click } from './act.ts'
import { expectPage } from './expect-page.ts'
import { importRun } from './import-run.ts'
import { newName, openOrganization } from './open-page.tsx'

test('an experiment with imported results leads to them, and says why its agents can’t run here', async () => {
  const { slug, page } = await openOrganization()
  const id = newName('imported')
  await importRun({ org: slug, experiment: id, results: { test_a: 'passed' } })

  // The page offers the results instead of a submission.
  await page.goto(`/experiments/${id}`)
  const notice = page.getByRole('region', { name: 'These runs were imported, and their agents can’t run here.' })
  await expectPage(notice).toContainText('replace the agents’ placeholder commands in the definition')
  await expectPage(page.getByRole('link', { name: 'Submit runs' })).toHaveCount(0)
  await click(
    page
      .getByRole('main')
      .getByRole('link', { name: /^Results$/ })
      .first(),
  )
  await page.expectURL(new RegExp(`/experiments/${id}/results`))

  // The dialog offers mock runs only.
  await page.goto(`/experiments/${id}?submit=1`)
  const dialog = page.getByRole('dialog', { name: 'Submit runs' })
  await expectPage(dialog).toContainText('Imported agents can’t run here')
  await expectPage(dialog.getByRole('button', { name: 'Submit 1 run' })).toBeDisabled()
  await click(dialog.getByRole('switch', { name: 'Mock runs' }))
  await expectPage(dialog.getByRole('button', { name: 'Submit 1 run' })).toBeEnabled()
})
