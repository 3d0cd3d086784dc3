import { suggestContext } from '#contract/context-suggestions.ts'
import { callAs, signInWithKey } from './call-as.ts'
import { expect, type Page, test } from './fixtures.ts'
import { newPerson } from './new-person.ts'
import { assay, putProduct } from './operator.ts'
import { suggestChange } from './suggest-change.ts'

const lastLine = (lines: string[]) => lines.at(-1) ?? ''

/** The id of the suggestion that is expanded in the list. */
const openSuggestion = (page: Page) => new URL(page.url()).searchParams.get('suggestion') ?? ''

const mine = (page: Page) => page.getByRole('list', { name: 'My suggestions' })

const line = (page: Page, name: string | RegExp) => mine(page).getByRole('button', { name })

test('a user drafts a suggestion, reloads, submits it, and is notified when the operator accepts it', async ({
  page,
}) => {
  test.slow()
  const [id, name] = [`widget-${Date.now()}`, `Widget ${Date.now()}`]
  await putProduct(id, { name, summary: 'A widget for small teams' })

  await test.step('find the record and suggest a change to it', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Context', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search records' }).fill(id)
    await expect(page).toHaveURL(/search=/)
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
    await page.getByRole('link', { name: 'Suggest a change' }).click()
    await expect(page.getByRole('textbox', { name: 'Summary' })).toHaveValue('A widget for small teams')
    await expect(page.getByRole('button', { name: 'Submit suggestion' })).toBeDisabled()
  })

  await test.step('the preview marks each changed word, and a reload keeps the draft', async () => {
    await page.getByRole('textbox', { name: 'Summary' }).fill('A widget for large teams')
    const diff = page.getByRole('figure', { name: 'Summary' })
    await expect(diff.locator('del')).toHaveText('small')
    await expect(diff.locator('ins')).toHaveText('large')
    await page.getByRole('textbox', { name: 'Reason' }).fill('Small teams left')
    await page.getByRole('button', { name: 'Add link' }).click()
    await page.getByRole('textbox', { name: 'Link 1', exact: true }).fill('https://example.com/survey')
    await page.reload()
    await expect(diff.locator('ins')).toHaveText('large')
    await expect(page.getByRole('textbox', { name: 'Link 1', exact: true })).toHaveValue('https://example.com/survey')
  })

  await test.step('the submitted suggestion is listed as pending', async () => {
    await page.getByRole('button', { name: 'Submit suggestion' }).click()
    await expect(line(page, new RegExp(`Pending ${name} Summary`))).toHaveAttribute('aria-expanded', 'true')
    await expect(mine(page).getByText('Small teams left')).toBeVisible()
  })

  await test.step('the operator reads the change and accepts it; a second acceptance is refused', async () => {
    const suggestion = openSuggestion(page)
    const shown = await assay('context', 'show', suggestion)
    expect(shown).toEqual(expect.arrayContaining(['  - A widget for small teams', '  + A widget for large teams']))
    const decided = await assay('context', 'decide', suggestion, '--accept', '--note', 'Good catch')
    expect(lastLine(decided)).toBe('Accepted: the record is now at revision 2')
    await expect(assay('context', 'decide', suggestion, '--reject')).rejects.toThrow('already accepted')
  })

  await test.step('the notification announces the decision and links to the suggestion', async () => {
    await page.goto('/experiments')
    await page.getByRole('button', { name: /^Notifications, .* unread$/ }).click()
    const latest = page.getByRole('list', { name: 'Latest notifications' })
    await expect(latest.getByRole('link', { name: `${name} changed` })).toBeVisible()
    await latest.getByRole('link', { name: `Your suggestion for ${name} was accepted` }).click()
    const linked = page.getByRole('list', { name: 'The linked suggestion' })
    await expect(linked.getByRole('button', { name: `Accepted ${name}` })).toHaveAttribute('aria-expanded', 'true')
    await expect(linked.getByText('Good catch')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toHaveCount(0)
  })
})

