import { useEffect } from 'react'

import { counted } from '#src/format/numbers.ts'
import { Notice } from './Notice.tsx'

const refreshMs = 2500

type Props = { count: number; refresh: () => void }

/** Says that finished runs are missing from the page, and reloads the data until they are included. */
export function PendingRuns({ count, refresh }: Props) {
  const isPending = count > 0
  // A timer: the server waits briefly for missing runs and then returns how many remain.
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(() => !document.hidden && refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [isPending, refresh])
  if (!isPending) return null
  const missing = `${counted(count, 'run')} ${count === 1 ? 'is' : 'are'} not included yet.`
  return <Notice title={missing}>This page updates by itself.</Notice>
}
