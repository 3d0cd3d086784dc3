import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { FigureBody } from './FigureBody.tsx'
import type { FigureContent } from './figure-content.ts'

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
  expect(
    renderToStaticMarkup(
      <MantineProvider>
        <FigureBody content={content} />
      </MantineProvider>,
    ),
  ).toContain('mantine-Skeleton-root')
})
