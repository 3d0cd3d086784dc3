import { Checkbox } from '@mantine/core'

import type { Experiment } from '#contract/experiments.ts'
import mutedText from '#src/ui/muted-text.module.css'
import {
  type Chosen,
  choiceAxes,
  type Coverage,
  coverageOf,
  selectedVariants,
  toggleValue,
} from './selected-variants.ts'
import classes from './SubmitForm.module.css'
import { useShortList } from './use-short-list.tsx'

type Props = { experiment: Experiment; chosen: Chosen; onSelect: (chosen: Chosen) => void }

/** More values than this scroll, so that every axis stays in view. */
const maxUnscrolled = 10

/** A checkbox shows how many variants with its value are selected: all, some or none. */
export function AxisChoices({ experiment: { axes, variants }, chosen, onSelect }: Props) {
  const selected = new Set(selectedVariants(variants, chosen))
  const promptRanks = placesOfPrompts(axes, variants)
  return (
    <div className={classes.axes}>
      <p className={mutedText.intro}>Each value selects or deselects all its variants.</p>
      {choiceAxes
        .filter(({ axis }) => axes[axis].length > 0)
        .map(({ field, axis, label }) => {
          const existing = new Set(variants.map((variant) => variant[field]))
          const values = axes[axis].filter((value) => existing.has(value))
          const coverage = coverageOf(variants, selected, field)
          return (
            <ValuesOfAxis
              key={axis}
              label={label}
              values={values}
              coverage={coverage}
              descriptionOf={(value) => (axis === 'prompts' ? promptRanks(value) : undefined)}
              onToggle={(value) => onSelect(toggleValue(variants, chosen, { field, value }))}
            />
          )
        })}
    </div>
  )
}

type ValuesProps = {
  label: string
  values: readonly string[]
  coverage: (value: string) => Coverage
  descriptionOf: (value: string) => string | undefined
  onToggle: (value: string) => void
}

function ValuesOfAxis({ label, values, coverage, descriptionOf, onToggle }: ValuesProps) {
  const { shown, search, rest } = useShortList(values, (value) => value, label.toLowerCase())
  return (
    <fieldset className={classes.axis}>
      <legend>{label}</legend>
      {search}
      <div className={classes.values} data-long={values.length > maxUnscrolled || undefined}>
        {shown.map((value) => (
          <Checkbox
            key={value}
            size="xs"
            label={value}
            description={descriptionOf(value)}
            checked={coverage(value) === 'all'}
            indeterminate={coverage(value) === 'some'}
            onChange={() => onToggle(value)}
          />
        ))}
        {rest}
      </div>
    </fieldset>
  )
}

/**
 * Says where a prompt runs if it runs in only one of several environments. An environment named like its prompt needs
 * no note.
 */
function placesOfPrompts(axes: Experiment['axes'], variants: Experiment['variants']) {
  const places = Map.groupBy(variants, ({ prompt }) => prompt)
  return (prompt: string) => {
    const names = new Set(places.get(prompt)?.map(({ environment }) => environment))
    const [only] = names
    return axes.environments.length > 1 && names.size === 1 && only !== prompt ? `only in ${only}` : undefined
  }
}
