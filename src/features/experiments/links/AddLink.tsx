import { useState } from 'react'

import { addLink } from '#src/api/resources.ts'
import { LinkForm } from './LinkForm.tsx'

/** Adds one link, then is empty for the next one. */
export function AddLink({ experimentId, onClose }: { experimentId: string; onClose: () => void }) {
  const [addedCount, setAddedCount] = useState(0)
  return (
    <LinkForm
      key={addedCount}
      label="Add link"
      verb="Add"
      start={{ title: '', url: '' }}
      send={(link) => addLink(experimentId, link)}
      onSent={() => setAddedCount((count) => count + 1)}
      onCancel={onClose}
    />
  )
}
