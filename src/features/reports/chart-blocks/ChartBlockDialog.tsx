import { Button, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core'
import { QueryClientProvider, useMutation } from '@tanstack/react-query'
import { type FormEvent, use, useId, useState } from 'react'

import {
  ChartAlign,
  type ChartBlock,
  ChartBlock as ChartBlockSchema,
  chartBlockLimits,
  ChartSize,
  toPagePath,
} from '#contract/report-blocks/chart-blocks.ts'
import { splitOrganizationPath } from '#contract/organization-path.ts'
import { EditablePage } from '#src/shared/figures/EditablePage.tsx'
import { FigurePagesContext, findFigurePage } from '#src/shared/figures/figure-pages.ts'
import { PageFigure } from '#src/shared/figures/PageFigure.tsx'
import { usePinnedFigure } from '#src/shared/figures/pinned/use-pinned-figure.ts'
import { useRecorder } from '#src/shared/figures/pinned/use-recorder.ts'
import { calendarDay } from '#src/format/dates.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import dialogFoot from '#src/ui/dialog-foot.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import formParts from '#src/ui/form-parts.module.css'
import classes from './ChartFigure.module.css'
import { PinnedBody } from './PinnedBody.tsx'

const sizes = [
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'full', label: 'Full width' },
]

const alignments = [
  { value: 'left', label: 'Left' },
  { value: 'center', label: 'Center' },
  { value: 'right', label: 'Right' },
]

type Props = { block: ChartBlock; onSave: (block: ChartBlock) => void; onClose: () => void }

/** Edits a figure: its texts, its place, and its view with the controls of the page it comes from. */
export function ChartBlockDialog({ block, onSave, onClose }: Props) {
  const [draft, setDraft] = useState(block)
  const page = findFigurePage(use(FigurePagesContext), draft.page)
  const recorder = useRecorder()
  const pinning = useMutation({
    mutationFn: () => recorder.pin(draft.page),
    onSuccess: (pinned) => change({ pinned }),
  })
  const change = (part: Partial<ChartBlock>) => setDraft((before) => ({ ...before, ...part }))
  const { success: isValid } = ChartBlockSchema.safeParse(draft)
  const save = (event: FormEvent) => {
    event.preventDefault()
    // Dialogs are portals, whose events bubble to the figure's own ancestors.
    event.stopPropagation()
    onSave(draft)
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title="Edit figure" size="min(1100px, 94vw)">
      <form className={formParts.form} onSubmit={save} noValidate>
        <TextInput
          label="Title"
          maxLength={chartBlockLimits.title}
          value={draft.title ?? ''}
          onChange={(event) => change({ title: event.currentTarget.value })}
          data-autofocus
        />
        <Textarea
          label="Caption"
          description="Optional. Tell readers what to notice."
          autosize
          maxLength={chartBlockLimits.caption}
          value={draft.caption ?? ''}
          onChange={(event) => change({ caption: event.currentTarget.value })}
        />
        <div className={classes.options}>
          <Choice
            label="Size"
            data={sizes}
            value={draft.size}
            onChange={(size) => change({ size: ChartSize.parse(size) })}
          />
          <Choice
            label="Alignment"
            data={alignments}
            value={draft.align}
            disabled={draft.size === 'full'}
            onChange={(align) => change({ align: ChartAlign.parse(align) })}
          />
        </div>
        <Switch
          label="Pinned"
          description="Keeps the data from when you pin it. Readers see the date, and a notice if the live data has changed. To change the view, unpin the figure."
          checked={draft.pinned !== undefined}
          disabled={!page || pinning.isPending}
          onChange={(event) => (event.currentTarget.checked ? pinning.mutate() : change({ pinned: undefined }))}
        />
        {pinning.error && <ErrorNotice title="The figure was not pinned" error={pinning.error} />}
        <TextInput
          label="View URL"
          disabled={draft.pinned !== undefined || pinning.isPending}
          description="Changes with the controls below. You can also paste the URL of another view, query, turn or changed file."
          value={draft.page}
          error={page ? undefined : 'A report can’t show this page.'}
          onChange={(event) => change({ page: toPage(event.currentTarget.value) })}
        />
        {page && (
          <fieldset className={classes.view}>
            <legend className={classes.legend}>View</legend>
            {draft.pinned !== undefined ? (
              <PinnedView page={draft.page} figureId={draft.pinned} />
            ) : (
              <QueryClientProvider client={recorder}>
                {page.hasControls ? (
                  <EditablePage path={draft.page} page={page} onChange={(path) => change({ page: toPagePath(path) })} />
                ) : (
                  <PageFigure path={draft.page} />
                )}
              </QueryClientProvider>
            )}
          </fieldset>
        )}
        <div className={dialogFoot.foot}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!page || !isValid || pinning.isPending}>
            Update figure
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function PinnedView({ page, figureId }: { page: string; figureId: string }) {
  const pinned = usePinnedFigure(figureId, { isNear: true, isDrawn: false })
  return (
    <>
      {pinned.figure && <p className={mutedText.small}>Pinned {calendarDay(pinned.figure.pinnedAt)}</p>}
      <PinnedBody page={page} pinned={pinned} />
    </>
  )
}

type ChoiceProps = {
  label: string
  data: { value: string; label: string }[]
  value: string
  disabled?: boolean
  onChange: (value: string) => void
}

function Choice({ label, ...control }: ChoiceProps) {
  const id = useId()
  return (
    <div>
      <div id={id} className={classes.label}>
        {label}
      </div>
      <SegmentedControl size="xs" aria-labelledby={id} {...control} />
    </div>
  )
}

/** People paste whole addresses, with the host and the organization. */
function toPage(text: string) {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return toPagePath(trimmed)
  const { origin, pathname, search, hash } = new URL(trimmed)
  return origin === window.location.origin ? toPagePath(splitOrganizationPath(pathname).rest + search + hash) : trimmed
}
