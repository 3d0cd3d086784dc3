import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'

import { keepTag, putRetention, retentionKinds, retentionLimits, RetentionRules } from '#contract/retention.ts'
import { saveRetention } from '#src/api/retention.ts'
import { LinesInput } from '#src/features/settings/LinesInput.tsx'
import { MovedPolicy } from '#src/features/settings/MovedPolicy.tsx'
import { linesOf, numberOf } from '#src/features/settings/read-fields.ts'
import { usePolicyForm } from '#src/features/settings/use-policy-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import formParts from '#src/ui/form-parts.module.css'
import { emptyMeans, kindHelp, kindLabels } from './kind-words.ts'
import { Preview } from './Preview.tsx'
import classes from './retention.module.css'

const labels = { ...kindLabels, keptExperiments: 'Kept experiments' }

const textOf = (days: number | null) => String(days ?? '')

export function RetentionForm({ policy }: { policy: RetentionRules & { updatedAt: string | null } }) {
  const { form, moved, discard } = usePolicyForm(policy, {
    schema: putRetention.body,
    send: saveRetention,
    valuesOf: (rules) => ({
      transcripts: textOf(rules.transcripts),
      outputs: textOf(rules.outputs),
      changes: textOf(rules.changes),
      runs: textOf(rules.runs),
      notifications: textOf(rules.notifications),
      deliveries: textOf(rules.deliveries),
      keptExperiments: rules.keptExperiments.join('\n'),
    }),
    rulesOf: toRules,
    fieldOf: (path) => path.split('.')[0],
  })
  const [proposed] = useDebouncedValue(JSON.stringify(toRules(form.values)), 300)
  const rules = RetentionRules.safeParse(JSON.parse(proposed))
  return (
    <form onSubmit={form.submit} noValidate autoComplete="off">
      <Section title="Rules">
        <div className={classes.fields}>
          {retentionKinds.map((kind) => (
            <TextInput
              key={kind}
              label={kindLabels[kind]}
              description={kindHelp[kind]}
              inputMode="numeric"
              classNames={{ wrapper: classes.days }}
              placeholder={emptyMeans[kind]}
              rightSection={
                (form.values[kind] !== '' || emptyMeans[kind] !== 'Forever') && <span aria-hidden>days</span>
              }
              rightSectionWidth={52}
              {...form.getInputProps(kind)}
            />
          ))}
          <p className={mutedText.note}>
            At least {retentionLimits.minDays} days. Data of a run counts from the end of the run, so an imported run
            may already be old enough. Leave a field empty for the value that it shows.
          </p>
        </div>
      </Section>
      <Section title="Exceptions">
        <div className={classes.fields}>
          <LinesInput
            label={labels.keptExperiments}
            description="One id per line. Nothing of their runs is removed."
            {...form.getInputProps('keptExperiments')}
          />
          <p className={mutedText.note}>
            Nothing is removed from runs with the tag “{keepTag}” or from runs that a published insight reads (except
            insights over all experiments). A label on a turn keeps the transcript, and a label on a test keeps the
            output of its run’s tests. Runs that a schedule started this month are kept, because its monthly limit
            counts them.
          </p>
        </div>
      </Section>
      {rules.success && <Preview rules={rules.data} />}
      <div className={classes.foot}>
        <MovedPolicy moved={moved} labels={labels} what="the retention rules" onDiscard={discard} />
        {form.failure && !moved && <ErrorNotice title="The rules were not saved" error={form.failure} />}
        <Button type="submit" className={formParts.verbAtStart} loading={form.isPending}>
          Save rules
        </Button>
      </div>
    </form>
  )
}

type Texts = Record<keyof RetentionRules, string>

const toRules = ({ keptExperiments, ...days }: Texts): RetentionRules => ({
  transcripts: numberOf(days.transcripts),
  outputs: numberOf(days.outputs),
  changes: numberOf(days.changes),
  runs: numberOf(days.runs),
  notifications: numberOf(days.notifications),
  deliveries: numberOf(days.deliveries),
  keptExperiments: linesOf(keptExperiments),
})
