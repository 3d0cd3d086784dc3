import { IconMessage, IconMessagePlus } from '@tabler/icons-react'

import type { SourceRange } from '#src/markdown/ReportMarkdown.tsx'
import { counted } from '#src/format/numbers.ts'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'
import { InitialsHere } from './PeopleHere.tsx'

/** For `renderMargin`: always the same function, so that comments do not draw the report again. */
export const renderMark = (place: SourceRange) => <ParagraphMark place={place} />

/** Beside a block: its comments, and a button to comment on it. */
function ParagraphMark({ place: { from, to } }: { place: SourceRange }) {
  const { placed, paragraphs, people, person, isOpen, selected, select, commented, comment } = useComments()
  const isHere = (paragraph: { from: number; to: number } | null) =>
    paragraph !== null && paragraph.from < to && paragraph.to > from
  const open = placed.filter(({ thread, place }) => !thread.resolved && isHere(place))
  const shown = open.find(({ thread }) => thread.id === selected) ?? open[0]
  const count = open.reduce((sum, { thread }) => sum + thread.comments.length, 0)
  const paragraph = paragraphs.find(isHere)
  const isSelected = isHere(commented) || placed.some(({ thread, place }) => thread.id === selected && isHere(place))
  return (
    <span
      className={classes.margin}
      data-margin=""
      data-open={isOpen}
      data-selected={isSelected}
      ref={isSelected ? bringIntoView : null}
    >
      <InitialsHere people={people.filter(({ place }) => isHere(place))} />
      {shown && (
        <button
          type="button"
          className={classes.mark}
          aria-label={`${counted(count, 'comment')} on this paragraph`}
          onClick={() => select(shown.thread.id)}
        >
          <IconMessage size={14} aria-hidden />
          {count}
        </button>
      )}
      {person && paragraph && (
        <button
          type="button"
          className={classes.add}
          aria-label="Comment on this paragraph"
          title="Comment on this paragraph"
          onClick={() => comment(paragraph)}
        >
          <IconMessagePlus size={14} aria-hidden />
        </button>
      )}
    </span>
  )
}

/** The block of a thread that was just selected. */
const bringIntoView = (mark: HTMLElement | null) =>
  mark?.parentElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
