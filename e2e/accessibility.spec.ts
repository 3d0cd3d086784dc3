import type { Page } from '@playwright/test'
import axe from 'axe-core'

import { createInvitation } from '#contract/invitations.ts'
import { createReport } from '#contract/reports.ts'
import { callAs } from './call-as.ts'
import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

/**
 * Data for the pages below: runs that pass and fail, changed files, refused connections, two prompts, and a transcript
 * with every kind of turn.
 */
const definition = (id: string) => `id: ${id}
name: Seen by everybody
agents:
  - { id: talks, command: [bash, -c, "sed -i s/two/2/ numbers.txt; curl -s http://10.0.0.1/; node agents/talks.mjs"], transcript: assay-jsonl }
  - { id: quiet, command: [bash, -c, "sed -i s/two/TWO/ numbers.txt"] }
environments: [{ id: open, network: true }]
prompts: [{ id: ask, text: Ask }, { id: tell, text: Tell }]
files:
  - { dest: numbers.txt, content: "one\\ntwo\\nthree\\n" }
  - dest: agents/talks.mjs
    content: |
      const print = (line) => console.log(JSON.stringify(line))
      print({ role: 'user', kind: 'message', text: 'Do it' })
      print({ role: 'assistant', kind: 'tool_call', tool: 'shell', text: 'ls' })
      print({ role: 'tool', kind: 'tool_result', tool: 'shell', text: 'no such file', failed: true })
      print({ role: 'assistant', kind: 'message', text: '## Done\\n\\n- **both** of \`a\`, see [docs](https://example.com)' })
tests:
  - { name: ends, command: ["true"] }
  - { name: fails, command: [bash, -c, "printf '\\\\033[31mred\\\\033[0m on \\\\033[42mgreen\\\\033[0m'; exit 1"] }
`

/** The data each page needs; all runs belong to one request of one experiment. */
type Seen = {
  experiment: string
  request: string
  left: string
  right: string
  older: string
  newer: string
  report: string
  /** Of an invitation. */
  link: string
}

