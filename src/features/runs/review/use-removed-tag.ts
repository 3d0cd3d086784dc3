import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { putLabel } from '#src/api/labels.ts'
import { queryClient } from '#src/api/query-client.ts'
import { reviewOptions } from '#src/api/reviews.ts'
import type { RunFilters } from '#src/api/runs.ts'

type RemovedTag = { runId: string; runName: string; tag: string }

/** Changes of tags happen one after the other: a key that is pressed meanwhile waits, and sees the labels after this one. */
export const tagChanges = { id: 'tag-keys' }

/** The tag that a key removed last. The reader can add it again, also from another run, until the next change of a tag. */
export function useRemovedTag(filters: RunFilters) {
  const [removed, setRemoved] = useState<RemovedTag | null>(null)
  const adding = useMutation({
    scope: tagChanges,
    mutationFn: async ({ runId, tag }: RemovedTag) => {
      await putLabel({ id: runId, kind: 'tag', text: tag })
      await queryClient.invalidateQueries(reviewOptions(filters))
    },
    onSuccess: () => setRemoved(null),
  })
  return {
    removed,
    /** Null after a tag was added. */
    setRemoved(tag: RemovedTag | null) {
      adding.reset()
      setRemoved(tag)
    },
    undo: () => removed !== null && !adding.isPending && adding.mutate(removed),
    error: adding.error,
    isPending: adding.isPending,
  }
}

export type TagRemoval = ReturnType<typeof useRemovedTag>
