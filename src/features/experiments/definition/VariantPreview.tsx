import { type Definition, dependenciesOf } from '#contract/definition.ts'
import { axesOf, variantsOf } from '#contract/variants.ts'
import { AxesList } from '#src/ui/AxesList.tsx'
import { counted } from '#src/format/numbers.ts'
import { Section } from '#src/ui/Section.tsx'
import { StagingNotice } from './StagingNotice.tsx'
import classes from './VariantPreview.module.css'

const most = 60

/** What the text would make: its axes and every variant, while it is written. */
export function VariantPreview({ definition }: { definition: Definition }) {
  const variants = variantsOf(definition)
  const dependencies = dependenciesOf(definition)
  return (
    <>
      {dependencies.length > 0 && <StagingNotice dependencies={dependencies} />}
      <Section title="Axes">
        <AxesList axes={axesOf(definition)} />
      </Section>
      <Section title={counted(variants.length, 'variant')}>
        <ol className={classes.variants}>
          {variants.slice(0, most).map(({ variantId }) => (
            <li key={variantId}>{variantId}</li>
          ))}
        </ol>
        {variants.length > most && <p className={classes.more}>and {variants.length - most} more</p>}
      </Section>
    </>
  )
}