/** To check another page, add a line. */
const pages: Record<string, (seen: Seen) => string> = {
  home: () => '/',
  experiments: () => '/experiments',
  'experiments, none': () => '/experiments?search=zzzz',
  'new experiment': () => '/experiments/new',
  overview: ({ experiment }) => `/experiments/${experiment}`,
  fork: ({ experiment }) => `/experiments/${experiment}?fork=1`,
  submit: ({ experiment }) => `/experiments/${experiment}?submit=1`,
  definition: ({ experiment }) => `/experiments/${experiment}/definition`,
  diff: ({ experiment, older, newer }) => `/experiments/${experiment}/definition?version=${newer}&against=${older}`,
  'runs of an experiment': ({ experiment }) => `/experiments/${experiment}/runs`,
  results: ({ experiment }) => `/experiments/${experiment}/results`,
  'leaderboard as a chart': ({ experiment }) => `/experiments/${experiment}/results?as=chart`,
  'compare two groups, with lost prompts': ({ experiment }) =>
    `/experiments/${experiment}/results?view=compare&measure=passRate`,
  scatterplot: ({ experiment }) => `/experiments/${experiment}/results?view=scatter&y=wallSeconds`,
  'flaky tests': ({ experiment }) => `/experiments/${experiment}/results?view=flaky`,
  trends: ({ experiment }) => `/experiments/${experiment}/results?view=trends`,
  'trends over time': ({ experiment }) => `/experiments/${experiment}/results?view=trends&over=time`,
  failures: ({ experiment }) => `/experiments/${experiment}/results?view=failures`,
  'search of output': ({ experiment }) => `/experiments/${experiment}/results?view=failures&find=the`,
  heatmap: ({ experiment }) => `/experiments/${experiment}/results?view=heatmap`,
  'heatmap as a table': ({ experiment }) => `/experiments/${experiment}/results?view=heatmap&as=table`,
  'metric, a rate': ({ experiment }) => `/experiments/${experiment}/results?view=metric&metric=solved`,
  'metric, an amount': ({ experiment }) => `/experiments/${experiment}/results?view=metric&metric=wallSeconds`,
  request: ({ request }) => `/runs/${request}`,
  'failed run': ({ left }) => `/runs/${left}`,
  'failed run, from the results': ({ left }) => `/runs/${left}?from=view%3Dcompare`,
  schedules: ({ experiment }) => `/experiments/${experiment}/schedules`,
  'new schedule': ({ experiment }) => `/experiments/${experiment}/schedules?submit=1&schedule=new`,
  'changes of a run': ({ left }) => `/runs/${left}?view=changes`,
  'network of a run': ({ left }) => `/runs/${left}?view=network`,
  'transcript with its outline': ({ left }) => `/runs/${left}?pane=transcript&outline=1&turn=2`,
  'compare two runs': ({ left, right }) => `/runs/compare?left=${left}&right=${right}`,
  insights: ({ experiment }) => `/insights?experiment=${experiment}`,
  query: ({ experiment }) => `/insights/query?experiment=${experiment}#sql=SELECT%20id,%20pass_rate%20FROM%20runs`,
  'query, drawn': ({ experiment }) =>
    `/insights/query?experiment=${experiment}&mode=modeled&chart=bar&x=variant&y=testPassRate`,
  'query that cannot run': ({ experiment }) => `/insights/query?experiment=${experiment}#sql=SELECT%20nothing`,
  reports: () => '/reports',
  'new report': () => '/reports?new=1',
  report: ({ report }) => `/reports/${report}`,
  'report, previewed': ({ report }) => `/reports/${report}?show=preview`,
  'report, read': ({ report }) => `/reports/${report}/read`,
  runs: () => '/runs',
  notifications: () => '/notifications',
  'own API keys': () => '/settings/keys',
  'new API key': () => '/settings/keys?new=1',
  members: () => '/settings/members',
  profile: () => '/settings/profile',
  'the organization': () => '/settings/general',
  invitations: () => '/settings/invitations',
  'new invitation': () => '/settings/invitations?new=1',
  'join with a broken link': () => '/join#invite_',
  'join, signed in as somebody else': ({ link }) => link,
  'audit log': () => '/settings/audit',
  'run policy': () => '/settings/run-policy',
  retention: () => '/settings/retention',
  'model providers': () => '/settings/model-providers',
  webhooks: () => '/settings/webhooks',
  'notification settings': () => '/settings/notifications',
  'email of the organization': () => '/settings/mail',
  'API keys of the organization': () => '/settings/organization/keys',
  secrets: () => '/secrets',
  credits: () => '/credits',
  usage: () => '/credits/usage?period=last_30_days',
  'usage by day': () => '/credits/usage?period=last_30_days&by=day',
  'new budget': () => '/credits?budget=new',
  'definition reference': () => '/docs/definition',
  'API reference': () => '/docs/api',
  context: () => '/context',
  'new context record': () => '/context?new=1',
  'context record': () => '/context/product/assay',
  'change of a context record': () => '/context/product/assay/suggest',
  'history of a context record': () => '/context/product/assay/history',
  'context suggestions': () => '/context/suggestions',
  'suggestions of everyone': () => '/context/suggestions?show=all',
  'runs, none': () => '/runs?agent=nobody',
  'no such page': () => '/runs/nope',
}

/** WCAG 2.2 AA, and what axe calls best practice. */
const everyRule = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} satisfies axe.RunOnly
/** The only rules another theme can break, because it changes nothing but colors. */
const rulesOfColour = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } satisfies axe.RunOnly
/** The rules a narrow window can break where the page has the same elements: sizes, gaps, and what scrolls there. */
const rulesOfRoom = { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] } satisfies axe.RunOnly

type Look = { width: number; colorScheme: 'light' | 'dark'; rules: axe.RunOnly }

/** Each rule once in every look that can change its outcome. */
const looks: Look[] = [
  { width: 1440, colorScheme: 'light', rules: everyRule },
  { width: 1440, colorScheme: 'dark', rules: rulesOfColour },
  { width: 360, colorScheme: 'light', rules: rulesOfRoom },
]

/** For pages that show other elements in a narrow window: one of each kind, so `home` for the shell of every page. */
const everyLook: Look[] = [1440, 768, 360].flatMap((width) => [
  { width, colorScheme: 'light', rules: everyRule },
  { width, colorScheme: 'dark', rules: rulesOfColour },
])
const drawnByWidth = new Set([
  'home',
  'runs',
  'submit',
  'diff',
  'failures',
  'heatmap',
  'request',
  'failed run',
  'changes of a run',
  'transcript with its outline',
  'compare two runs',
  'report',
  'report, read',
  'audit log',
])

