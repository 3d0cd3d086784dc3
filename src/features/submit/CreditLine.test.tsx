import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { whoamiOptions } from '#src/api/identity.ts'
import { queryClient } from '#src/api/query-client.ts'
import { runEstimateOptions } from '#src/api/runs.ts'
import { CreditLine } from './CreditLine.tsx'

const submission = { id: 'e', repeat: 1 }

const shown = (hasVariants: boolean) => {
  queryClient.setQueryData(whoamiOptions().queryKey, {
    actor: { id: 'a', name: 'Ada' },
    keyKind: 'personal' as const,
    organizations: [],
    sandbox: { kind: 'none' as const, available: false },
  })
  queryClient.setQueryData(runEstimateOptions(submission).queryKey, {
    runCount: 4,
    currency: 'USD' as const,
    heldMicros: '2000000',
    refusals: [],
  })
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <CreditLine submission={submission} hasVariants={hasVariants} p90={null} />
    </QueryClientProvider>,
  )
}

test('without a selected variant, the dialog reserves nothing, not the credit of the whole matrix', () => {
  expect(shown(true)).toContain('Reserves <b>$2.00</b> until the runs finish.')
  expect(shown(false)).not.toContain('Reserves')
})
