import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'
import { chartBlock, sumDefinition } from './sum-experiment.ts'

test('a reader who did not write a report reads it, follows its contents, prints it whole, and can edit it', async ({
  page,
  colleague,
  newReport,
}) => {
  test.setTimeout(300_000)
  const id = `reading-${Date.now()}`
  await submitExperiment(page, { id, yaml: sumDefinition(id) })
  const filler = 'Some words.\n\n'.repeat(60)
  const views = ['heatmap', 'leaderboard', 'scatter', 'metric', 'compare']
  const body = [
    '## First part',
    filler,
    '## Second part',
    filler,
    '### Details & more',
    ...views.map((view) => chartBlock(id, view)),
    'See [elsewhere](https://example.com/source).',
  ].join('\n\n')
  const report = await newReport({ title: 'To be read', bodyMarkdown: body })
  const article = colleague.getByRole('article')

  await test.step('it opens for reading, and Edit and Publish are buttons', async () => {
    await page.goto(`/reports/${report}`)
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Report text' })).toBeVisible()
    await colleague.goto(`/reports/${report}`)
    await expect(colleague).toHaveURL(new RegExp(`/reports/${report}/read$`))
    await expect(colleague.getByRole('heading', { level: 1, name: 'To be read' })).toBeVisible()
  })

  await test.step('the contents lead to the headings', async () => {
    await article.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Details & more' }).click()
    await expect(article.getByRole('heading', { name: 'Details & more' })).toBeInViewport()
    await colleague.evaluate(() => window.scrollTo(0, 0))
  })

  await test.step('before it prints, every figure has loaded, and at most three loaded at once', async () => {
    await colleague.reload()
    await expect(article.locator('figure[data-figure]')).toHaveCount(views.length)
    await colleague.evaluate(() => {
      const seen = Object.assign(globalThis, { mostAtOnce: 0, printed: [] as (string | undefined)[] })
      const figures = () => Array.from(document.querySelectorAll<HTMLElement>('article figure[data-figure]'))
      new MutationObserver(() => {
        const loading = figures().filter(({ dataset }) => dataset['figure'] === 'loading').length
        seen.mostAtOnce = Math.max(seen.mostAtOnce, loading)
      }).observe(document.body, { subtree: true, attributeFilter: ['data-figure'] })
      window.print = () => void (seen.printed = figures().map(({ dataset }) => dataset['figure']))
    })
    await colleague.keyboard.press('ControlOrMeta+p')
    const result = () => colleague.evaluate(() => (globalThis as unknown as { printed: string[] }).printed)
    await expect.poll(result).toEqual(views.map(() => 'ready'))
    const most = await colleague.evaluate(() => (globalThis as unknown as { mostAtOnce: number }).mostAtOnce)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(3)
  })

  await test.step('the end names the sources of the figures and the version', async () => {
    const sources = article.getByRole('contentinfo').or(article.locator('footer'))
    await expect(sources.getByRole('link', { name: 'Drawn as scatter' })).toHaveAttribute('href', /view=scatter/)
    await expect(sources).toContainText(/Version of \d+ \w+ \d{4}/)
  })

  await test.step('on paper there are only the report, its version and its address', async () => {
    await colleague.emulateMedia({ media: 'print' })
    await expect(colleague.getByRole('link', { name: 'Edit', exact: true })).toBeHidden()
    await expect(colleague.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await expect(article.getByRole('link', { name: new RegExp(`/reports/${report}/read`) })).toBeVisible()
    await colleague.emulateMedia({ media: 'screen' })
  })

  await test.step('others’ changes arrive while it is read', async () => {
    await page.getByRole('textbox', { name: 'Report text' }).getByText('First part').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' of all')
    await expect(article.getByRole('heading', { name: 'First part of all' })).toBeVisible()
  })

  await test.step('the reader edits it, and it still opens for reading', async () => {
    await colleague.getByRole('link', { name: 'Edit', exact: true }).click()
    await colleague.getByRole('textbox', { name: 'Report text' }).getByText('First part').click()
    await colleague.keyboard.press('End')
    await colleague.keyboard.type(' parts')
    await expect(colleague.getByRole('status').filter({ hasText: /^Saved/ })).toBeVisible()
    await colleague.getByRole('link', { name: 'Reading view' }).click()
    await colleague.goto(`/reports/${report}`)
    await expect(article.getByRole('heading', { name: 'First part of all parts' })).toBeVisible()
  })
})
