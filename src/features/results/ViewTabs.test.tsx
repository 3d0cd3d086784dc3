import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'

import { ViewTabs } from './ViewTabs.tsx'

test('another view keeps the filters of the page, but not that for fully passing runs, which would choose its outcome', () => {
  const at = '/results?view=metric&agents=a&full_pass_only=true&run=1'
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[at]}>
      <ViewTabs view="metric" />
    </MemoryRouter>,
  )
  const hrefs = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
  expect(hrefs[0]).toBe('/results?agents=a')
  expect(hrefs.filter((href) => href?.includes('full_pass_only'))).toEqual([])
})
