import { createReport, getReport, updateReport } from '#contract/reports.ts'
import { callAs } from './call-as.ts'
import { expect, test } from './fixtures.ts'

const figure = (view: string) =>
  `\`\`\`chart\npage: /experiments/parse-roman/results?view=${view}\ntitle: By agent\n\`\`\``

test('two people write a report; one sees what the other changed, and restores the text of before', async ({
  page,
  colleague,
}) => {
  const filler = Array.from({ length: 5 }, (_, place) => `Paragraph ${place}.`).join('\n\n')
  const { report } = await callAs(page, createReport, {
    title: 'With a past',
    bodyMarkdown: `The careful agent wins.\n\n${filler}\n\n${figure('heatmap')}`,
  })
  await callAs(colleague, updateReport, {
    reportId: report.id,
    expectedUpdatedAt: report.updatedAt,
    bodyMarkdown: `The hasty agent wins.\n\n${filler}\n\n${figure('metric')}`,
  })
  const changes = page.getByRole('region', { name: 'Changes' })
  const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('listitem')

  await test.step('the words and the figure that the colleague changed', async () => {
    await page.goto(`/reports/${report.id}/read`)
    await page.getByRole('button', { name: 'More about the report' }).click()
    await page.getByRole('menuitem', { name: 'Show history' }).click()
    await expect(versions).toHaveText([/Max Member · current/, /Ada Admin/])
    await expect(changes.getByRole('deletion').first()).toHaveText('careful')
    await expect(changes.getByRole('insertion').first()).toHaveText('hasty')
    await expect(changes.getByText('Figure changed: By agent')).toBeVisible()
    await expect(changes.getByText('4 unchanged paragraphs')).toBeHidden()
    await expect(changes.getByText('3 unchanged paragraphs')).toBeVisible()
  })

  await test.step('restoring is refused, and nothing is lost, when the colleague saves meanwhile', async () => {
    await versions.nth(1).getByRole('button').click()
    await changes.getByRole('button', { name: 'Restore this version…' }).click()
    const { report: now } = await callAs(page, getReport, { reportId: report.id })
    await page.route('**/restore*', async (route) => {
      await callAs(colleague, updateReport, {
        reportId: report.id,
        expectedUpdatedAt: now.updatedAt,
        title: 'With another title',
      })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Restore version' }).click()
    await expect(page.getByRole('alert')).toContainText('The report changed since you read it')
    await page.unroute('**/restore*')
  })

  await test.step('the version is restored as a new one', async () => {
    await expect(page.getByRole('link', { name: 'With another title' })).toBeVisible()
    await changes.getByRole('button', { name: 'Restore this version…' }).click()
    await page.getByRole('button', { name: 'Restore version' }).click()
    await expect(versions).toHaveText([/Ada Admin · current/, /Max Member/, /Ada Admin/])
    await page.getByRole('link', { name: 'With a past' }).click()
    await expect(page.getByRole('article').getByText('The careful agent wins.')).toBeVisible()
  })
})