/** Each page is loaded once and then checked in its looks. */
test('no page has an accessibility fault that a program can find, at any width and in either theme', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const seen = await makeSeen(page)
  expect([...drawnByWidth].filter((name) => !(name in pages))).toEqual([])
  let checked = 0
  for (const [name, addressOf] of Object.entries(pages)) {
    await page.goto(addressOf(seen))
    await expectDrawn(page)
    for (const look of drawnByWidth.has(name) ? everyLook : looks) {
      await take(page, look)
      await expectAccessible(page, look.rules, `${name}, ${look.width} px, ${look.colorScheme}`)
      checked += 1
    }
  }
  console.log(`accessibility: ${Object.keys(pages).length} pages, ${checked} checks`)
})

async function take(page: Page, { width, colorScheme }: Look) {
  await page.setViewportSize({ width, height: 860 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached()
}

test('the sign-in page has no accessibility fault in either theme, even after a wrong key', async ({ page }) => {
  await page.goto('/')
  // Embedded mode signs in automatically until someone signs out.
  await page.getByRole('button', { name: 'Ada Admin' }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Assay' })).toBeVisible()
  await expectDrawn(page)
  await expectAccessibleInEveryLook(page, 'sign-in')
  await page.getByRole('textbox', { name: 'API key' }).fill('assay_nonsense')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessibleInEveryLook(page, 'sign-in, after a wrong key')
})

test('the join page has no accessibility fault for a visitor, at any width and in either theme', async ({
  page,
  browser,
}) => {
  const link = await makeLink(page, `visitor-${Date.now()}`)
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(link)
  await expect(visitor.getByRole('textbox', { name: 'Your name' })).toBeVisible()
  await expectAccessibleInEveryLook(visitor, 'join')
  await visitor.context().close()
})

async function expectAccessibleInEveryLook(page: Page, name: string) {
  for (const look of everyLook) {
    await take(page, look)
    await expectAccessible(page, look.rules, `${name}, ${look.width} px, ${look.colorScheme}`)
  }
}

async function expectDrawn(page: Page) {
  await expect(page.getByRole('main').or(page.getByRole('dialog')).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}

async function expectAccessible(page: Page, rules: axe.RunOnly, look: string) {
  // Loaded once per page. Its text is evaluated by the debugger, which the page's content policy does not concern.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // The colors of a new theme are there once it has been painted.
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
  const found = await page.evaluate(async (runOnly) => {
    const find = async (values: axe.RunOnly) => {
      const options = { runOnly: values, resultTypes: ['violations' as const] }
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, any }) => ({ id, help, place: target.join(' '), message: any[0]?.message ?? '' })),
      )
    }
    const faults: string[] = []
    for (const { id, help, place, message } of await find(runOnly)) {
      if (id === 'target-size') {
        // The bar at the end of a dialog may cover a part of a control until it is scrolled.
        document.querySelector(place)?.scrollIntoView({ block: 'center' })
        const remaining = await find({ type: 'rule', values: [id] })
        if (!remaining.some((each) => each.place === place)) continue
      }
      faults.push(`${id}: ${help}: ${place} ${message}`)
    }
    return faults
  }, rules)
  expect.soft(found, look).toEqual([])
}

async function makeSeen(page: Page): Promise<Seen> {
  const id = `seen-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id) })
  const { requestId, runs } = await submitExperiment(page, {
    id,
    yaml: `${definition(id)}limits: {maxTimeSeconds: 99}\n`,
  })
  const { versions } = await (await page.request.get(`/api/v1/experiments/${id}/versions`)).json()
  return {
    experiment: id,
    request: requestId,
    left: encodeURIComponent(runs[0]?.id ?? ''),
    right: encodeURIComponent(runs[1]?.id ?? ''),
    older: versions[1].fingerprint,
    newer: versions[0].fingerprint,
    report: await makeReport(page, id),
    link: await makeLink(page, id),
  }
}

const makeLink = async (page: Page, id: string) =>
  (await callAs(page, createInvitation, { email: `${id}@demo.example`, role: 'member' })).link

/** A report with every kind of block. */
async function makeReport(page: Page, experiment: string): Promise<string> {
  const bodyMarkdown = `## Findings

Of [@${experiment}](assay://experiments/${experiment}), see [docs](https://example.com) and [a run](/runs).[^1]

> [!WARNING]
> Mind \`this\`.

> [!CLIP]
> [Where it was seen](</runs>)
>
> ~~~text
> one failed
> ~~~
>
> v1 · 2026-11-20

\`\`\`insight
ref: chart:${experiment}:tests
\`\`\`

\`\`\`insight
ref: nowhere
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

- [x] done
- [ ] to do

[^1]: A note.
`
  const input = { title: 'Seen by everybody', description: 'All of it', bodyMarkdown }
  return (await callAs(page, createReport, input)).report.id
}
