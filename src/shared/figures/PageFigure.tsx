import { Skeleton } from '@mantine/core'
import { Suspense, use, useCallback, useState } from 'react'
import { useNavigate } from 'react-router'

import { FigureContext } from '#src/ui/FigureContext.ts'
import { FigureBoundary } from './FigureBoundary.tsx'
import { type FigurePage, FigurePagesContext, findFigurePage } from './figure-pages.ts'
import { FigureProblem } from './FigureProblem.tsx'
import { FramedPage } from './FramedPage.tsx'

/**
 * The view of a page without its controls. Display options that the reader changes stay in the figure; following a link
 * opens the page.
 */
export function PageFigure({ path }: { path: string }) {
  const page = findFigurePage(use(FigurePagesContext), path)
  if (!page) {
    return (
      <FigureProblem>
        A report can’t show this page.{' '}
        <span data-unpublished="">Use the URL of a results view, a query, a turn or a changed file.</span>
      </FigureProblem>
    )
  }
  return <KnownPage key={path} page={page} path={path} />
}

function KnownPage({ page: { pattern, View }, path }: { page: FigurePage; path: string }) {
  const navigate = useNavigate()
  const [shown, setShown] = useState(path)
  const onNavigate = useCallback(
    (to: string, isReplace: boolean) => {
      if (isReplace && to.split(/[?#]/, 1)[0] === path.split(/[?#]/, 1)[0]) setShown(to)
      else void navigate(to)
    },
    [navigate, path],
  )
  return (
    <FigureBoundary>
      <Suspense fallback={<Skeleton height={240} />}>
        <FramedPage path={shown} pattern={pattern} onNavigate={onNavigate}>
          <FigureContext value="figure">
            <View />
          </FigureContext>
        </FramedPage>
      </Suspense>
    </FigureBoundary>
  )
}
