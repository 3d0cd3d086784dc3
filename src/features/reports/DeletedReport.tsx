import { DeletedNotice } from './DeletedNotice.tsx'
import type { Draft } from './report-draft.ts'

/** A report that is gone, of which this browser still holds what its reader had written. */
export function DeletedReport({ draft, onSaved }: { draft: Draft; onSaved: () => void }) {
  const { title, body } = draft
  return (
    <>
      <title>{`${title || 'Report'} · Assay`}</title>
      <DeletedNotice fields={draft} onSaved={onSaved} />
      <h1>{title}</h1>
      <pre>{body}</pre>
    </>
  )
}
