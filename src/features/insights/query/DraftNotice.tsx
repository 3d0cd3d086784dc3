import { Button } from '@mantine/core'

import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import classes from './QueryPage.module.css'
import type { SqlDraftState } from './use-sql-draft.ts'

/** That the editor holds, or could hold, what was written before. */
export function DraftNotice({
  draft: { draft, waiting, isRestored, isKept, bringBack, discard },
}: {
  draft: SqlDraftState
}) {
  if (!isKept) return <p className={classes.quiet}>This browser can keep no draft: copy what you write, or run it.</p>
  const shown = isRestored ? draft : waiting
  if (!shown) return null
  return (
    <section className={classes.draft} aria-label="Draft">
      <span>
        {isRestored ? 'Written and not run yet' : 'You wrote another statement here and did not run it'},{' '}
        <RelativeTime at={shown.at} />.
      </span>
      {waiting && (
        <Button size="compact-xs" variant="subtle" onClick={bringBack}>
          Bring it back
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" onClick={discard}>
        {isRestored ? 'Start over' : 'Discard it'}
      </Button>
    </section>
  )
}
