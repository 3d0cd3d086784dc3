import { Skeleton } from '@mantine/core'
import { Suspense, useCallback } from 'react'

import { FigureContext } from '#src/ui/FigureContext.ts'
import { addressBase } from '#src/url/organization-address.ts'
import { FigureBoundary } from './FigureBoundary.tsx'
import type { FigurePage } from './figure-pages.ts'
import { FramedPage } from './FramedPage.tsx'

type Props = {
  path: string
  page: FigurePage
  /** Called with the new URL when the reader changes the view. */
  onChange: (path: string) => void
}

/** The view of a page with its controls, for a form. A link to another page opens it in a new tab. */
export function EditablePage({ path, page: { pattern, View }, onChange }: Props) {
  const [own] = path.split(/[?#]/, 1)
  const onNavigate = useCallback(
    (to: string) => {
      if (to.split(/[?#]/, 1)[0] === own) onChange(to)
      else window.open(addressBase() + to, '_blank', 'noopener')
    },
    [own, onChange],
  )
  return (
    <FigureBoundary>
      <Suspense fallback={<Skeleton height={320} />}>
        <FramedPage path={path} pattern={pattern} onNavigate={onNavigate}>
          <FigureContext value="form">
            <View />
          </FigureContext>
        </FramedPage>
      </Suspense>
    </FigureBoundary>
  )
}
