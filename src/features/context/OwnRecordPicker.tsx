import { suggestionPagesOptions } from '#src/api/context-suggestions.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { RecordPicker } from './RecordPicker.tsx'

/** Offers the records of the reader's own suggestions. */
export function OwnRecordPicker() {
  const { rows } = useInfiniteList(suggestionPagesOptions({ pendingOnly: false }))
  return <RecordPicker suggestions={rows ?? []} />
}
