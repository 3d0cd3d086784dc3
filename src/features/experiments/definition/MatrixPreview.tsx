import { VisuallyHidden } from '@mantine/core'

import type { VariantMatrix } from './variant-matrix.ts'
import classes from './MatrixPreview.module.css'

/** Which pairs of two axes are variants. */
export const MatrixPreview = ({ matrix: { columns, rows } }: { matrix: VariantMatrix }) => (
  <div className={classes.scroll}>
    <table className={classes.matrix} aria-label="Variants by axis">
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Axis</VisuallyHidden>
          </th>
          {columns.map((id) => (
            <th key={id} scope="col">
              {id}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr key={id}>
            <th scope="row">{id}</th>
            {cells.map((variant, index) => (
              <td key={columns[index]} title={variant?.variantId ?? 'Left out'} data-included={variant !== null}>
                {variant ? '●' : '–'}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
