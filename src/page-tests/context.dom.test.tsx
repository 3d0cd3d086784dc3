import { test } from 'vitest'

import { suggestContext } from '#contract/context-suggestions.ts'
import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, openOrganization, operate, type Page } from './open-page.tsx'

const records = (page: Page) => page.getByRole('region', { name: 'context records' })
const pending = (page: Page) => page.getByRole('list', { name: 'Pending suggestions' })

const putProduct = (org: string, id: string, fields: Record<string, string>) =>
  operate('context put', { org, kind: 'product', id, fields })

/** Submits a suggestion as the person of the page. */
async function suggest(page: Page, targetId: string, baseRevision: number, summary: string) {
  const idempotencyKey = crypto.randomUUID()
  const change = {
    targetId,
    baseRevision,
    proposed: { summary },
    reason: `Why ${summary}`,
    evidence: [],
    idempotencyKey,
  }
  const answer = await page.call(suggestContext, { action: 'submit', kind: 'product', ...change })
  if (answer.action !== 'submit') throw new Error(`The suggestion was answered as ${answer.action}`)
  return answer.suggestionId
}

test('a member finds a record by a word of its text, filters, and shares the list by its URL', async () => {
  const { slug, page, colleague } = await openOrganization()
  await putProduct(slug, 'found', { name: 'Found', description: 'Only 100% of needles are here' })
  await putProduct(slug, 'other', { name: 'Other' })
  await suggest(colleague, 'found', 1, 'Something')
  await page.goto('/context')
  await fill(page.getByRole('searchbox', { name: 'Search records' }), '100% NEEDLES')
  await page.expectURL(/search=100/)
  await expectPage(records(page).getByRole('row')).toHaveCount(2)
  await expectPage(records(page)).toContainText('Only 100% of needles')
  await expectPage(records(page)).toContainText('1 pending')

  await page.goto('/context?search=o&pending=1')
  await expectPage(records(page).getByRole('link', { name: 'Found' })).toBeVisible()
  await expectPage(records(page).getByRole('link', { name: 'Other' })).toHaveCount(0)
  await click(page.getByRole('button', { name: 'Clear filters' }))
  await page.expectURL(/\/context\??$/)
  await page.goto('/context?search=nothing-has-this')
  await expectPage(page.getByText('No records match')).toBeVisible()
})

test('an admin creates a record; an id that exists is refused at its field, and members have no button', async () => {
  const { slug, page, colleague } = await openOrganization()
  await operate('context put', { org: slug, kind: 'agent', id: 'careful', fields: { name: 'Careful' } })
  const name = 'Created here'
  await page.goto('/context')
  await click(page.getByRole('link', { name: 'New record' }))
  const dialog = page.getByRole('dialog', { name: 'New record' })
  await click(dialog.getByText('Agent', { exact: true }))
  await fill(dialog.getByRole('textbox', { name: 'Name' }), name)
  await fill(dialog.getByRole('textbox', { name: 'Id' }), 'careful')
  await click(dialog.getByRole('button', { name: 'Create record' }))
  await expectPage(dialog.getByText('already exists')).toBeVisible()
  await fill(dialog.getByRole('textbox', { name: 'Id' }), newName('created'))
  await click(dialog.getByRole('button', { name: 'Create record' }))
  await expectPage(page.getByRole('heading', { name })).toBeVisible()
  await expectPage(page.getByText('by Ada Admin')).toBeVisible()
  await colleague.goto('/context')
  await expectPage(records(colleague).getByRole('link', { name })).toBeVisible()
  await expectPage(colleague.getByRole('link', { name: 'New record' })).toHaveCount(0)
})

test('a suggestion whose record changed can only be rejected; a decision that came too late keeps the note', async () => {
  const { slug, page, colleague } = await openOrganization()
  const name = 'Raced'
  await putProduct(slug, 'raced', { name, summary: 'One' })
  const outdated = await suggest(colleague, 'raced', 1, 'Two')
  await putProduct(slug, 'raced', { name, summary: 'Changed meanwhile' })
  await page.goto(`/context/suggestions?suggestion=${outdated}`)
  await expectPage(page.getByRole('region', { name: /now at revision 2/ })).toBeVisible()
  await expectPage(pending(page).locator('del')).toContainText('Changed meanwhile')
  await expectPage(page.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0)
  await fill(page.getByRole('textbox', { name: /^Note to / }), 'Please compare with the new text')
  await click(page.getByRole('button', { name: 'Reject', exact: true }))
  const linked = page.getByRole('list', { name: 'The linked suggestion' })
  await expectPage(linked.getByRole('button', { name: `Rejected ${name}` })).toBeVisible()
  await expectPage(linked).toContainText('Please compare with the new text')

  const raced = await suggest(colleague, 'raced', 2, 'Three')
  await page.goto(`/context/suggestions?show=all&suggestion=${raced}`)
  await fill(page.getByRole('textbox', { name: /^Note to / }), 'My careful note')
  await operate('context decide', { suggestion: raced, decision: 'accepted' })
  await click(page.getByRole('button', { name: 'Reject', exact: true }))
  await expectPage(page.getByRole('alert')).toContainText('already accepted')
  await expectPage(page.getByRole('alert')).toContainText('My careful note')
  await expectPage(page.getByRole('button', { name: 'Reject', exact: true })).toHaveCount(0)
})

