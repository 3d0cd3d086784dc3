import { test as base, type Page } from '@playwright/test'

import { type DemoPerson, writeHeader } from '#contract/session.ts'

type Fixtures = {
  /** Who `page` is signed in as: `test.use({ person: 'member' })`; `undefined` is a visitor. */
  person: DemoPerson['id'] | undefined
}

export const test = base.extend<Fixtures>({
  person: ['admin', { option: true }],

  page: async ({ page, person }, provide) => {
    if (person) await signIn(page, person)
    await provide(page)
  },
})

export { expect } from '@playwright/test'

/** The browser itself signs in, so that the cookie and the same-origin proof are the real ones. */
async function signIn(page: Page, person: DemoPerson['id']) {
  await page.goto('/')
  const status = await page.evaluate(
    async ([header, id]) => {
      const response = await fetch('/session/demo', {
        method: 'POST',
        headers: { 'content-type': 'application/json', [header]: '1' },
        body: JSON.stringify({ person: id }),
      })
      return response.status
    },
    [writeHeader, person] as const,
  )
  if (status !== 200) throw new Error(`Signing in as the demo ${person} answered ${status}`)
}
