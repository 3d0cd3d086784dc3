import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, Link, RouterProvider, useParams, useSearchParams } from 'react-router'
import { expect, test } from 'vitest'

import { type FigurePage, findFigurePage } from './figure-pages.ts'
import { FramedPage } from './FramedPage.tsx'

function View() {
  const { id } = useParams()
  const [search] = useSearchParams()
  return (
    <Link to="?view=metric">
      {id} {search.get('view')}
    </Link>
  )
}

/** A report at `address` with the view of another page in it. */
function render(address: string, basename: string) {
  const report = (
    <>
      <FramedPage
        path="/experiments/roman/results?view=heatmap"
        pattern="/experiments/:id/results"
        onNavigate={() => {}}
      >
        <View />
      </FramedPage>
      <Link to="/reports">Reports</Link>
    </>
  )
  const router = createMemoryRouter([{ path: 'reports/:id', element: report }], { initialEntries: [address], basename })
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

test.each([
  ['/reports/1', '/', ''],
  ['/o/acme/reports/1', '/o/acme', '/o/acme'],
])('a view inside %s reads its own address, and links within its page and organization', (address, basename, base) => {
  const shown = render(address, basename)
  expect(shown).toContain(`href="${base}/experiments/roman/results?view=metric"`)
  expect(shown).toContain('roman heatmap')
  expect(shown).toContain(`href="${base}/reports"`)
})

test('only known pages of this dashboard have a view', () => {
  const results: FigurePage = { pattern: '/experiments/:id/results', View, hasControls: true }
  const turn: FigurePage = { pattern: '/runs/:id', View, hasControls: false, hasView: (query) => query.has('turn') }
  const find = (path: string) => findFigurePage([results, turn], path)
  expect(find('/experiments/roman/results?view=heatmap')).toBe(results)
  expect(find('/runs/a%3A%3A1?turn=4')).toBe(turn)
  for (const path of [
    '/runs/a',
    '/secrets',
    '//evil.example/runs/a?turn=1',
    'javascript:alert(1)',
    '/experiments/%E0%A4%A',
    '',
  ]) {
    expect(find(path)).toBeUndefined()
  }
})
