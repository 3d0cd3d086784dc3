import { VisuallyHidden } from '@mantine/core'

import { nameOfAxes } from '#src/format/ids.ts'
import type { VariantMatrix } from './variant-matrix.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import classes from './MatrixPreview.module.css'

/** Marks which pairs of two axes are variants, or counts the variants if more axes vary. */
export const MatrixPreview = ({ matrix: { columns, rows, isWhole } }: { matrix: VariantMatrix }) => (
  <ScrollRegion label="Matrix of variants, scrollable" className={classes.scroll}>
    <table className={classes.matrix} aria-label="Variants by axis">
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Axis</VisuallyHidden>
          </th>
          {columns.map((id) => (
            <th key={id} scope="col" title={id}>
              {id}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr key={id}>
            <th scope="row" title={id}>
              {id}
            </th>
            {cells.map((variants, index) => (
              <td
                key={columns[index]}
                title={variants.map(({ variantId }) => nameOfAxes(variantId)).join('\n') || 'Not a variant'}
                data-included={variants.length > 0}
              >
                {variants.length === 0 ? '–' : isWhole ? '●' : variants.length}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)
