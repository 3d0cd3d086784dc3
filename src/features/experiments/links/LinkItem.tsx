import { useCallback, useRef, useState } from 'react'

import type { ExperimentResource } from '#contract/resources.ts'
import { changeLink } from '#src/api/resources.ts'
import { LinkForm } from './LinkForm.tsx'
import { LinkRow } from './LinkRow.tsx'
import { scheduleRemoval, undoRemoval, useRemovals } from './removals.ts'

/** A link, or the form that changes it in its place. */
export function LinkItem({ experimentId, link }: { experimentId: string; link: ExperimentResource }) {
  const [isEdited, setIsEdited] = useState(false)
  const returns = useRef(false)
  const removal = useRemovals().get(link.id)
  const leave = () => {
    returns.current = true
    setIsEdited(false)
  }
  // Closing the form would lose the focus, so it returns to the button that opened the form.
  const editRef = useCallback((button: HTMLButtonElement | null) => {
    if (returns.current) button?.focus()
    returns.current = false
  }, [])
  if (isEdited)
    return (
      <LinkForm
        label={`Edit ${link.title}`}
        verb="Save"
        start={{ title: link.title, url: link.url }}
        send={(change) => changeLink(experimentId, link.id, change)}
        onSent={leave}
        onCancel={leave}
      />
    )
  return (
    <LinkRow
      link={link}
      removal={removal}
      editRef={editRef}
      onEdit={() => setIsEdited(true)}
      onRemove={() => scheduleRemoval(experimentId, link.id)}
      onUndo={() => undoRemoval(link.id)}
    />
  )
}
