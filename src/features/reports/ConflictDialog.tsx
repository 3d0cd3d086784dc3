import { Button, SegmentedControl, Textarea } from '@mantine/core'
import { useState } from 'react'

import dialogFoot from '#src/ui/dialog-foot.module.css'
import { Dialog } from '#src/ui/Dialog.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './ConflictDialog.module.css'
import type { Conflict } from './merge/merge-texts.ts'
import { resolvedText } from './merge/resolve-conflicts.ts'
import type { ReportSession } from './report-session.ts'

type Choice = { chosen: 'mine' | 'theirs' | 'both' | 'own'; own: string }

const options = [
  { value: 'mine', label: 'Yours' },
  { value: 'theirs', label: 'Theirs' },
  { value: 'both', label: 'Both' },
  { value: 'own', label: 'Edit' },
]

/** Shows each paragraph that both sides changed: the original, theirs and yours. Closing the dialog changes nothing. */
export function ConflictDialog({ session, onClose }: { session: ReportSession; onClose: () => void }) {
  // Taken when the dialog opened; the text can't be edited while it is open.
  const [{ texts, fields }] = useState(() => session.conflicts())
  const [choices, setChoices] = useState<Choice[]>(() => texts.map(({ mine }) => ({ chosen: 'both', own: mine })))
  const [theirFields, setTheirFields] = useState<Record<string, boolean>>({})
  const change = (at: number, part: Partial<Choice>) =>
    setChoices((all) => all.map((choice, index) => (index === at ? { ...choice, ...part } : choice)))
  const finish = () => {
    session.resolve(
      choices.map(({ chosen, own }) => (chosen === 'own' ? { text: own } : chosen)),
      Object.fromEntries(fields.filter(({ field }) => theirFields[field]).map(({ field, theirs }) => [field, theirs])),
    )
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title="Resolve conflict" size="xl">
      {fields.map(({ field, mine, theirs }) => (
        <fieldset key={field} className={classes.conflict}>
          <legend>{field === 'title' ? 'Title' : 'Description'}</legend>
          <SegmentedControl
            size="xs"
            aria-label={`Version of the ${field} to keep`}
            data={options.slice(0, 2)}
            value={theirFields[field] ? 'theirs' : 'mine'}
            onChange={(value) => setTheirFields((all) => ({ ...all, [field]: value === 'theirs' }))}
          />
          <pre className={classes.version}>{theirFields[field] ? theirs : mine}</pre>
        </fieldset>
      ))}
      {texts.map((conflict, at) => (
        <ParagraphConflict
          // Conflicts are read once and keep their order.
          key={conflict.from}
          number={at + 1}
          count={texts.length}
          conflict={conflict}
          choice={choices[at] ?? { chosen: 'both', own: conflict.mine }}
          onChange={(part) => change(at, part)}
        />
      ))}
      <div className={dialogFoot.foot}>
        <Button variant="default" onClick={onClose}>
          Not now
        </Button>
        <Button onClick={finish}>Save resolution</Button>
      </div>
    </Dialog>
  )
}

type ParagraphProps = {
  number: number
  count: number
  conflict: Conflict
  choice: Choice
  onChange: (part: Partial<Choice>) => void
}

function ParagraphConflict({ number, count, conflict, choice, onChange }: ParagraphProps) {
  const result = choice.chosen === 'own' ? choice.own : resolvedText(conflict, choice.chosen)
  return (
    <fieldset className={classes.conflict}>
      <legend>{`Paragraph ${number} of ${count}`}</legend>
      <div className={classes.versions}>
        {(['base', 'theirs', 'mine'] as const).map((side) => (
          <div key={side}>
            <span className={mutedText.small}>{{ base: 'Original', theirs: 'Theirs', mine: 'Yours' }[side]}</span>
            <pre className={classes.version}>{conflict[side].trim() === '' ? '(nothing)' : conflict[side]}</pre>
          </div>
        ))}
      </div>
      <SegmentedControl
        size="xs"
        aria-label={`Version of paragraph ${number} to keep`}
        data={options}
        value={choice.chosen}
        onChange={(value) => onChange({ chosen: value as Choice['chosen'], own: result })}
      />
      <Textarea
        aria-label={`Resolved text of paragraph ${number}`}
        autosize
        minRows={2}
        classNames={{ input: classes.ownText }}
        value={result}
        onChange={(event) => onChange({ chosen: 'own', own: event.currentTarget.value })}
      />
    </fieldset>
  )
}
