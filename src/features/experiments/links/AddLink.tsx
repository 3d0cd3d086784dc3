import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { NewResource } from '#contract/resources.ts'
import { addLinks } from '#src/api/resources.ts'
import { LinkForm } from './LinkForm.tsx'

/** Adds one link, then stands ready for the next. */
export function AddLink({ experimentId, onClose }: { experimentId: string; onClose: () => void }) {
  const [addedCount, setAddedCount] = useState(0)
  const adding = useMutation({
    mutationFn: (link: NewResource) => addLinks(experimentId, [link]),
    onSuccess: () => setAddedCount((count) => count + 1),
  })
  return (
    <LinkForm
      key={addedCount}
      label="Add link"
      verb="Add"
      start={{ title: '', url: '' }}
      error={adding.error}
      pending={adding.isPending}
      onSubmit={(link) => adding.mutate(link)}
      onCancel={onClose}
    />
  )
}
