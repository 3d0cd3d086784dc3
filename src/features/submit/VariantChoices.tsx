import { Button } from '@mantine/core'

import type { Variant } from '#contract/variants.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { count, counted } from '#src/format/numbers.ts'
import {
  type Selectors,
  isWholeMatrix,
  matchingSelectors,
  selectedVariants,
  toggleVariant,
  whyDisabled,
} from './selected-variants.ts'
import classes from './SubmitForm.module.css'

type Props = {
  variants: readonly Variant[]
  selectors: Selectors
  onSelect: (selectors: Selectors) => void
  onClear: () => void
}

/** Exactly what will run and why; a variant can also be selected individually. */
export function VariantChoices({ variants, selectors, onSelect, onClear }: Props) {
  const isWhole = isWholeMatrix(selectors)
  const running = new Set(selectedVariants(variants, selectors))
  return (
    <section className={classes.variants} aria-label="Variants">
      <header className={classes.variantsHeader}>
        <span>
          {isWhole && variants.length > 1
            ? `All ${counted(variants.length, 'variant')} selected`
            : `${count(running.size)} of ${counted(variants.length, 'variant')} selected`}
        </span>
        {!isWhole && (
          <Button variant="subtle" size="compact-xs" onClick={onClear}>
            Select all
          </Button>
        )}
      </header>
      <ul className={classes.list}>
        {variants.map((variant) => {
          const { variantId } = variant
          const isChosen = selectors.variantIds.includes(variantId)
          const coverage = running.has(variant) ? 'all' : 'none'
          const fixed = whyDisabled({ isChosen, coverage, others: variants.length - 1 }, isWhole)
          return (
            <li key={variantId} className={classes.variant} data-runs={running.has(variant) || undefined}>
              <label title={fixed ?? undefined}>
                <input
                  type="checkbox"
                  checked={running.has(variant)}
                  disabled={fixed !== null}
                  onChange={() => onSelect(toggleVariant(selectors, variantId, variants))}
                />
                <span className={classes.variantId}>{nameOfAxes(variantId)}</span>
              </label>
              <span className={classes.reason}>{matchingSelectors(variant, selectors).join(', ')}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
