import { Button } from '@mantine/core'

import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './QueryPage.module.css'
import type { SqlDraftState } from './use-sql-draft.ts'

/** Says that a draft was restored or can be restored. */
export function DraftNotice({
  draft: { draft, waiting, isRestored, isKept, bringBack, discard },
}: {
  draft: SqlDraftState
}) {
  if (!isKept)
    return <p className={mutedText.note}>Drafts can’t be saved in this browser. Run the query or copy your text.</p>
  const shown = isRestored ? draft : waiting
  if (!shown) return null
  return (
    <section className={classes.draft} aria-label="Draft">
      <span>
        {isRestored ? 'Restored your unsaved draft from' : 'You have an unsaved draft from'}{' '}
        <RelativeTime at={shown.at} />.
      </span>
      {waiting && (
        <Button size="compact-xs" variant="subtle" onClick={bringBack}>
          Restore draft
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" onClick={discard}>
        Discard draft
      </Button>
    </section>
  )
}
