import type { Experiment } from '#contract/experiments.ts'
import { count } from '#src/format/numbers.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import { Section } from '#src/ui/Section.tsx'
import classes from './OverviewTaskNotes.module.css'

const maxNamed = 5

type Props = { notes: Experiment['taskNotes']; promptCount: number }

/** What readers of results must know about tasks, such as terms of a benchmark that runs don't keep. */
export function OverviewTaskNotes({ notes, promptCount }: Props) {
  if (notes.length === 0) return null
  return (
    <Section title={`Notes on tasks (${count(notes.length)})`}>
      <ScrollRegion label="Notes on tasks, scrollable" className={classes.scroll}>
        <ul className={classes.list}>
          {notes.map(({ text, prompts }) => (
            <li key={text}>
              {text} <span className={classes.tasks}>{inWords(prompts, promptCount)}</span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </Section>
  )
}

function inWords(prompts: readonly string[], promptCount: number) {
  if (prompts.length === promptCount && promptCount > 1) return `All ${count(promptCount)} tasks`
  const named = prompts.slice(0, maxNamed).join(', ')
  return prompts.length > maxNamed ? `${named} and ${count(prompts.length - maxNamed)} more` : named
}
