import { Skeleton } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'

import { isApiError } from '#src/api/errors.ts'
import { FigureProblem } from '#src/shared/figures/FigureProblem.tsx'
import { PageFigure } from '#src/shared/figures/PageFigure.tsx'
import type { usePinnedFigure } from '#src/shared/figures/pinned/use-pinned-figure.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'

type Props = {
  page: string
  pinned: Pick<ReturnType<typeof usePinnedFigure>, 'figure' | 'client' | 'error' | 'retry'>
}

/** The view of a page with the data of a pinned figure. */
export function PinnedBody({ page, pinned: { figure, client, error, retry } }: Props) {
  if (error) {
    if (isApiError(error, 'not_found')) return <Problem>The pinned data no longer exists.</Problem>
    return <ErrorNotice title="The pinned data could not be loaded" error={error} onRetry={retry} />
  }
  if (!figure) return <Skeleton height={240} />
  if (figure.page !== page) return <Problem>The pinned data is of another view.</Problem>
  if (!client) return <Problem>The pinned data could not be read.</Problem>
  return (
    <QueryClientProvider client={client}>
      <PageFigure path={page} />
    </QueryClientProvider>
  )
}

const Problem = ({ children }: { children: string }) => (
  <FigureProblem>
    {children} <span data-unpublished="">Unpin the figure to show its live data.</span>
  </FigureProblem>
)
