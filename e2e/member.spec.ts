import { expect, test, untilNothingRuns } from './fixtures.ts'
import { kindOf, walk } from './walk-pages.ts'

const insight = { heading: 'Runs of everybody', sql: 'select count() as runs from runs', limit: 10 }

test('a member meets no dead button: on every page each one does something, is never refused, or says why it is disabled', async ({
  page,
  colleague,
}) => {
  test.setTimeout(20 * 60_000)
  await untilNothingRuns(page.context())
  // What an admin has made, which a member may see but not always change.
  await page.goto('/')
  await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json', 'x-assay-request': '1' }
    const post = (path: string, content: object) =>
      fetch(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(content) })
    await post('/insights', body)
    await post('/reports', { title: 'Of an admin', bodyMarkdown: 'A **finding**.' })
  }, insight)

  const { kinds, faults } = await walk(colleague)
  expect(kinds).toEqual(
    expect.arrayContaining(['/', '/credits', '/secrets', '/context', '/reports/:id', '/insights/:id']),
  )
  expect(kinds).toContain(kindOf('/experiments/parse-roman/results'))
  expect(faults).toEqual([])
})

test('the walk sees a dead button, one that is refused, and a disabled one without words', async ({ colleague }) => {
  test.setTimeout(180_000)
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
  const { faults } = await walk(colleague, { start: '/credits', follow: false })
  expect(faults.toSorted()).toEqual([
    '/credits: "Dead" does nothing',
    '/credits: "Mute" is disabled and does not say why',
    '/credits: "Refused" does nothing',
    '/credits: GET /api/v1/credits/balance answered 403',
  ])
})
