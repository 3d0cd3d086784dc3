import { z } from 'zod'

import { limits } from './wire/limit.ts'

/** The rules of what an insight holds, for POST /insights, PATCH, `saveInsight` of a query, and their forms. */

export const InsightHeading = z.string().trim().min(1, 'must not be blank').max(200)

/** Kebab-case, so that a slug is never an id (`ins_…`) nor a chart reference (`chart:…`). */
export const InsightSlug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, in words joined by -')

export const InsightSql = z
  .string()
  .refine((sql) => sql.trim() !== '', 'must not be blank')
  .refine(
    (sql) => new TextEncoder().encode(sql).length <= limits.sqlBytes,
    `must be ${limits.sqlBytes.toLocaleString('en')} bytes or less`,
  )

/** '' is none. */
export const InsightDescription = z.string().trim().max(4000)

const Label = z.string().trim().min(1, 'must not be blank').max(60)

/** A set: each label once, in the order given. */
export const InsightLabels = z
  .array(Label)
  .max(1000)
  .transform((labels) => [...new Set(labels)])
  .refine((labels) => labels.length <= 20, 'must have 20 labels or less')

/** Where an insight comes from, which is also what its SQL may see: the organization, one experiment, or one run. */
export const Provenance = z.object({
  kind: z.enum(['none', 'experiment', 'run']),
  experimentId: z.string().optional(),
  /** The composite id. */
  runId: z.string().optional(),
})
export type Provenance = z.infer<typeof Provenance>

/** As answers show it, with the UUID of the run. */
export const ResolvedProvenance = Provenance.extend({ runUuid: z.uuid().optional() })
export type ResolvedProvenance = z.infer<typeof ResolvedProvenance>

/** `legacy` is the retired pipeline: such an insight can be kept, but neither viewed nor shared. */
export const DataSchema = z.enum(['session_data_v1', 'legacy'])
export type DataSchema = z.infer<typeof DataSchema>

const Column = z.string().min(1).max(500)

/**
 * How a result is drawn; columns by name. `number` shows `y[0]` of the first row; a heatmap has `x` across, `series` down
 * and `y[0]` in its cells; everywhere else `series` splits the marks. Columns that a result lacks are the reader's to mind.
 */
export const Presentation = z.object({
  kind: z.enum(['table', 'line', 'bar', 'scatter', 'box', 'heatmap', 'number']),
  x: Column.optional(),
  y: z.array(Column).max(20).default([]),
  series: Column.optional(),
})
export type Presentation = z.output<typeof Presentation>
