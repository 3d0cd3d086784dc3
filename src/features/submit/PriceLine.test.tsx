import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { PastRun } from '#statistics/submission-price.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { queryClient } from '#src/api/query-client.ts'
import { costHistoryOptions } from '#src/api/runs.ts'
import { PriceLine } from './PriceLine.tsx'

const run = { variantId: 'a', model: 'm', costUsd: 2, computeUsd: 0.5, spendKind: 'own', mock: false }

const textFor = (runs: readonly Partial<PastRun>[]) => {
  queryClient.setQueryData(whoamiOptions().queryKey, {
    actor: { id: 'a', name: 'Ada' },
    keyKind: 'personal' as const,
    organizations: [],
    sandbox: { kind: 'none' as const, available: false },
  })
  queryClient.setQueryData(costHistoryOptions('e').queryKey, {
    runs: runs.map((more) => ({ ...run, ...more })),
  } as never)
  const line = (
    <PriceLine
      submission={{ id: 'e', repeat: 1 }}
      variants={[{ variantId: 'a' }] as never}
      repeat={1}
      mock={false}
      onMock={() => {}}
    />
  )
  return renderToStaticMarkup(<QueryClientProvider client={queryClient}>{line}</QueryClientProvider>).replaceAll(
    /<[^>]+>/g,
    '',
  )
}

test('an estimate says what of it credit pays', () => {
  expect(textFor([{}])).toContain('Estimate: $2.50 typical (P50)')
  expect(textFor([{}])).toContain('Credit pays about $0.50 of it: the rest is for models with your own keys.')
  expect(textFor([{ computeUsd: 0 }])).toContain('Credit pays none of it')
  expect(textFor([{ spendKind: 'managed' }])).not.toContain('Credit pays')
  // An imported run tells nothing of what the platform would charge.
  expect(textFor([{ computeUsd: null as never }])).not.toContain('Credit pays')
})
