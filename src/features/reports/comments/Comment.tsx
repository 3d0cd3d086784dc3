import { ActionIcon, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { editComment, type ReportComment } from '#contract/report-comments.ts'
import { changeComment, removeComment } from '#src/api/report-comments.ts'
import { Markdown } from '#src/markdown/Markdown.tsx'
import { mentionHref } from '#src/markdown/mention-href.ts'
import { paths } from '#src/paths.ts'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { CommentForm } from './CommentForm.tsx'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'

export function Comment({ comment }: { comment: ReportComment }) {
  const { reportId } = useComments()
  const [isEditing, setIsEditing] = useState(false)
  const { id, author, text, createdAt, editedAt } = comment
  const removing = useMutation({ mutationFn: () => removeComment({ reportId, commentId: id }) })
  return (
    <section id={`comment-${id}`} className={classes.comment} aria-label={`Comment by ${author.name}`}>
      <div className={classes.byline}>
        <strong>{author.name}</strong>
        <span className={mutedText.small}>
          <RelativeTime at={createdAt} />
          {editedAt && text !== undefined && ', edited'}
        </span>
        {text !== undefined && (
          <CommentMenu comment={comment} onEdit={() => setIsEditing(true)} onDelete={() => removing.mutate()} />
        )}
      </div>
      {removing.error && <ErrorNotice title="The comment was not deleted" error={removing.error} />}
      {text === undefined ? (
        <p className={mutedText.smallNote}>This comment was deleted.</p>
      ) : isEditing ? (
        <CommentForm
          about={id}
          label="Edit comment"
          verb="Save"
          text={text}
          schema={editComment.body}
          send={(body) => changeComment({ reportId, commentId: id, ...body })}
          onDone={() => setIsEditing(false)}
        />
      ) : (
        <Markdown mentionHref={mentionHref}>{text}</Markdown>
      )}
    </section>
  )
}

type MenuProps = { comment: ReportComment; onEdit: () => void; onDelete: () => void }

function CommentMenu({ comment: { id, author }, onEdit, onDelete }: MenuProps) {
  const { reportId, person, isAdmin } = useComments()
  const clipboard = useClipboard({ timeout: 1500 })
  const isOwn = person?.id === author.id
  const ask = () =>
    confirm({
      title: 'Delete this comment?',
      lost: 'Its text is deleted for everyone. If it is the last comment of the thread, the thread is deleted too.',
      verb: 'Delete comment',
      onConfirm: onDelete,
    })
  return (
    <>
      {clipboard.copied && <output className={mutedText.small}>Link copied</output>}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Actions for the comment by ${author.name}`}>
            <IconDots size={14} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => clipboard.copy(new URL(paths.comment(reportId, id), window.location.href).href)}>
            Copy link
          </Menu.Item>
          {isOwn && <Menu.Item onClick={onEdit}>Edit</Menu.Item>}
          {(isOwn || (isAdmin && person !== null)) && (
            <Menu.Item className={classes.delete} onClick={ask}>
              Delete…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
