import { reveal } from '#src/ui/reveal.ts'
import { Notice } from '#src/ui/Notice.tsx'

type Props = { from: number; to: number; hasChanges: boolean; onSeen: () => void }

/** Shown when the record changed while someone was editing. */
export function RecordChangedNotice({ from, to, hasChanges, onSeen }: Props) {
  if (from === to || !hasChanges) return null
  return (
    <div ref={reveal}>
      <Notice title={`The record changed (revision ${from} → ${to}) while you were editing.`} onClose={onSeen}>
        Your text is kept and compared with the current record. Check your changes before you submit them.
      </Notice>
    </div>
  )
}
