import { CloseButton } from '@mantine/core'

import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'
import { NewThread } from './NewThread.tsx'
import type { PlacedThread } from './place-threads.ts'
import { Thread } from './Thread.tsx'

/** The threads of the report beside its text, or on narrow screens over its lower half. */
export function CommentPanel() {
  const { placed, commented, comment, close, person, error } = useComments()
  const open = placed.filter(({ thread }) => !thread.resolved)
  const resolved = placed.filter(({ thread }) => thread.resolved)
  const [here, gone] = [open.filter(({ place }) => place !== null), open.filter(({ place }) => place === null)]
  return (
    <aside className={classes.panel} aria-label="Comments">
      <div className={classes.panelHead}>
        <h2>Comments</h2>
        <CloseButton aria-label="Close comments" onClick={close} />
      </div>
      {error && <ErrorNotice title="Comments could not be loaded" error={error} />}
      {commented && <NewThread key={commented.text} paragraph={commented} onClose={() => comment(null)} />}
      {placed.length === 0 && !commented && !error && (
        <p className={mutedText.smallNote}>
          {person
            ? 'Nobody has commented yet. Use the button beside a paragraph to comment on it.'
            : 'Nobody has commented yet. You are signed in with an organization key. Sign in with a personal key to comment.'}
        </p>
      )}
      <Threads placed={here} />
      {gone.length > 0 && <h3 className={classes.part}>On deleted text</h3>}
      <Threads placed={gone} />
      {resolved.length > 0 && (
        <details className={classes.resolved}>
          <summary>Resolved ({resolved.length})</summary>
          <Threads placed={resolved} />
        </details>
      )}
    </aside>
  )
}

const Threads = ({ placed }: { placed: readonly PlacedThread[] }) =>
  placed.map((each) => <Thread key={each.thread.id} {...each} />)
