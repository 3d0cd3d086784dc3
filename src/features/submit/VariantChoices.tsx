import { Button } from '@mantine/core'

import type { Variant } from '#contract/variants.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { count, counted } from '#src/format/numbers.ts'
import { type Chosen, noSelectors, selectedVariants, toggleVariant } from './selected-variants.ts'
import classes from './SubmitForm.module.css'
import { useShortList } from './use-short-list.tsx'

type Props = { variants: readonly Variant[]; chosen: Chosen; onSelect: (chosen: Chosen) => void }

/** Exactly what will run, with a checkbox for each variant. */
export function VariantChoices({ variants, chosen, onSelect }: Props) {
  const selected = new Set(selectedVariants(variants, chosen))
  const { shown, search, rest } = useShortList(variants, ({ variantId }) => nameOfAxes(variantId), 'variants')
  const isWhole = selected.size === variants.length
  return (
    <section className={classes.variants} aria-label="Variants">
      <header className={classes.variantsHeader}>
        <span>
          {isWhole && variants.length > 1
            ? `All ${counted(variants.length, 'variant')} selected`
            : `${count(selected.size)} of ${counted(variants.length, 'variant')} selected`}
        </span>
        <span className={classes.variantsActions}>
          {!isWhole && (
            <Button variant="subtle" size="compact-xs" onClick={() => onSelect(noSelectors)}>
              Select all
            </Button>
          )}
          {selected.size > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={() => onSelect(null)}>
              Clear
            </Button>
          )}
        </span>
      </header>
      {search}
      <ul className={classes.list}>
        {shown.map((variant) => (
          <li key={variant.variantId} className={classes.variant} data-runs={selected.has(variant) || undefined}>
            <label>
              <input
                type="checkbox"
                checked={selected.has(variant)}
                onChange={() => onSelect(toggleVariant(variants, chosen, variant))}
              />
              <span className={classes.variantId}>{nameOfAxes(variant.variantId)}</span>
            </label>
          </li>
        ))}
      </ul>
      {rest}
    </section>
  )
}
