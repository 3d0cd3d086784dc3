import { submitRuns } from '#contract/run-submission.ts'
import { callAs } from './call-as.ts'
import { expect, test, waitUntilNothingRuns } from './fixtures.ts'

const yaml = (description: string, answer: string) => `
id: home-news
name: Home news
description: ${description}
agents:
  - {id: brisk, command: [bash, -c, 'echo ${answer} > answer.txt']}
prompts:
  - {id: ask, text: Write yes to answer.txt}
tests:
  - {name: answers yes, command: [grep, -qx, 'yes', answer.txt]}
`

test('Home guides through the demo once, names solved runs, and lists what changed since the last visit', async ({
  page,
  push,
  context,
}) => {
  const submit = () => callAs(page, submitRuns, { id: 'home-news', repeat: 2 })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: /This organization contains demo data/ })).toBeVisible()
  await page.getByRole('button', { name: 'Close the guide' }).click()

  await push(yaml('The first version', 'yes'))
  await submit()
  await waitUntilNothingRuns(context)
  await page.reload()
  const latest = page.getByRole('list', { name: 'Latest results' })
  await expect(latest.getByRole('listitem').filter({ hasText: 'Home news' })).toContainText('Solved 2 of 2 runs')
  await expect(page.getByText('This organization contains demo data')).toBeHidden()

  await page.goto('/experiments')
  await push(yaml('The second version', 'no'))
  await submit()
  await waitUntilNothingRuns(context)
  await page.clock.setFixedTime(Date.now() + 60 * 60_000)
  await page.goto('/')
  const findings = page.getByRole('list', { name: 'Needs attention' })
  const finding = findings.getByRole('listitem').filter({ hasText: 'Home news v2' })
  await expect(finding).toContainText(
    'Home news v2: 1 test fails more often since v1: “answers yes” (brisk · ask) (may be chance)',
  )
  const news = page.getByRole('list', { name: 'Changes since your last visit' })
  await expect(news).toContainText('Home news v2 finished: solved 0 of 2 runs')
  await finding.getByRole('link', { name: 'Changes of the definition' }).click()
  await expect(page).toHaveURL(/home-news\/definition\?version=[0-9a-f]{64}&against=[0-9a-f]{64}/)
  const diff = page.url()
  await page.goBack()
  await finding.getByRole('link', { name: 'Compare the versions' }).click()
  await page.getByRole('link', { name: 'Changes of the definition' }).click()
  await expect(page).toHaveURL(diff)
  await page.goBack()
  await page.goBack()

  await finding.getByRole('button', { name: /^Dismiss: Home news v2/ }).click()
  await expect(finding).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Restore 1 dismissed item' })).toBeVisible()
  await expect(finding).toHaveCount(0)
  await page.getByRole('button', { name: 'Restore 1 dismissed item' }).click()
  await expect(finding).toHaveCount(1)
})
