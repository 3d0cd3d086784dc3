import { Button } from '@mantine/core'

import { Notice } from '#src/ui/Notice.tsx'

type Props = {
  moved: { theirs: string[]; both: string[] } | null
  labels: Record<string, string>
  /** What changed, such as "the policy". */
  what?: string
  onDiscard: () => void
}

/** What somebody else changed in the rules while this form was open. */
export function MovedPolicy({ moved, labels, what = 'the policy', onDiscard }: Props) {
  if (!moved) return null
  const namesOf = (fields: string[]) => fields.map((field) => labels[field] ?? field).join(', ')
  const { theirs, both } = moved
  return (
    <Notice title={`Someone else changed ${what} while you were editing.`}>
      {theirs.length > 0 && `Updated to their change: ${namesOf(theirs)}. `}
      {both.length > 0 &&
        `You and someone else changed: ${namesOf(both)}. Your value is still here; saving overwrites theirs. `}
      <Button variant="default" size="compact-sm" onClick={onDiscard}>
        Discard my edits
      </Button>
    </Notice>
  )
}
