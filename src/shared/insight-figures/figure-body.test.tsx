import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { FigureBody } from './FigureBody.tsx'
import type { FigureContent } from './figure-content.ts'

const drawn = (content: FigureContent) =>
  renderToStaticMarkup(
    <MantineProvider>
      <FigureBody content={content} />
    </MantineProvider>,
  )

test('until its chart has loaded, a figure says that it is not ready to be printed or exported', () => {
  const content: FigureContent = {
    columns: [
      { name: 'agent', type: 'String' },
      { name: 'runs', type: 'UInt64' },
    ],
    rows: [['a', 1]],
    rowCount: 1,
    presentation: { kind: 'bar', x: 'agent', y: ['runs'] },
  }
  expect(drawn(content)).toContain('mantine-Skeleton-root')
})

test('the table of a figure tells times that are milliseconds apart from each other', () => {
  const rows = [['2026-11-20T10:00:00.500Z'], ['2026-11-20T10:00:00.750Z']]
  const shown = drawn({ columns: [{ name: 'at', type: 'DateTime64(3)' }], rows, rowCount: 2 })
  expect(shown).toContain('2026-11-20 10:00:00.500')
  expect(shown).toContain('2026-11-20 10:00:00.750')
})
