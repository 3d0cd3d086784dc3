import { Suspense, lazy, useState } from 'react'
import { Outlet } from 'react-router'

import { useQueryState } from '#src/url/use-query-state.ts'

const SubmitDialog = lazy(async () => ({ default: (await import('./SubmitDialog.tsx')).SubmitDialog }))

/** The pages of an experiment with the submit dialog over them. The dialog's code loads on first use. */
export function Component() {
  const isOpen = useQueryState().one('submit') !== ''
  const [isNeeded, setNeeded] = useState(isOpen)
  if (isOpen && !isNeeded) setNeeded(true)
  return (
    <>
      <Outlet />
      {isNeeded && (
        <Suspense>
          <SubmitDialog />
        </Suspense>
      )}
    </>
  )
}
