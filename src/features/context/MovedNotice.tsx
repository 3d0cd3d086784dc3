import { reveal } from '#src/ui/reveal.ts'
import { Notice } from '#src/ui/Notice.tsx'

type Props = { from: number; to: number; hasChanges: boolean; onSeen: () => void }

/** The record became another while somebody wrote. */
export function MovedNotice({ from, to, hasChanges, onSeen }: Props) {
  if (from === to || !hasChanges) return null
  return (
    <div ref={reveal}>
      <Notice title={`The record moved from revision ${from} to ${to} since you began.`} onClose={onSeen}>
        Your text is kept, and shown against what the record says now. Read your changes again before you submit them.
      </Notice>
    </div>
  )
}
