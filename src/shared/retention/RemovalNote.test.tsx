import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { keepEverything } from '#contract/retention.ts'
import { retentionOptions } from '#src/api/retention.ts'
import { queryClient } from '#src/api/query-client.ts'
import { RemovalNote } from './RemovalNote.tsx'

const shown = (runs: number | null) => {
  const policy = { ...keepEverything, runs, updatedAt: null, removesFrom: null, lastSweep: null }
  queryClient.setQueryData(retentionOptions().queryKey, policy)
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RemovalNote keeps="Labels keep a run from retention." />
    </QueryClientProvider>,
  )
}

test('a dialog that deletes a reason to keep runs says what retention may do, if it has rules', () => {
  expect(shown(30)).toMatch(/^Labels keep a run from retention\. After 24 hours, retention can remove/)
  expect(shown(null)).toBe('')
})
