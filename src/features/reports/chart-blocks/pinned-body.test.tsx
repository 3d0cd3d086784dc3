import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { openPinned } from '#src/shared/figures/pinned/pinned-client.ts'
import { PinnedBody } from './PinnedBody.tsx'

const page = '/experiments/roman/results?view=heatmap'
const figure = {
  id: '019a1f2c-8f60-7000-8000-0000000000b1',
  page,
  pinnedAt: '2026-03-02T08:30:00Z',
  pinnedBy: { id: 'a', name: 'Ada' },
  sizeBytes: 100,
}
const data = { columns: [], rows: [], rowCount: 0, truncated: false, compiledSql: '' }
const client = openPinned(JSON.stringify([{ key: ['queries', 'result', {}, 0], at: 1, data }]))

const shown = (of: string) =>
  renderToStaticMarkup(<PinnedBody page={of} pinned={{ figure, client, error: null, retry: () => {} }} />)

test('pinned data is drawn as the page that it was pinned from, and as no other', () => {
  expect(client).not.toBeNull()
  expect(shown(page)).not.toContain('of another view')
  for (const other of ['/experiments/other/results?view=heatmap', page.replace('heatmap', 'scatter')])
    expect(shown(other)).toContain('The pinned data is of another view.')
})
