import { useQuery } from '@tanstack/react-query'

import type { Definition } from '#contract/definition.ts'
import { policyFaults } from '#contract/run-policy.ts'
import { taskPatternsOf } from '#contract/task-folders.ts'
import { type Axes, axesOf, type Variant, variantsOf } from '#contract/variants.ts'
import { runPolicyOptions } from '#src/api/run-policy.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { AxesList } from '#src/ui/AxesList.tsx'
import { counted } from '#src/format/numbers.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import { Section } from '#src/ui/Section.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { describePrompts } from './describe-prompts.ts'
import { MatrixPreview } from './MatrixPreview.tsx'
import { PromptPreview } from './PromptPreview.tsx'
import { variantMatrix } from './variant-matrix.ts'
import classes from './VariantPreview.module.css'

const most = 60

/** Where every prompt has an environment of its own, the prompt decides the environment, so it does not vary by itself. */
const varyingAxes = ({ prompts = [] }: Definition, axes: Axes): Axes =>
  prompts.length > 0 && prompts.every(({ environment }) => environment !== undefined)
    ? { ...axes, environments: [] }
    : axes

/** A live preview of the text's axes and variants. */
export function VariantPreview({ definition }: { definition: Definition }) {
  const folders = taskPatternsOf(definition)
  const variants = variantsOf(definition)
  const axes = axesOf(definition)
  const prompts = describePrompts(definition, variants)
  return (
    <>
      <Section title="Axes">
        <AxesList axes={axes} />
      </Section>
      {prompts.length > 0 && (
        <Section title={counted(prompts.length, 'prompt')}>
          <PromptPreview prompts={prompts} />
        </Section>
      )}
      {folders.length > 0 ? (
        <Section title="Tasks">
          <p className={mutedText.note}>
            Each task folder in {folders.join(', ')} is one more prompt, in an environment of its own. Its variants are
            known once the folders are pushed.
          </p>
        </Section>
      ) : (
        <Variants definition={definition} axes={axes} variants={variants} />
      )}
    </>
  )
}

type VariantsProps = { definition: Definition; axes: Axes; variants: readonly Variant[] }

function Variants({ definition, axes, variants }: VariantsProps) {
  const matrix = variantMatrix(varyingAxes(definition, axes), variants)
  return (
    <Section title={counted(variants.length, 'variant')}>
      <RefusedByPolicy definition={definition} variants={variants} />
      {matrix && <MatrixPreview matrix={matrix} />}
      {!matrix?.isWhole && (
        <ScrollRegion label="Variants, scrollable" className={classes.scroll}>
          <ol className={classes.variants}>
            {variants.slice(0, most).map(({ variantId }) => (
              <li key={variantId}>{nameOfAxes(variantId)}</li>
            ))}
          </ol>
        </ScrollRegion>
      )}
      {!matrix?.isWhole && variants.length > most && (
        <p className={mutedText.note}>and {variants.length - most} more</p>
      )}
    </Section>
  )
}

const mostRefusals = 10

/** What the run policy does not allow in real runs of this text. */
function RefusedByPolicy({ definition, variants }: { definition: Definition; variants: readonly Variant[] }) {
  const { data } = useQuery(runPolicyOptions())
  const faults = data ? policyFaults(data, definition, variants) : []
  if (faults.length === 0) return null
  return (
    <Notice title="The run policy does not allow real runs of some variants.">
      {faults
        .slice(0, mostRefusals)
        .map(({ path, message }) => `${path}: ${message}`)
        .join('; ')}
      {faults.length > mostRefusals && `; and ${faults.length - mostRefusals} more`}.
    </Notice>
  )
}
