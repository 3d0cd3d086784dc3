import { expect, test, type Page } from './fixtures.ts'

const comments = (page: Page) => page.getByRole('complementary', { name: 'Comments' })
const thread = (page: Page, quote: string) => comments(page).getByRole('article', { name: `Comments on “${quote}` })

test('two people discuss a paragraph in two browsers, while it changes', async ({ page, colleague, newReport }) => {
  const body = 'Intro.\n\nThe careful agent solves most tests.\n\nEnd.'
  const id = await newReport({ title: 'Discussed', bodyMarkdown: body })
  await page.goto(`/reports/${id}?edit=1`)

  await test.step('each sees that the other is here, and where', async () => {
    await page.getByRole('textbox', { name: 'Report text' }).getByText('The careful agent').click()
    await colleague.goto(`/reports/${id}/read`)
    await expect(colleague.getByRole('list', { name: 'People viewing this report' })).toContainText(
      'Ada Admin is editing',
    )
    await expect(page.getByRole('list', { name: 'People viewing this report' })).toContainText('Max Member is reading')
    const paragraph = colleague.getByText('The careful agent solves most tests.')
    await expect(paragraph.locator('..').getByTitle('Ada Admin is editing this paragraph')).toBeVisible()
  })

  await test.step('a colleague comments in the reading view and mentions the author', async () => {
    await colleague.goto(`/reports/${id}/read`)
    const paragraph = colleague.getByText('The careful agent solves most tests.')
    await paragraph.hover()
    await paragraph.locator('..').getByRole('button', { name: 'Comment on this paragraph' }).click()
    const form = comments(colleague).getByRole('textbox', { name: 'Comment', exact: true })
    await form.fill('Is that')
    await colleague.goto('/reports')
    await colleague.goto(`/reports/${id}/read`)
    await paragraph.hover()
    await paragraph.locator('..').getByRole('button', { name: 'Comment on this paragraph' }).click()
    await expect(form, 'an unsent comment stays').toHaveValue('Is that')
    await form.press('End')
    await form.pressSequentially(' significant, @ada')
    await colleague.getByRole('option', { name: /Ada/ }).click()
    await form.press('ControlOrMeta+Enter')
    await expect(thread(colleague, 'The careful agent')).toContainText('Is that significant, @Ada')
  })

  await test.step('it arrives in the editor of the author, who replies to it there', async () => {
    await page.getByRole('button', { name: 'Comments (1)' }).click()
    const theirs = thread(page, 'The careful agent')
    await theirs.getByRole('button', { name: 'Reply' }).click()
    await theirs.getByRole('textbox', { name: 'Reply' }).fill('With 200 runs, **yes**.')
    await theirs.getByRole('button', { name: 'Reply' }).click()
    await expect(thread(colleague, 'The careful agent')).toContainText('With 200 runs, yes.')
  })

  await test.step('the thread follows the paragraph while the author edits it', async () => {
    const text = page.getByRole('textbox', { name: 'Report text' })
    await text.getByText('The careful agent solves most tests.').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' And it costs less.')
    await expect(thread(page, 'The careful agent')).toContainText('And it costs less.')
    await expect(thread(colleague, 'The careful agent')).toContainText('And it costs less.')
  })

  await test.step('the mention leads from the notification to the comment', async () => {
    await page.goto('/notifications')
    await page.getByRole('link', { name: /mentioned you in a comment on Discussed/ }).click()
    await expect(page).toHaveURL(/\/read#comment-/)
    await expect(thread(page, 'The careful agent')).toBeInViewport()
  })

  await test.step('both resolve at once; it moves to the resolved ones and can be opened again', async () => {
    await Promise.all([page, colleague].map((each) => each.getByRole('button', { name: 'Resolve' }).click()))
    await expect(comments(page).getByText('Resolved (1)')).toBeVisible()
    await expect(comments(colleague).getByText('Resolved (1)')).toBeVisible()
    await comments(page).getByText('Resolved (1)').click()
    await comments(page).getByRole('button', { name: 'Reopen' }).click()
    await expect(thread(colleague, 'The careful agent').getByRole('button', { name: 'Resolve' })).toBeVisible()
  })

  await test.step('the author edits and deletes only what is theirs', async () => {
    const [own, theirs] = ['Ada', 'Max'].map((name) =>
      thread(colleague, 'The careful agent').getByRole('region', { name: new RegExp(`^Comment by ${name}`) }),
    )
    await own?.getByRole('button', { name: /^Actions/ }).click()
    await expect(colleague.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
    await expect(colleague.getByRole('menuitem', { name: 'Edit' })).toHaveCount(0)
    await colleague.keyboard.press('Escape')
    await theirs?.getByRole('button', { name: /^Actions/ }).click()
    await colleague.getByRole('menuitem', { name: 'Edit' }).click()
    const form = comments(colleague).getByRole('textbox', { name: 'Edit comment' })
    await expect(form).toHaveValue(/@Ada/)
    await form.fill('Is it? <img src=x onerror=alert(1)> [x](javascript:alert(2))')
    await colleague.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(theirs ?? colleague.locator('nothing')).toContainText('<img src=x onerror=alert(1)>')
    await expect(comments(colleague).getByRole('link', { name: 'x', exact: true })).toHaveCount(0)
    await theirs?.getByRole('button', { name: /^Actions/ }).click()
    await colleague.getByRole('menuitem', { name: 'Delete…' }).click()
    await colleague.getByRole('button', { name: 'Delete comment' }).click()
    await expect(comments(colleague)).toContainText('This comment was deleted.')
  })

  await test.step('a thread whose paragraph is deleted keeps its quote', async () => {
    await page.goto(`/reports/${id}?edit=1&comments=1`)
    const text = page.getByRole('textbox', { name: 'Report text' })
    await text.getByText('The careful agent').click({ clickCount: 3 })
    await page.keyboard.press('Delete')
    await expect(comments(colleague).getByText('On deleted text')).toBeVisible()
    await expect(thread(colleague, 'The careful agent')).toBeVisible()
  })
})

test('a colleague suggests a text, and the author accepts one and declines another', async ({
  page,
  colleague,
  newReport,
}) => {
  const bodyMarkdown = 'Intro.\n\nThe carefull agent wins.\n\nThe end is here.'
  const id = await newReport({ title: 'Suggested', bodyMarkdown })
  await page.goto(`/reports/${id}?edit=1`)

  const suggest = async (paragraph: string, text: string) => {
    const shown = colleague.getByRole('article').getByText(paragraph, { exact: true })
    await shown.hover()
    await shown.locator('..').getByRole('button', { name: 'Comment on this paragraph' }).click()
    await comments(colleague).getByText('Suggest a text').click()
    await comments(colleague).getByRole('textbox', { name: 'Suggested text' }).fill(text)
    await comments(colleague).getByRole('button', { name: 'Suggest', exact: true }).click()
    await expect(thread(colleague, paragraph)).toBeVisible()
  }
  await colleague.goto(`/reports/${id}/read`)
  await suggest('The carefull agent wins.', 'The careful agent wins.')
  await suggest('The end is here.', 'That is all.')

  await test.step('the author sees the differences, and accepts one suggestion', async () => {
    await page.getByRole('button', { name: 'Comments (2)' }).click()
    const theirs = thread(page, 'The carefull agent')
    await expect(theirs.getByRole('deletion')).toHaveText('carefull')
    await expect(theirs.getByRole('insertion')).toHaveText('careful')
    await theirs.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByRole('textbox', { name: 'Report text' })).toContainText('The careful agent wins.')
    await expect(colleague.getByRole('article').getByText('The careful agent wins.').first()).toBeVisible()
  })

  await test.step('a suggestion whose paragraph changed shows both, and can only be declined', async () => {
    await page.getByRole('textbox', { name: 'Report text' }).getByText('The end is here.').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' Really.')
    const theirs = thread(page, 'The end is here.')
    await expect(theirs.getByText('The paragraph has changed since then')).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'Accept' })).toBeHidden()
    await theirs.getByRole('button', { name: 'Decline…' }).click()
    await theirs.getByRole('textbox', { name: 'Note (optional)' }).fill('I like it')
    await theirs.getByRole('button', { name: 'Decline', exact: true }).click()
    await comments(page).getByText('Resolved (2)').click()
    await expect(thread(page, 'The end is here.').getByText(/Declined by Ada Admin .*: I like it/)).toBeVisible()
  })
})