test('with suggestions disabled, the page says so and names who can enable them', async () => {
  const { slug, page } = await openOrganization()
  await putProduct(slug, 'assay', { name: 'Assay' })
  await operate('context enable', { org: slug, enabled: false })
  const disabled = page.getByText('Context suggestions are disabled for this organization')
  await page.goto('/context/suggestions')
  await expectPage(disabled).toBeVisible()
  await page.goto('/context/product/assay')
  await expectPage(page.getByRole('heading', { name: 'Assay', level: 1 })).toBeVisible()
  await click(page.getByRole('link', { name: 'Suggest a change' }))
  await expectPage(disabled).toBeVisible()
  await page.goto('/context/product/no-such-record')
  await expectPage(page.getByText('There is no product "no-such-record" in the shared Context')).toBeVisible()
})

test('an admin accepts a suggestion, reads the history of the record, and restores an earlier text', async () => {
  const { slug, page, colleague } = await openOrganization()
  const name = 'Kept'
  await putProduct(slug, 'kept', { name, summary: 'The first text' })
  const suggestion = await suggest(colleague, 'kept', 1, 'The second text')

  // The author sees the suggestion among those of all, without a decision to make.
  await colleague.goto(`/context/suggestions?suggestion=${suggestion}`)
  await expectPage(pending(colleague).getByText('Why The second text')).toBeVisible()
  await expectPage(colleague.getByRole('button', { name: 'Withdraw', exact: true })).toBeVisible()
  await expectPage(colleague.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0)

  // The admin finds it on the page of the record, compares and accepts.
  await page.goto('/context/product/kept')
  const list = page.getByRole('list', { name: 'Suggestions for this record' })
  await click(list.getByRole('button', { name: new RegExp(name) }))
  await expectPage(list.locator('del')).toHaveText('first')
  await expectPage(list.locator('ins')).toHaveText('second')
  await fill(list.getByRole('textbox', { name: /^Note to / }), 'Good catch')
  await click(list.getByRole('button', { name: 'Accept', exact: true }))
  await expectPage(page.getByText('The second text', { exact: true })).toBeVisible()
  await expectPage(list).toHaveCount(0)
  await expectPage(page.getByText('revision 2', { exact: true })).toBeVisible()

  // The author is notified, with the note and the name of the admin.
  await colleague.goto('/notifications')
  await click(colleague.getByRole('link', { name: `Your suggestion for ${name} was accepted` }).first())
  const linked = colleague.getByRole('list', { name: 'The linked suggestion' })
  await expectPage(linked).toContainText('Ada Admin: Good catch')

  // The history says how each version came about; the admin restores the first.
  await page.goto('/context/product/kept')
  await click(page.getByRole('link', { name: 'History', exact: true }))
  const versions = page.getByRole('navigation', { name: 'Versions' })
  const changes = page.getByRole('region', { name: 'Changes' })
  await expectPage(versions.getByRole('button')).toHaveCount(2)
  await expectPage(versions).toContainText('Suggestion by Max Member')
  await expectPage(changes.locator('ins')).toHaveText('second')
  await click(versions.getByRole('button', { name: /Created/ }))
  await expectPage(changes).toContainText('The first text')
  await click(page.getByRole('button', { name: 'Restore this version…' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Restore version' }))
  await expectPage(versions.getByRole('button')).toHaveCount(3)
  await expectPage(versions).toContainText('Restored revision 1')

  // A member reads the history, and cannot restore.
  await colleague.goto('/context/product/kept/history?revision=1')
  await expectPage(colleague.getByRole('region', { name: 'Changes' })).toContainText('The first text')
  await expectPage(colleague.getByRole('button', { name: 'Restore this version…' })).toHaveCount(0)

  // The audit log has the decision and the restore.
  await page.goto('/settings/audit?event=context.decide&event=context.write')
  const events = page.getByRole('region', { name: 'events' })
  await expectPage(events).toContainText('Context suggestion decided')
  await expectPage(events).toContainText('Context record saved')
})
