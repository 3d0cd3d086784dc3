import { anchorOf, type Paragraph } from '#contract/report-blocks/paragraphs.ts'
import { replyToThread } from '#contract/report-comments.ts'
import { CommentForm } from './CommentForm.tsx'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'

/** A comment on a paragraph that has not been sent. */
export function NewThread({ paragraph, onClose }: { paragraph: Paragraph; onClose: () => void }) {
  const { start } = useComments()
  return (
    <article className={classes.thread} data-selected aria-label="New comment">
      <p className={classes.quote}>{paragraph.text}</p>
      <CommentForm
        label="Comment"
        verb="Comment"
        schema={replyToThread.body}
        send={(body) => start({ ...anchorOf(paragraph), ...body })}
        onDone={onClose}
      />
    </article>
  )
}
