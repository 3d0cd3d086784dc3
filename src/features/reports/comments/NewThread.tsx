import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'

import { fingerprintOf } from '#contract/report-blocks/insight-blocks.ts'
import { anchorOf, type Paragraph } from '#contract/report-blocks/paragraphs.ts'
import { replyToThread } from '#contract/report-comments.ts'
import { CommentForm } from './CommentForm.tsx'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'
import { quotedWords } from './quoted-words.ts'
import { SuggestionForm } from './SuggestionForm.tsx'

/** A comment on a paragraph, or another text for it, that has not been sent. */
export function NewThread({ paragraph, onClose }: { paragraph: Paragraph; onClose: () => void }) {
  const { reportId, start } = useComments()
  const [kind, setKind] = useState('comment')
  return (
    <article className={classes.thread} data-selected aria-label="New comment">
      <p className={classes.quote}>{quotedWords(paragraph.text)}</p>
      <SegmentedControl
        size="xs"
        aria-label="Kind of comment"
        data={[
          { value: 'comment', label: 'Comment' },
          { value: 'suggestion', label: 'Suggest a text' },
        ]}
        value={kind}
        onChange={setKind}
      />
      {kind === 'suggestion' ? (
        <SuggestionForm paragraph={paragraph} onDone={onClose} />
      ) : (
        <CommentForm
          about={`${reportId} ${fingerprintOf(anchorOf(paragraph).quote)}`}
          label="Comment"
          verb="Comment"
          schema={replyToThread.body}
          send={(body) => start({ ...anchorOf(paragraph), ...body })}
          onDone={onClose}
        />
      )}
    </article>
  )
}
