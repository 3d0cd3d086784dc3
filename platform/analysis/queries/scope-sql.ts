import { type AnalyticsTable, analyticsTableNames } from '#contract/sql-tables.ts'
import type { QueryParameter } from '#platform/ground/services/analytics.ts'
import { columnsOf, dataSchema, hiddenRows } from '#platform/analysis/analytics/create-tables.ts'
import type { ScopedSql } from './query-scope.ts'

type ScopedStatement = { sql: string; parameters: Record<string, QueryParameter> }

/**
 * Builds the statement to execute. `statement` reads tables of `columnsOf`, which contain only the scope's rows
 * and none of the platform's own columns. The conditions are in PREWHERE because the engine evaluates nothing else
 * of a row before it. In WHERE, an error in the user's expression could reveal the content of a row outside the scope.
 */
export function scopeSql(statement: string, scoped: Omit<ScopedSql, 'sql'>): ScopedStatement {
  const { conditions, parameters } = scopeConditions(scoped)
  const tables = analyticsTableNames.map(
    (table) =>
      `${table} AS (SELECT ${columnsOf[table].join(', ')} FROM ${dataSchema}.${table} FINAL PREWHERE ${conditions.join(' AND ')}${shown(table)})`,
  )
  const sql = `WITH ${tables.join(',\n')}\nSELECT * FROM (\n${statement}\n) LIMIT ${scoped.limit + 1}`
  return { sql, parameters }
}

/** After FINAL, unlike the scope: before it, the engine would drop the row that replaces a removed one. */
const shown = (table: AnalyticsTable) => (hiddenRows[table] ? ` WHERE NOT (${hiddenRows[table]})` : '')

function scopeConditions({ organizationId, scope, includeTestAware }: Omit<ScopedSql, 'sql'>) {
  const conditions = ['organization_id = {scopeOrganization:UUID}']
  const parameters: ScopedStatement['parameters'] = { scopeOrganization: organizationId }
  if (scope.kind === 'experiment') {
    conditions.push('experiment_id = {scopeExperiment:String}')
    parameters['scopeExperiment'] = scope.experimentId
  }
  if (scope.kind === 'run') {
    conditions.push('id = {scopeRun:String}')
    parameters['scopeRun'] = scope.runId
  }
  if (scope.kind !== 'run' && !includeTestAware) conditions.push('NOT test_aware')
  return { conditions, parameters }
}
