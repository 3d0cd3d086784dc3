import { RunList } from '#contract/run-list.ts'
import { createInsight } from '#contract/insights.ts'
import { atLength } from '#tools/test-length.ts'

import { callAs } from './call-as.ts'
import { expect, test, waitUntilNothingRuns } from './fixtures.ts'
import { putProduct } from './operator.ts'
import { walkPages } from './walk-pages.ts'

test('every button on every page works for a member or explains why it is disabled', async ({
  page,
  colleague,
  newReport,
}) => {
  test.setTimeout(15 * 60_000)
  await waitUntilNothingRuns(page.context())
  // Data from other people that a member can see but not always change.
  await callAs(page, createInsight, { heading: 'Runs of everybody', sql: 'select count() as runs from runs' })
  await newReport({ title: 'Of an admin', bodyMarkdown: 'A **finding**.' })
  await putProduct('walked', { name: 'Walked', summary: 'A product' })
  const { runs } = RunList.parse(await (await page.request.get('/api/v1/runs?limit=2')).json())
  const [left = '', right = ''] = runs.map(({ id }) => id)
  const comparison = `/runs/compare?${new URLSearchParams({ left, right })}`

  const starts = ['/', '/notifications', '/context/product/walked', comparison]
  const { kinds, faults } = await walkPages(colleague, { starts, isBrief: atLength(true, false) })
  expect(faults).toEqual([])
  for (const kind of ['credits', 'secrets', 'context', 'reports/:id', 'insights/:id', 'runs/:id', 'runs/:run'])
    expect(kinds).toContain(`/${kind}`)
  for (const kind of ['definition', 'runs', 'results', 'results?view=metric'])
    expect(kinds).toContain(`/experiments/:id/${kind}`)
})

test('the check of buttons detects one that does nothing, one that is refused, and a disabled one without a reason', async ({
  colleague,
}) => {
  test.setTimeout(300_000)
  await colleague.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const corner = document.createElement('div')
      corner.innerHTML = '<button>Dead</button><button disabled>Mute</button><button disabled title="Why">Told</button>'
      const refused = document.createElement('button')
      refused.textContent = 'Refused'
      refused.addEventListener('click', () => void fetch('/api/v1/credits/balance'))
      corner.append(refused)
      Object.assign(corner.style, { position: 'fixed', right: '0', bottom: '0', zIndex: '9999' })
      document.body.append(corner)
    }),
  )
  const { faults } = await walkPages(colleague, { starts: ['/credits'], follow: false })
  expect(faults.toSorted()).toEqual([
    '/credits: "Dead" does nothing',
    '/credits: "Mute" is disabled and does not say why',
    '/credits: "Refused" does nothing',
    '/credits: GET /api/v1/credits/balance answered 403',
  ])
})
