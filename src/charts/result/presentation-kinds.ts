import type { Presentation } from '#contract/insight-fields.ts'

export type PresentationKind = Exclude<Presentation['kind'], 'table'>

/** The columns of a result, by type. */
export type ColumnNames = {
  all: readonly string[]
  numbers: readonly string[]
  times: readonly string[]
  texts: readonly string[]
}

type Roles = { x?: string | undefined; y?: string | undefined; series?: string | undefined }

type Kind = {
  label: string
  needs: readonly ('x' | 'y' | 'series')[]
  /** The columns that suit the kind, in the order of the result. */
  suggest: (names: ColumnNames) => Roles
  /** The labels of the column fields; a kind without a label has no such field. */
  controls: { x?: string; series?: string; hasManyValues: boolean }
  /** True if `x` is a number or a time. */
  needsScale?: boolean
}

/** The kinds of chart that a result can have, in the order of the menu. draw-result.ts has the drawing of each. */
export const presentationKinds: Record<PresentationKind, Kind> = {
  bar: {
    label: 'Bar',
    needs: ['x', 'y'],
    // Without a text column the first number names the bars.
    suggest: ({ all, numbers, times, texts }) => ({
      x: texts[0] ?? times[0] ?? all[0],
      y: texts.length === 0 && numbers.length > 1 ? numbers[1] : numbers[0],
      series: texts[1],
    }),
    controls: { x: 'Bars', series: 'Color', hasManyValues: true },
  },
  line: {
    label: 'Line',
    needs: ['x', 'y'],
    suggest: ({ numbers, times, texts }) =>
      times.length > 0 || numbers.length === 0
        ? { x: times[0], y: numbers[0], series: texts[0] }
        : { x: texts[0] ?? numbers[0], y: texts.length > 0 ? numbers[0] : numbers[1], series: texts[1] },
    controls: { x: 'X axis', series: 'Color', hasManyValues: true },
  },
  scatter: {
    label: 'Scatter',
    needs: ['x', 'y'],
    suggest: ({ numbers, times, texts }) => ({
      x: numbers.length > 1 ? numbers[0] : times[0],
      y: numbers[1] ?? numbers[0],
      series: texts[0],
    }),
    controls: { x: 'X axis', series: 'Color', hasManyValues: true },
    needsScale: true,
  },
  box: {
    label: 'Box',
    needs: ['y'],
    suggest: ({ numbers, texts }) => ({ x: texts[0], y: numbers[0] }),
    controls: { x: 'Boxes', series: 'Color', hasManyValues: true },
  },
  heatmap: {
    label: 'Heatmap',
    needs: ['x', 'y', 'series'],
    suggest: ({ numbers, times, texts }) => ({ x: texts[1] ?? times[0], y: numbers[0], series: texts[0] }),
    controls: { x: 'X axis', series: 'Y axis', hasManyValues: false },
  },
  number: {
    label: 'Number',
    needs: ['y'],
    suggest: ({ numbers }) => ({ y: numbers[0] }),
    controls: { hasManyValues: false },
  },
}
