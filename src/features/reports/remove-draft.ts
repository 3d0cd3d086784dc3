import { type Hunk, hunksBetween } from '#src/editor/text-hunks.ts'
import { mapPosition } from './merge/changes.ts'
import type { Draft } from './report-draft.ts'
import type { Fields } from './stored-report.ts'

/**
 * The changes that remove a restored draft from a report. Text that anyone wrote since stays, even inside the draft's
 * own text.
 */
export function removeDraft({ base, ...draft }: Draft, fields: Fields) {
  const before = (name: 'title' | 'description') => (fields[name] === draft[name] ? base[name] : fields[name])
  const since = hunksBetween(draft.body, fields.body)
  const changes = hunksBetween(draft.body, base.body)
    .flatMap((hunk) => partsAround(hunk, since))
    .map(({ from, to, insert }) => {
      const start = mapPosition(from, since, 'after')
      return { from: start, to: Math.max(start, mapPosition(to, since, 'before')), insert }
    })
  return { title: before('title'), description: before('description'), changes }
}

/** Splits a change so that it spares text written inside it since. */
function partsAround(hunk: Hunk, since: readonly Hunk[]): Hunk[] {
  const parts: Hunk[] = []
  let { from, insert } = hunk
  for (const inner of since.filter((other) => other.from < hunk.to && other.to > hunk.from)) {
    parts.push({ from, to: Math.max(from, inner.from), insert })
    from = Math.max(from, Math.min(inner.to, hunk.to))
    insert = ''
  }
  return [...parts, { from, to: hunk.to, insert }]
}
