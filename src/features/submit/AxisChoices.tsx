import { Checkbox } from '@mantine/core'

import type { Experiment } from '#contract/experiments.ts'
import { type AxisSelector, type Selectors, axisSelectors, isWholeMatrix, reachOf } from './selected-variants.ts'
import classes from './SubmitForm.module.css'

type Props = {
  experiment: Experiment
  selectors: Selectors
  onToggle: (name: AxisSelector, value: string) => void
}

/** A value is chosen, reached in part or whole through others, or not at all. */
export function AxisChoices({ experiment, selectors, onToggle }: Props) {
  const isWhole = isWholeMatrix(selectors)
  return (
    <div className={classes.axes}>
      <p className={classes.hint}>
        A variant runs when it matches <b>any</b> value chosen. Nothing chosen: the whole matrix.
      </p>
      {axisSelectors
        .filter(({ axis }) => experiment.axes[axis].length > 0)
        .map(({ name, field, axis, label }) => (
          <fieldset key={name} className={classes.axis}>
            <legend>{label}</legend>
            {experiment.axes[axis].map((value) => {
              const isChosen = selectors[name].includes(value)
              const isReached =
                !isWhole && !isChosen && reachOf(experiment.variants, selectors, { field, value }) !== 'none'
              return (
                <Checkbox
                  key={value}
                  size="xs"
                  label={value}
                  checked={isChosen}
                  indeterminate={isReached}
                  title={isReached ? 'Some of its variants run because of another choice' : undefined}
                  onChange={() => onToggle(name, value)}
                />
              )
            })}
          </fieldset>
        ))}
    </div>
  )
}
