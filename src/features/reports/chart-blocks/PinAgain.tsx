import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'

import { PageFigure } from '#src/shared/figures/PageFigure.tsx'
import type { FigureRecorder } from '#src/shared/figures/pinned/figure-recorder.ts'
import { useRecorder } from '#src/shared/figures/pinned/use-recorder.ts'
import { useFigureLoad } from '#src/shared/figures/use-figure-load.ts'

type Props = { page: string; onDrawn: (recorder: FigureRecorder) => void }

/** Draws the live view, so that it can be pinned: only the view knows its queries. */
export function PinAgain({ page, onDrawn }: Props) {
  const { ref, stage } = useFigureLoad<HTMLDivElement>()
  const recorder = useRecorder()
  // Only the elements of the view say that it has its data.
  useEffect(() => {
    if (stage === 'ready') onDrawn(recorder)
  }, [stage, recorder, onDrawn])
  return (
    <div ref={ref} data-figure={stage}>
      {stage !== 'waiting' && (
        <QueryClientProvider client={recorder}>
          <PageFigure path={page} />
        </QueryClientProvider>
      )}
    </div>
  )
}
