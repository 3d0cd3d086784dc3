import type { ExperimentSummary } from '#contract/experiments.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './insights.module.css'
import { sqlDraft } from './sql-draft.ts'

const shown = 12

/** Experiments to choose from: those with drafts first, then the latest. */
export function ExperimentChoices({
  experiments,
  userId,
}: {
  experiments: readonly ExperimentSummary[]
  userId: string
}) {
  const choices = experiments
    .map((experiment) => ({
      ...experiment,
      hasDraft: sqlDraft({ kind: 'experiment', experimentId: experiment.id }, userId).read() !== null,
    }))
    .sort((a, b) => Number(b.hasDraft) - Number(a.hasDraft) || b.lastActivityAt.localeCompare(a.lastActivityAt))
    .slice(0, shown)
  if (choices.length === 0) return null
  return (
    <Section title="Choose an experiment">
      <ul className={classes.lines}>
        {choices.map(({ id, name, runCount, hasDraft }) => (
          <li key={id} className={classes.line}>
            <TextLink href={paths.query({ experiment: id })}>{name}</TextLink>
            <span className={mutedText.note}>
              {hasDraft && 'unsaved draft · '}
              {counted(runCount, 'run')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
