import { Button } from '@mantine/core'

import type { MarkdownHandle } from '#src/editor/MarkdownEditor.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Draft } from './report-draft.ts'
import type { ReportSession } from './report-session.ts'
import { removeDraft } from './remove-draft.ts'

type Props = { draft: Draft; session: ReportSession; editor: MarkdownHandle; onClose: () => void }

/** Shown when the report was opened with an unsaved draft. */
export function RestoredNotice({ draft, session, editor, onClose }: Props) {
  const discard = () => {
    const { title, description, changes } = removeDraft(draft, session.current().fields)
    session.write({ title, description })
    // Goes through the editor, so that undo restores the text.
    editor.change(changes)
    onClose()
  }
  return (
    <Notice title="Restored your unsaved draft." onClose={onClose}>
      From <RelativeTime at={draft.savedAt} />.{' '}
      <Button size="compact-xs" variant="default" onClick={discard}>
        Discard draft
      </Button>
    </Notice>
  )
}
