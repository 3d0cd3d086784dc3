import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type BrowserContext, type Page, expect, test as base } from '@playwright/test'

import { RunList } from '#contract/run-list.ts'
import { createReport } from '#contract/reports.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { pushExperiment } from '#contract/experiments.ts'
import type { DemoPerson } from '#contract/session.ts'
import { startTestTime } from '#tools/record-test-time.ts'
import { appHeaders, callAs } from './call-as.ts'
import { nameProgram, startProgram } from './start-program.ts'

type Fixtures = {
  /** The person `page` and its whole context are signed in as: `test.use({ person: 'member' })`; `undefined` is a visitor. */
  person: DemoPerson['id'] | undefined
  /** A page in another browser, signed in as the demo member. */
  colleague: Page
  /** Creates an experiment before the story starts. Its runs don't have to queue behind the demo's. */
  push: (yaml: string) => Promise<void>
  /** `npm run test:time` measures each story with its browser and its program. */
  timed: void
  /** Creates a report as the person of `page`, and returns its id. */
  newReport: (input: CallInput<typeof createReport>) => Promise<string>
}

type SignIn = { context: BrowserContext; person: DemoPerson['id'] }

/** The program of a worker. All stories of a worker share it and its organization. */
type WorkerFixtures = { program: { url: string } }

const startDeadlineMs = 240_000

export const test = base.extend<Fixtures, WorkerFixtures>({
  program: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of a fixture's needs from it.
    async ({}, provide) => {
      // Set by hand, with ASSAY_DATA_DIR and ASSAY_PLATFORM_URL, to run the stories against a running program.
      if (process.env.ASSAY_URL) return provide({ url: process.env.ASSAY_URL })
      const program = await startProgram()
      nameProgram(program)
      await provide(program)
      nameProgram(null)
      await program.stop()
    },
    { scope: 'worker', timeout: startDeadlineMs },
  ],

  timed: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of a fixture's needs from it.
    async ({}, provide, { titlePath }) => {
      const file = process.env.TEST_TIME_FILE
      const stop = file ? startTestTime(file, 'browser') : () => {}
      await provide()
      stop(`e2e/${titlePath.join(' › ')}`)
    },
    { auto: true },
  ],

  baseURL: async ({ program }, provide) => provide(program.url),

  person: ['admin', { option: true }],

  context: async ({ context, person }, provide) => {
    if (person) await signIn({ context, person })
    await provide(context)
  },

  colleague: async ({ browser }, provide) => {
    const context = await browser.newContext()
    await signIn({ context, person: 'member' })
    await provide(await context.newPage())
    await context.close()
  },

  // Waiting here counts toward the fixture's timeout, not the story's.
  push: [
    async ({ context }, provide) => {
      await waitUntilNothingRuns(context)
      await provide(async (experimentYaml) => void (await callAs(context, pushExperiment, { experimentYaml })))
    },
    { timeout: 120_000 },
  ],

  newReport: async ({ context }, provide) =>
    provide(async (input) => (await callAs(context, createReport, input)).report.id),
})

export { expect, type Page }

/** As with the address that the program prints: its secret admits one browser. */
async function openDemoLink({ request }: BrowserContext) {
  const secret = await readDemoSecret()
  const response = await request.post('/session/demo-link', { headers: appHeaders(), data: { secret } })
  if (!response.ok()) throw new Error(`The demo's link answered ${response.status()}`)
}

export const readDemoSecret = async () =>
  (await readFile(join(process.env.ASSAY_DATA_DIR ?? '', 'demo-link'), 'utf8')).trim()

async function signIn({ context, person }: SignIn) {
  await openDemoLink(context)
  const response = await context.request.post('/session/demo', { headers: appHeaders(), data: { person } })
  if (!response.ok()) throw new Error(`Signing in as the demo ${person} answered ${response.status()}`)
}

/** Waits for the demo's runs too, so that only the story changes data. */
export const waitUntilNothingRuns = (context: BrowserContext) =>
  expect.poll(() => unfinishedRuns(context), { timeout: 110_000 }).toBe(0)

async function unfinishedRuns(context: BrowserContext) {
  const response = await context.request.get('/api/v1/runs?limit=1')
  const { statusCounts } = RunList.parse(await response.json())
  return statusCounts.queued + statusCounts.waiting_for_ci + statusCounts.running
}
