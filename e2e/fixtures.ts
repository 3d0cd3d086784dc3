import { type BrowserContext, test as base } from '@playwright/test'

import { type DemoPerson, writeHeader } from '#contract/session.ts'

type Fixtures = {
  /** Who `page`, and every other page of its context, is signed in as: `test.use({ person: 'member' })`; `undefined` is a visitor. */
  person: DemoPerson['id'] | undefined
}

type SignIn = { context: BrowserContext; baseURL: string | undefined; person: DemoPerson['id'] }

export const test = base.extend<Fixtures>({
  person: ['admin', { option: true }],

  context: async ({ context, baseURL, person }, provide) => {
    if (person) await signIn({ context, baseURL, person })
    await provide(context)
  },
})

export { expect, type Page } from '@playwright/test'

async function signIn({ context, baseURL, person }: SignIn) {
  // What the page itself would send: our header, and the origin as the browser tells it.
  const headers = { [writeHeader]: '1', origin: baseURL ?? '' }
  const response = await context.request.post('/session/demo', { headers, data: { person } })
  if (!response.ok()) throw new Error(`Signing in as the demo ${person} answered ${response.status()}`)
}
