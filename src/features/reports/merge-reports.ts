import { mergeField } from './merge/merge-field.ts'
import { type Conflict, mergeTexts } from './merge/merge-texts.ts'
import { type Resolution, resolveConflicts } from './merge/resolve-conflicts.ts'
import type { Fields, Stored } from './stored-report.ts'

/** A conflict in the title or description, which has no position in the text. */
type FieldConflict = { field: 'title' | 'description'; mine: string; theirs: string }

export type Conflicts = { texts: Conflict[]; fields: FieldConflict[] }

/** Merges others' changes of a report into mine. A field that both sides changed keeps my value. */
export function mergeReports(base: Fields, mine: Fields, theirs: Stored) {
  const merge = mergeTexts(base.body, mine.body, theirs.body)
  const title = mergeField(base.title, mine.title, theirs.title)
  const description = mergeField(base.description, mine.description, theirs.description)
  const fields: FieldConflict[] = [
    ...('value' in title ? [] : [{ field: 'title' as const, ...title }]),
    ...('value' in description ? [] : [{ field: 'description' as const, ...description }]),
  ]
  return {
    title: 'value' in title ? title.value : title.mine,
    description: 'value' in description ? description.value : description.mine,
    conflicts: { texts: merge.conflicts, fields },
    changesFor: (resolutions: readonly Resolution[]) => resolveConflicts(merge, resolutions),
  }
}
