import { test } from 'vitest'

import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, newPerson, openOrganization, operate, type Page, visit } from './open-page.tsx'

/** Two organizations, and the key of a person who is a member of the first and an admin of the second. */
async function openTwo() {
  const { slug } = await openOrganization()
  const annex = newName('annex')
  await operate('org create', { slug: annex, name: 'The annex' })
  const email = `both@${annex}.example`
  await operate('member set', { org: slug, email, role: 'member' })
  await operate('member set', { org: annex, email, role: 'admin' })
  const [apiKey = ''] = await operate('key create', { organizations: [slug, annex], email, kind: 'personal' })
  return { annex, apiKey }
}

async function signIn(page: Page, apiKey: string, path = '/') {
  await page.goto(path)
  await fill(page.getByLabel('API key'), apiKey)
  await click(page.getByRole('button', { name: 'Sign in', exact: true }))
  await expectPage(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
}

const current = (page: Page, name: string) =>
  expectPage(page.getByRole('button', { name: `Switch organization (current: ${name})` })).toBeVisible()

const address = (path: string) => new RegExp(`^${path.replaceAll(/[?#()]/g, '\\$&')}$`)

test('a pasted link opens its organization after signing in and keeps its fragment', async () => {
  const { annex, apiKey } = await openTwo()
  const page = visit()
  const path = `/o/${annex}/insights/query?experiment=csv-summary#sql=select%201`
  await signIn(page, apiKey, path)
  await page.expectURL(address(path))
  await current(page, 'The annex')
})

test('a URL without an organization opens the last one used', async () => {
  const { annex, apiKey } = await openTwo()
  const page = visit()
  await signIn(page, apiKey, `/o/${annex}/runs`)
  await page.goto('/reports?x=1')
  await page.expectURL(address(`/o/${annex}/reports?x=1`))
})

test('a key of one organization has URLs without the organization, and also accepts URLs with it', async () => {
  const { slug } = await openOrganization()
  const { apiKey } = await newPerson(slug, 'member')
  const page = visit()
  await signIn(page, apiKey, '/runs')
  await page.expectURL(address('/runs'))
  await expectPage(page.getByText('Lab', { exact: true })).toBeVisible()
  await page.goto(`/o/${slug}/reports`)
  await click(page.getByRole('link', { name: 'Runs', exact: true }))
  await page.expectURL(address(`/o/${slug}/runs`))
})
