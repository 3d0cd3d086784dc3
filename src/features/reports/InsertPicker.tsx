import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import type { MarkdownInsert } from '#src/editor/insert-item.ts'
import { searchInserts } from './search-inserts.ts'
import { type PickedKind, pickedKinds } from './report-inserts.ts'
import { ReportPreview } from './ReportPreview.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import dialogFoot from '#src/ui/dialog-foot.module.css'
import formParts from '#src/ui/form-parts.module.css'
import classes from './InsertPicker.module.css'
import { PickerResults } from './PickerResults.tsx'

const labels: Record<PickedKind, string> = {
  chart: 'Chart',
  insight: 'Insight',
  run: 'Run',
  experiment: 'Experiment',
  person: 'Person',
}

const hints: Record<PickedKind, string> = {
  chart: 'Experiment or view, such as “roman heatmap”',
  insight: 'Name of an insight',
  run: 'Experiment, variant, prompt or error',
  experiment: 'Name or id',
  person: 'Name or email address',
}

const searchDelayMs = 150
const most = 30

type Props = { kind: PickedKind; onInsert: (item: MarkdownInsert) => void; onClose: () => void }

/** Finds a figure or a mention and shows how the report will show it, before it is inserted. */
export function InsertPicker({ kind: first, onInsert, onClose }: Props) {
  const [kind, setKind] = useState(first)
  const [words, setWords] = useState('')
  const [searched] = useDebouncedValue(words.trim(), searchDelayMs)
  const [place, setPlace] = useState(0)
  const found = useQuery({
    queryKey: ['report-picker', kind, searched],
    queryFn: () => searchInserts(`${kind}:${searched}`, most),
    placeholderData: keepPreviousData,
  })
  const items = found.data ?? []
  const chosenPlace = Math.max(0, Math.min(place, items.length - 1))
  const chosen = items[chosenPlace]
  const choose = (next: number) => setPlace(Math.max(0, Math.min(next, items.length - 1)))
  const isCurrent = searched === words.trim() && !found.isPlaceholderData
  const inserting = useMutation({
    // Who types and presses Enter at once gets the first match of what they typed.
    mutationFn: async () => (isCurrent ? chosen : (await searchInserts(`${kind}:${words.trim()}`, most))[0]),
    onSuccess(item) {
      if (!item) return
      onClose()
      onInsert(item)
    },
    networkMode: 'always',
  })
  const error = found.error ?? inserting.error
  const insert = (event: FormEvent) => {
    event.preventDefault()
    // Dialogs are portals, whose events bubble to the editor.
    event.stopPropagation()
    if (!inserting.isPending) inserting.mutate()
  }
  return (
    <Dialog opened onClose={onClose} title="Insert into report" size="min(1100px, 94vw)">
      <form className={formParts.form} onSubmit={insert} noValidate>
        <SegmentedControl
          size="xs"
          className={classes.kinds}
          aria-label="Kind"
          data={pickedKinds.map((value) => ({ value, label: labels[value] }))}
          value={kind}
          onChange={(value) => {
            setKind(value)
            choose(0)
          }}
        />
        <TextInput
          label="Search"
          placeholder={hints[kind]}
          value={words}
          data-autofocus
          onChange={(event) => {
            setWords(event.currentTarget.value)
            choose(0)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
            event.preventDefault()
            choose(chosenPlace + (event.key === 'ArrowDown' ? 1 : -1))
          }}
        />
        {error && <ErrorNotice title="The search failed" error={error} onRetry={() => void found.refetch()} />}
        <div className={classes.columns}>
          <PickerResults items={items} chosen={chosenPlace} isLoading={found.isFetching} onChoose={choose} />
          <section className={classes.preview} aria-label="Preview of the insert">
            {chosen && <ReportPreview key={chosen.text} body={chosen.text} />}
          </section>
        </div>
        <div className={dialogFoot.foot}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!chosen}>
            Insert
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
