import type { Presentation } from '#contract/insight-fields.ts'
import type { ColumnNames } from './column-names.ts'

export type PresentationKind = Exclude<Presentation['kind'], 'table'>

type Roles = { x?: string | undefined; y?: string | undefined; series?: string | undefined }

type Kind = {
  label: string
  needs: readonly ('x' | 'y' | 'series')[]
  /** The columns that suit the kind. */
  suggest: (names: ColumnNames) => Roles
  /** The labels of the column fields; a kind without a label has no such field. */
  controls: { x?: string; series?: string; hasManyValues: boolean }
  /** True if `x` is a number or a time. */
  needsScale?: boolean
}

/** The kinds of chart that a result can have, in the order of the menu. plan-result.ts plans what each of them shows. */
export const presentationKinds: Record<PresentationKind, Kind> = {
  bar: {
    label: 'Bar',
    needs: ['x', 'y'],
    // Without a text column the first other column names the bars.
    suggest: ({ all, numbers, times, texts, groups }) => {
      const x = texts[0] ?? times[0] ?? all.find((name) => name !== numbers[0]) ?? all[0]
      return { x, y: numbers[0], series: groups.includes(x ?? '') ? groups.find((name) => name !== x) : undefined }
    },
    controls: { x: 'Bars', series: 'Color', hasManyValues: true },
  },
  line: {
    label: 'Line',
    needs: ['x', 'y'],
    suggest: ({ numbers, scales, times, texts, groups }) => {
      const x = times[0] ?? texts[0] ?? scales.find((name) => name !== numbers[0])
      return { x, y: numbers[0], series: groups.find((name) => name !== x) }
    },
    controls: { x: 'X axis', series: 'Color', hasManyValues: true },
  },
  scatter: {
    label: 'Scatter',
    needs: ['x', 'y'],
    suggest: ({ numbers, scales, times, groups }) => ({
      x: scales.find((name) => name !== numbers[0]) ?? times[0],
      y: numbers[0],
      series: groups[0],
    }),
    controls: { x: 'X axis', series: 'Color', hasManyValues: true },
    needsScale: true,
  },
  box: {
    label: 'Box',
    needs: ['y'],
    suggest: ({ numbers, groups }) => ({ x: groups[0], y: numbers[0] }),
    controls: { x: 'Boxes', series: 'Color', hasManyValues: true },
  },
  heatmap: {
    label: 'Heatmap',
    needs: ['x', 'y', 'series'],
    suggest: ({ numbers, times, labels }) => ({ x: labels[1] ?? times[0], y: numbers[0], series: labels[0] }),
    controls: { x: 'X axis', series: 'Y axis', hasManyValues: false },
  },
  number: {
    label: 'Number',
    needs: ['y'],
    suggest: ({ numbers }) => ({ y: numbers[0] }),
    controls: { hasManyValues: false },
  },
}
