import { z } from 'zod'

import { limits } from '#contract/wire/limit.ts'

/** The validation rules of an insight, shared by POST /insights, PATCH, `saveInsight` of a query, and their forms. */

export const InsightHeading = z.string().trim().min(1, 'must not be blank').max(200)

/** Kebab-case, so that a slug never equals an id (`ins_…`) or a chart reference (`chart:…`). */
export const InsightSlug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words of letters and digits, joined by -')

export const InsightSql = z
  .string()
  .refine((sql) => sql.trim() !== '', 'must not be blank')
  .refine(
    (sql) => new TextEncoder().encode(sql).length <= limits.sqlBytes,
    `must be ${limits.sqlBytes.toLocaleString('en')} bytes or less`,
  )

/** '' means no description. */
export const InsightDescription = z.string().trim().max(4000)

const Label = z.string().trim().min(1, 'must not be blank').max(60)

/** A set: each label once, in the given order. */
export const InsightLabels = z
  .array(Label)
  .max(1000)
  .transform((labels) => [...new Set(labels)])
  .refine((labels) => labels.length <= 20, 'must have 20 labels or less')

/**
 * Where an insight comes from, which also limits what its SQL can read: the organization, one experiment, or one run.
 */
export const Provenance = z.object({
  kind: z.enum(['none', 'experiment', 'run']),
  experimentId: z.string().optional(),
  /** The composite run id. */
  runId: z.string().optional(),
})
export type Provenance = z.infer<typeof Provenance>

/** Provenance in responses, with the UUID of the run. */
export const ResolvedProvenance = Provenance.extend({ runUuid: z.uuid().optional() })
export type ResolvedProvenance = z.infer<typeof ResolvedProvenance>

/** `legacy` is the retired pipeline. Such an insight is kept, but cannot be executed or shared. */
export const DataSchema = z.enum(['session_data_v1', 'legacy'])
export type DataSchema = z.infer<typeof DataSchema>

const Column = z.string().min(1).max(500)

/**
 * How a result is drawn. Columns are given by name. `number` shows `y[0]` of the first row. A heatmap has `x` across,
 * `series` down and `y[0]` in its cells. Every other chart splits its marks by `series`. The reader must handle columns
 * that a result does not have.
 */
export const Presentation = z.object({
  kind: z.enum(['table', 'line', 'bar', 'scatter', 'box', 'heatmap', 'number']),
  x: Column.optional(),
  y: z.array(Column).max(20).default([]),
  series: Column.optional(),
})
export type Presentation = z.output<typeof Presentation>
