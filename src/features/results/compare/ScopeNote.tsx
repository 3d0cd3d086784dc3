import { promptsText } from '#src/format/comparison-sentence.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { type ComparedAxis, type Sides, axesOfCompared } from './compare-sides.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import classes from './Compare.module.css'

type Props = { comparison: Comparison; compared: ComparedAxis; alsoDiffer: Sides['alsoDiffer'] }

/** Explains the scope of a verdict, and why the other scope is not offered. */
export const ScopeNote = (props: Props) => (
  <p className={classes.note}>
    {scopeNote(props)}
    {isChoice(props.comparison) && (
      <PageOnly andForm> Choose “Prompts like these” for a verdict on other prompts.</PageOnly>
    )}
  </p>
)

/** Whether the reader of the page can choose the other scope. */
const isChoice = ({ scope, prompts }: Comparison) => scope === 'these prompts' && prompts.arePaired

export function scopeNote({ comparison: { scope, prompts }, compared, alsoDiffer }: Props) {
  if (scope === 'prompts like these')
    return `Treats the ${promptsText(prompts, 'matched prompt')} as a random sample: Student’s t over one difference per prompt${prompts.tasks === undefined ? '' : ', where the prompts of a task are one cluster'}.`
  if (alsoDiffer.includes('prompt'))
    return 'The groups have no prompt in common: a difference could be that of their prompts, so there is no verdict.'
  if (prompts.arePaired) return 'Treats these prompts as fixed, so the verdict may not apply to other prompts.'
  const why = axesOfCompared(compared).includes('prompt')
    ? 'the groups are prompts, so there is nothing to pair by prompt'
    : 'a verdict on other prompts needs at least two prompts that both groups ran'
  return `The verdict is only about these runs: ${why}.`
}
