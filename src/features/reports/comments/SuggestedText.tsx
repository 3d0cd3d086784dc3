import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { Suggestion } from '#contract/report-comments.ts'
import { limits } from '#contract/wire/limit.ts'
import { useMayWrite } from '#src/api/permissions.ts'
import { DiffView } from '#src/shared/report-diff/DiffView.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'

type Props = {
  threadId: string
  suggestion: Suggestion
  /** The paragraph as it is now; null if it is gone. */
  now: string | null
}

/** What a thread suggests, as differences, and the decision. */
export function SuggestedText({ threadId, suggestion: { original, replacement, decision }, now }: Props) {
  const { person, decide } = useComments()
  const mayWrite = useMayWrite()
  const [note, setNote] = useState<string | null>(null)
  const deciding = useMutation({
    mutationFn: (isAccepted: boolean) => decide({ threadId, isAccepted, ...(note?.trim() && { note }) }),
  })
  const isStale = decision === undefined && now !== original
  return (
    <div className={classes.suggestion}>
      <DiffView before={original} after={replacement} />
      {decision && (
        <p className={mutedText.smallNote}>
          {decision.isAccepted ? 'Accepted' : 'Declined'} by {decision.by.name} <RelativeTime at={decision.at} />
          {decision.note && `: ${decision.note}`}
        </p>
      )}
      {isStale && (
        <div className={mutedText.smallNote}>
          {now === null
            ? 'The paragraph is no longer in the report, so this suggestion can’t be accepted.'
            : 'The paragraph has changed since then, so this suggestion can’t be accepted. The paragraph is now:'}
          {now !== null && <DiffView before={original} after={now} />}
        </div>
      )}
      {deciding.error && <ErrorNotice title="Your decision was not saved" error={deciding.error} />}
      {!decision && person && mayWrite && note === null && (
        <div className={classes.actions}>
          {!isStale && (
            <Button
              size="compact-xs"
              loading={deciding.isPending && deciding.variables}
              onClick={() => deciding.mutate(true)}
            >
              Accept
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={() => setNote('')}>
            Decline…
          </Button>
        </div>
      )}
      {!decision && note !== null && (
        <div className={classes.form}>
          <Textarea
            label="Note (optional)"
            autosize
            maxLength={limits.comment}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <div className={classes.actions}>
            <Button size="compact-xs" loading={deciding.isPending} onClick={() => deciding.mutate(false)}>
              Decline
            </Button>
            <Button size="compact-xs" variant="subtle" onClick={() => setNote(null)}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
