import { type ReactNode, useState } from 'react'

import type { HeldPlace } from '#src/editor/held-places.ts'
import type { MarkdownInsert } from '#src/editor/insert-item.ts'
import { chooseImages } from './images/choose-images.ts'
import { InsertPicker } from './InsertPicker.tsx'
import { type PickedKind, reportInserts } from './report-inserts.ts'

type InsertDialogs = {
  /** The same list for the whole session, because the editor's menu is bound only once. */
  inserts: readonly MarkdownInsert[]
  /** The picker that entries of the list open. */
  picker: ReactNode
}

/** The entries of the insert menu with the dialogs that some of them open. */
export function useInsertDialogs(onImages: (files: readonly File[], place: HeldPlace) => void): InsertDialogs {
  const [picking, setPicking] = useState<{ kind: PickedKind; place: HeldPlace } | null>(null)
  const [inserts] = useState(() =>
    reportInserts({
      pick: (kind, place) => setPicking({ kind, place }),
      addImage: (place) => chooseImages((files) => onImages(files, place)),
    }),
  )
  const insert = ({ text, isBlock }: MarkdownInsert) => picking?.place.type(text, isBlock)
  return {
    inserts,
    picker: picking && <InsertPicker kind={picking.kind} onInsert={insert} onClose={() => setPicking(null)} />,
  }
}
