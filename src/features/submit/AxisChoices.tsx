import { Checkbox } from '@mantine/core'

import type { Experiment } from '#contract/experiments.ts'
import { type Chosen, choiceAxes, coverageOf, selectedVariants, toggleValue } from './selected-variants.ts'
import classes from './SubmitForm.module.css'

type Props = { experiment: Experiment; chosen: Chosen; onSelect: (chosen: Chosen) => void }

/** More values than this scroll, so that every axis stays in view. */
const maxUnscrolled = 10

/** A checkbox shows how many variants with its value are selected: all, some or none. */
export function AxisChoices({ experiment: { axes, variants }, chosen, onSelect }: Props) {
  const selected = new Set(selectedVariants(variants, chosen))
  const promptRanks = placesOfPrompts(axes, variants)
  return (
    <div className={classes.axes}>
      <p className={classes.hint}>Each value selects or deselects all its variants.</p>
      {choiceAxes
        .filter(({ axis }) => axes[axis].length > 0)
        .map(({ field, axis, label }) => {
          const existing = new Set(variants.map((variant) => variant[field]))
          const values = axes[axis].filter((value) => existing.has(value))
          const coverage = coverageOf(variants, selected, field)
          return (
            <fieldset key={axis} className={classes.axis}>
              <legend>{label}</legend>
              <div className={classes.values} data-long={values.length > maxUnscrolled || undefined}>
                {values.map((value) => (
                  <Checkbox
                    key={value}
                    size="xs"
                    label={value}
                    description={axis === 'prompts' ? promptRanks(value) : undefined}
                    checked={coverage(value) === 'all'}
                    indeterminate={coverage(value) === 'some'}
                    onChange={() => onSelect(toggleValue(variants, chosen, { field, value }))}
                  />
                ))}
              </div>
            </fieldset>
          )
        })}
    </div>
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
