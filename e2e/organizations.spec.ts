import { expect, type Page, test as base } from '@playwright/test'

import { readDemoSecret } from './fixtures.ts'
import { newPerson } from './new-person.ts'
import { assay } from './operator.ts'
import { nameProgram, type Program, startProgram } from './start-program.ts'

// A separate program, because a second organization ends the demo sign-in that the other stories use.
const test = base.extend<object, { program: Program }>({
  program: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of a fixture's needs from it.
    async ({}, provide) => {
      const program = await startProgram()
      nameProgram(program)
      await provide(program)
      await program.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  baseURL: async ({ program }, provide) => provide(program.url),
})

// A worker that takes over after a failure creates its own.
const annex = `annex-${process.pid}`

let created: Promise<string> | undefined

/** The key of a person who is a member of the demo and an admin of the annex. The annex is created on first use. */
const annexKey = () => (created ??= createAnnex())

async function createAnnex() {
  await assay('org', 'create', '--slug', annex, '--name', 'The annex')
  return (await newPerson({ demo: 'member', [annex]: 'admin' })).apiKey
}

test('a second organization turns off the demo sign-in, and the page explains why and what to do', async ({ page }) => {
  await page.goto(`/#demo=${await readDemoSecret()}`)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await annexKey()
  await page.goto('/reports')
  const notice = page.getByRole('region', { name: 'Demo sign-in is off' })
  await expect(notice).toContainText('second organization')
  await expect(notice).toContainText('key create --org demo')
  await expect(page.getByRole('button', { name: /Ada Admin/ })).toHaveCount(0)
  await page.reload()
  await expect(notice).toBeVisible()
})

async function signIn(page: Page, apiKey: string, path = '/') {
  await page.goto(path)
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
}

async function switchTo(page: Page, name: string) {
  await page.getByRole('button', { name: /^Switch organization/ }).click()
  await page.getByRole('menuitemradio', { name }).click()
  await expect(page.getByRole('button', { name: `Switch organization (current: ${name})` })).toBeVisible()
}

test('one key in two organizations has separate pages, URLs and permissions in each', async ({ page }) => {
  await signIn(page, await annexKey())
  await switchTo(page, 'Demo')
  await page.getByRole('link', { name: 'Experiments', exact: true }).click()
  await expect(page).toHaveURL('/o/demo/experiments')
  await page.getByRole('row').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/o\/demo\/experiments\/.+/)

  await test.step('switching the organization opens the same kind of page without its filters', async () => {
    await switchTo(page, 'The annex')
    await expect(page).toHaveURL(`/o/${annex}/experiments`)
    await expect(page.getByRole('row').getByRole('link')).toHaveCount(0)
  })

  await test.step('the key is an admin in one organization and a member in the other', async () => {
    await page.goto(`/o/${annex}/secrets`)
    await expect(page.getByRole('link', { name: 'New secret' }).first()).toBeVisible()
    await switchTo(page, 'Demo')
    await expect(page).toHaveURL('/o/demo/secrets')
    await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'New secret' })).toHaveCount(0)
  })

  await test.step('two tabs can show two organizations', async () => {
    const other = await page.context().newPage()
    await other.goto(`/o/${annex}/runs`)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Switch organization (current: Demo)' })).toBeVisible()
    await expect(other.getByRole('button', { name: 'Switch organization (current: The annex)' })).toBeVisible()
  })
})

test('the URL of an organization without access says so and links to the user’s own', async ({ page }) => {
  const hidden = `hidden-${process.pid}`
  await assay('org', 'create', '--slug', hidden)
  await signIn(page, await annexKey())
  for (const slug of [hidden, 'nowhere']) {
    await page.goto(`/o/${slug}/runs`)
    await expect(page.getByRole('heading', { name: /You don’t have access to/ })).toBeVisible()
  }
  await page.getByRole('link', { name: 'The annex' }).click()
  await expect(page).toHaveURL(`/o/${annex}/`)
  await expect(page.getByRole('button', { name: 'Switch organization (current: The annex)' })).toBeVisible()
})
