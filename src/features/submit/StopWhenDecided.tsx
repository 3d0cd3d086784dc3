import { NativeSelect, NumberInput, Switch } from '@mantine/core'

import type { Experiment } from '#contract/experiments.ts'
import { axesToDecide } from '#contract/until-decided.ts'
import type { PromptTasks } from '#contract/prompt-tasks.ts'
import type { Variant } from '#contract/variants.ts'
import { axesOfGrouping } from '#contract/grouping-axes.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { counted } from '#src/format/numbers.ts'
import type { Form } from '#src/forms/use-form.ts'
import { defaultGrouping, groupingChoices } from '#src/shared/leaderboard/groupings.ts'
import { stoppingRule } from '#statistics/stopping/until-decided.ts'
import { groupsToDecide, promptsToDecide } from './decidable.ts'
import { runsToEnd, type SubmissionValues } from './submission-values.ts'
import classes from './SubmitForm.module.css'

type Props = {
  form: Form<SubmissionValues>
  experiment: Pick<Experiment, 'axes' | 'variants' | 'promptTasks'>
  variants: readonly Variant[]
}

/** The question of a request, and where it ends at the latest. */
export function StopWhenDecided({ form, experiment, variants }: Props) {
  const { decideBy } = form.values
  const groupings = groupingChoices(experiment, defaultGrouping(experiment)).filter(isDecidable)
  const first = groupings.find((groupBy) => groupsToDecide(groupBy, variants).size > 1) ?? ''
  if (first === '' && decideBy === '') return null
  return (
    <section className={classes.decide} aria-label="Stop when decided">
      <Switch
        size="xs"
        label="Stop when decided"
        description="Ends the request early once the question is clear, and cancels the runs that are left"
        checked={decideBy !== ''}
        onChange={({ currentTarget }) =>
          form.setValues({ ...runsToEnd, decideBy: currentTarget.checked ? first || 'agent' : '' })
        }
      />
      {decideBy !== '' && <Question {...{ form, variants, groupings }} promptTasks={experiment.promptTasks} />}
    </section>
  )
}

/** `Agent mode and model` */
function groupingWords(groupBy: string) {
  const [first = '', ...others] = groupBy.replaceAll('_', ' ').split('~')
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' and ')
}

const isDecidable = (groupBy: string) => axesOfGrouping(groupBy).every((axis) => axesToDecide.includes(axis))

type QuestionProps = Pick<Props, 'form' | 'variants'> & { promptTasks: PromptTasks; groupings: readonly string[] }

function Question({ form, variants, promptTasks, groupings }: QuestionProps) {
  const { decideBy, decideLeft } = form.values
  const groups = [...groupsToDecide(decideBy, variants).keys()]
  const named = (all: readonly string[]) => all.map((group) => ({ value: group, label: groupLabel(group) }))
  const [one = '', other = ''] = groups
  const isPair = decideLeft !== ''
  const { size, noun } = promptsToDecide(form.values, variants, promptTasks)
  return (
    <>
      <div className={classes.options}>
        <NativeSelect
          size="xs"
          label="Compare by"
          {...form.getInputProps('decideBy')}
          onChange={({ currentTarget }) =>
            form.setValues({ decideBy: currentTarget.value, decideLeft: '', decideRight: '' })
          }
          data={groupings.map((groupBy) => ({ value: groupBy, label: groupingWords(groupBy) }))}
        />
        <NativeSelect
          size="xs"
          label="Question"
          value={isPair ? 'pair' : 'best'}
          onChange={({ currentTarget }) =>
            form.setValues(
              currentTarget.value === 'pair'
                ? { decideLeft: one, decideRight: other }
                : { decideLeft: '', decideRight: '' },
            )
          }
          data={[
            { value: 'best', label: groups.length > 2 ? `Which of ${groups.length} is best` : 'Which is best' },
            { value: 'pair', label: 'One against another' },
          ]}
        />
        {isPair && (
          <>
            <NativeSelect size="xs" label="One" {...form.getInputProps('decideLeft')} data={named(groups)} />
            <NativeSelect size="xs" label="Another" {...form.getInputProps('decideRight')} data={named(groups)} />
          </>
        )}
        <NumberInput
          size="xs"
          label="End at a cost of"
          placeholder="When all have run"
          prefix="$"
          min={0}
          allowNegative={false}
          decimalScale={4}
          {...form.getInputProps('endUsd')}
          onChange={(value) => form.setFieldValue('endUsd', typeof value === 'number' ? value : '')}
        />
      </div>
      <small>
        After each complete prompt, from {stoppingRule.fewestPrompts} of {counted(size, noun)} on, the request stops if
        p is below {stoppingRule.earlyLevel}. At its end, p below {stoppingRule.endLevel} counts. This cannot be changed
        later.
      </small>
    </>
  )
}
