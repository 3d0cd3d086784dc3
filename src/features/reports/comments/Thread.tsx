import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { replyToThread } from '#contract/report-comments.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { addReply, setResolved } from '#src/api/report-comments.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { Comment } from './Comment.tsx'
import { CommentForm } from './CommentForm.tsx'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'
import { quotedWords } from './quoted-words.ts'
import { SuggestedText } from './SuggestedText.tsx'
import type { PlacedThread } from './place-threads.ts'

export function Thread({ thread, place }: PlacedThread) {
  const { reportId, person, selected, select } = useComments()
  const [isReplying, setIsReplying] = useState(false)
  const { id, quote, comments, resolved, suggestion } = thread
  const resolving = useMutation({
    mutationFn: (isResolved: boolean) => setResolved({ reportId, threadId: id, isResolved }),
    // So that the panel does not scroll to it under Resolved.
    onMutate: () => select(null),
  })
  const isSelected = selected === id
  const words = quotedWords(place?.text ?? quote)
  return (
    <article
      className={classes.thread}
      data-selected={isSelected}
      ref={isSelected ? bringIntoView : null}
      aria-label={`Comments on “${words.slice(0, 60)}”`}
    >
      {place ? (
        <button type="button" className={classes.quote} onClick={() => select(id)} title="Show in the text">
          {words}
        </button>
      ) : (
        <p className={classes.quote}>{words}</p>
      )}
      {suggestion && <SuggestedText threadId={id} suggestion={suggestion} now={place?.text ?? null} />}
      {comments.map((comment) => (
        <Comment key={comment.id} comment={comment} />
      ))}
      {resolved && (
        <p className={mutedText.smallNote}>
          Resolved by {resolved.by.name} <RelativeTime at={resolved.at} />
        </p>
      )}
      {resolving.error && <ErrorNotice title="The thread was not changed" error={resolving.error} />}
      {isReplying ? (
        <CommentForm
          about={`in ${id}`}
          label="Reply"
          verb="Reply"
          schema={replyToThread.body}
          send={(body) => addReply({ reportId, threadId: id, ...body })}
          onDone={() => setIsReplying(false)}
        />
      ) : (
        person && (
          <div className={classes.actions}>
            <Button size="compact-xs" variant="default" onClick={() => setIsReplying(true)}>
              Reply
            </Button>
            <ForWriters>
              <Button
                size="compact-xs"
                variant="subtle"
                loading={resolving.isPending}
                onClick={() => resolving.mutate(!resolved)}
              >
                {resolved ? 'Reopen' : 'Resolve'}
              </Button>
            </ForWriters>
          </div>
        )
      )}
    </article>
  )
}

const bringIntoView = (thread: HTMLElement | null) => {
  const details = thread?.closest('details')
  if (details) details.open = true
  thread?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}
