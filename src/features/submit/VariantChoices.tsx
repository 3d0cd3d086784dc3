import { Button } from '@mantine/core'

import type { Variant } from '#contract/variants.ts'
import { count } from '#src/format/numbers.ts'
import { type Selectors, isWholeMatrix, reasonsFor, selectedVariants } from './selected-variants.ts'
import classes from './SubmitForm.module.css'

type Props = {
  variants: readonly Variant[]
  selectors: Selectors
  onToggle: (name: 'variantIds', variantId: string) => void
  onClear: () => void
}

/** Exactly what will run and why; a variant can also be chosen by itself. */
export function VariantChoices({ variants, selectors, onToggle, onClear }: Props) {
  const isWhole = isWholeMatrix(selectors)
  const running = selectedVariants(variants, selectors).length
  return (
    <section className={classes.variants} aria-label="Variants">
      <header className={classes.variantsHeader}>
        <span>
          {isWhole
            ? `All ${count(variants.length)} variants run`
            : `${count(running)} of ${count(variants.length)} variants run`}
        </span>
        {!isWhole && (
          <Button variant="subtle" size="compact-xs" onClick={onClear}>
            Whole matrix
          </Button>
        )}
      </header>
      <ul className={classes.list}>
        {variants.map((variant) => (
          <VariantRow
            key={variant.variantId}
            variantId={variant.variantId}
            isWhole={isWhole}
            isExact={selectors.variantIds.includes(variant.variantId)}
            reasons={reasonsFor(variant, selectors)}
            onToggle={() => onToggle('variantIds', variant.variantId)}
          />
        ))}
      </ul>
    </section>
  )
}

type RowProps = { variantId: string; isWhole: boolean; isExact: boolean; reasons: string[]; onToggle: () => void }

function VariantRow({ variantId, isWhole, isExact, reasons, onToggle }: RowProps) {
  const runs = isWhole || reasons.length > 0
  const isHeldByAxis = !isExact && reasons.length > 0
  return (
    <li className={classes.variant} data-runs={runs || undefined}>
      <label>
        <input type="checkbox" checked={!isWhole && runs} disabled={isHeldByAxis} onChange={onToggle} />
        <span className={classes.variantId}>{variantId}</span>
      </label>
      <span className={classes.reason}>{reasons.join(', ')}</span>
    </li>
  )
}
