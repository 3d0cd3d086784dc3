import { UnstyledButton } from '@mantine/core'

import { nameOfAxes } from '#src/format/ids.ts'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'
import squareClasses from '#src/ui/Square.module.css'
import { GridSquare } from './GridSquare.tsx'
import { type GridRow, loadedIds } from './request-grid.ts'
import classes from './RequestGrid.module.css'
import type { useSquareSelection } from './use-square-selection.ts'

type Props = { rows: readonly GridRow[]; selection: ReturnType<typeof useSquareSelection> }

/** One square per run. Squares are links until a selection starts; then squares and variants are toggles. */
export function SquareTable({ rows, selection: { chosen, active, toggle, handlers } }: Props) {
  return (
    <table
      aria-label="Runs by variant and repeat"
      className={classes.grid}
      data-choosing={chosen !== null || undefined}
      {...handlers}
    >
      <tbody>
        {rows.map(({ variantId, runs }, row) => (
          <tr key={variantId}>
            <th scope="row">
              {chosen === null ? (
                <TruncatedText>{nameOfAxes(variantId)}</TruncatedText>
              ) : (
                <UnstyledButton className={classes.choose} onClick={() => toggle(loadedIds(runs), { row, column: 0 })}>
                  <TruncatedText>{nameOfAxes(variantId)}</TruncatedText>
                </UnstyledButton>
              )}
            </th>
            <td>
              <div className={squareClasses.squares}>
                {runs.map((run, column) => (
                  <GridSquare
                    key={run?.runUuid ?? `${variantId} ${column}`}
                    run={run}
                    place={`${row} ${column}`}
                    isChosen={chosen && run !== undefined && chosen.has(run.runUuid)}
                    isActive={active.row === row && active.column === column}
                  />
                ))}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