test('a user whose record changes while they write reloads it, keeps their text, and can still submit', async ({
  page,
}) => {
  test.slow()
  const [id, name] = [`moved-${Date.now()}`, `Moved ${Date.now()}`]
  await putProduct(id, { name, summary: 'First', description: 'Long' })
  await page.setViewportSize({ width: 360, height: 600 })
  await page.goto(`/context/product/${id}/suggest`)
  await page.getByRole('textbox', { name: 'Summary' }).fill('Mine')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Because')
  await putProduct(id, { name, summary: 'Second', description: 'Longer' })
  await page.getByRole('button', { name: 'Submit suggestion' }).click()
  await expect(page.getByRole('alert')).toContainText('Take a new snapshot')
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Reload record' }).click()
  const moved = page.getByRole('region', { name: /revision 1 → 2/ })
  await expect(moved).toBeInViewport({ ratio: 1 })
  const header = await page.getByRole('banner').boundingBox()
  await expect.poll(async () => (await moved.boundingBox())?.y).toBeGreaterThanOrEqual(header?.height ?? 740)
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Longer')
  await expect(page.getByRole('figure', { name: 'Summary' }).locator('del')).toHaveText('Second')
  await page.getByRole('button', { name: 'Submit suggestion' }).click()
  await expect(line(page, new RegExp(`Pending ${name}`))).toBeVisible()

  await test.step('after another change the pending suggestion is marked as outdated, replaced, and the new one withdrawn', async () => {
    await putProduct(id, { name, summary: 'Third', description: 'Longer' })
    await page.reload()
    await expect(page.getByRole('region', { name: /now at revision 3/ })).toBeVisible()
    await page.getByRole('link', { name: 'Replace' }).click()
    await expect(page.getByRole('textbox', { name: 'Summary' })).toHaveValue('Mine')
    await page.getByRole('button', { name: 'Replace suggestion' }).click()
    await expect(line(page, new RegExp(`Replaced ${name}`))).toBeVisible()
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw suggestion' }).click()
    await expect(line(page, new RegExp(`Withdrawn ${name}`))).toBeVisible()
    await page.getByRole('radiogroup', { name: 'Which suggestions' }).getByText('Pending').click()
    await expect(page.getByRole('list', { name: 'Pending suggestions' }).getByRole('button', { name })).toHaveCount(0)
  })
})

test('a notification opens a decided suggestion that is not on the first page of the list', async ({ page }) => {
  test.slow()
  const [id, name] = [`old-${Date.now()}`, `Old ${Date.now()}`]
  await putProduct(id, { name, summary: 'A widget' })
  const { apiKey } = await newPerson({ demo: 'member' })
  await signInWithKey(page, apiKey)
  const suggest = (at: number) =>
    suggestChange(page, { targetId: id, baseRevision: 1, summary: `${at}`, reason: `Reason ${at}` })
  const { suggestionId } = await suggest(0)
  for (let at = 1; at <= 50; at += 1) {
    const { suggestionId: later, version } = await suggest(at)
    await callAs(page, suggestContext, { action: 'withdraw', suggestionId: later, version })
  }
  await assay('context', 'decide', suggestionId, '--reject', '--note', 'Not this one')

  await page.goto('/')
  await page.getByRole('button', { name: /^Notifications, .* unread$/ }).click()
  await page
    .getByRole('link', { name: `Your suggestion for ${name} was rejected` })
    .last()
    .click()
  const linked = page.getByRole('list', { name: 'The linked suggestion' })
  await expect(linked.getByText('Reason 0')).toBeVisible()
  await expect(linked.getByText('Not this one')).toBeInViewport()
  await page.goto(`/context/suggestions?show=mine&suggestion=${suggestionId}`)
  await expect(linked.getByText('Not this one')).toBeInViewport()
  await expect(mine(page).getByText('Reason 0')).toHaveCount(0)

  await test.step('once the list loads it, the suggestion is open and visible there', async () => {
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect(mine(page).getByText('Not this one')).toBeInViewport()
    await expect(linked).toHaveCount(0)
  })

  // Older messages link to the list of records.
  await page.goto(`/context?suggestion=${crypto.randomUUID()}`)
  await expect(page.getByText('Suggestion not found.')).toBeVisible()
})
