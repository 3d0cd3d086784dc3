import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'

import { seconds } from '#src/format/durations.ts'
import mutedText from '#src/ui/muted-text.module.css'

const tickMs = 100
/** Most queries finish before anyone would want to cancel them. */
const patienceMs = 400

/** Shows how long the query has been running, with a cancel button. */
export function RunningQuery({ onCancel }: { onCancel: () => void }) {
  const [began] = useState(() => performance.now())
  const [passedMs, setPassed] = useState(0)
  // Browser API: a timer.
  useEffect(() => {
    const timer = setInterval(() => setPassed(performance.now() - began), tickMs)
    return () => clearInterval(timer)
  }, [began])
  if (passedMs < patienceMs) return null
  return (
    <>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <span className={mutedText.note} role="timer">
        running for {seconds(Math.floor(passedMs / tickMs) / 10)}
      </span>
    </>
  )
}
