import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
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
import { EditablePage } from '#src/figures/EditablePage.tsx'
import { FigurePagesContext, findFigurePage } from '#src/figures/figure-pages.ts'
import { PageFigure } from '#src/figures/PageFigure.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import dialogFoot from '#src/ui/dialog-foot.module.css'
import classes from './ChartFigure.module.css'

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
      <form className={classes.form} onSubmit={save} noValidate>
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
        <TextInput
          label="View URL"
          description="Changes with the controls below. You can also paste the URL of another view, query, turn or changed file."
          value={draft.page}
          error={page ? undefined : 'A report can’t show this page.'}
          onChange={(event) => change({ page: toPage(event.currentTarget.value) })}
        />
        {page && (
          <fieldset className={classes.view}>
            <legend className={classes.legend}>View</legend>
            {page.hasControls ? (
              <EditablePage path={draft.page} page={page} onChange={(path) => change({ page: toPagePath(path) })} />
            ) : (
              <PageFigure path={draft.page} />
            )}
          </fieldset>
        )}
        <div className={dialogFoot.foot}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!page || !isValid}>
            Update figure
          </Button>
        </div>
      </form>
    </Dialog>
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
