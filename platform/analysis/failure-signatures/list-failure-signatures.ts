import { groupExpression } from '#contract/chart-columns.ts'
import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { FailureSignature, listFailureSignatures as endpoint } from '#contract/failure-signatures.ts'
import { limits } from '#contract/wire/limit.ts'
import { toEndedAt } from '#platform/analysis/charts/chart-page.ts'
import { type ChartScope, searchedScope } from '#platform/analysis/charts/chart-scope.ts'
import { countGroups } from '#platform/analysis/charts/count-groups.ts'
import { resolveScope } from '#platform/analysis/charts/resolve-scope.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findMessage } from '#platform/analysis/projection/signatures/find-message.ts'
import { waitForProjection } from '#platform/analysis/projection/wait-for-projection.ts'
import { findSpread } from './find-spread.ts'

type Row = Pick<FailureSignature, 'id' | 'kind' | 'signature' | 'runs' | 'tests'> & {
  groups: Omit<FailureSignature['groups'][number], 'ofRuns'>[]
  firstSeen: string
  lastSeen: string
  example: Omit<FailureSignature['example'], 'id'>
}

/** The newest failure as a named tuple. Ids break ties between equal times, so that the answer repeats. */
const example = `argMax(CAST(tuple(id, toString(run_id), test_name, turn, example),
    'Tuple(runId String, runUuid String, testName Nullable(String), turn Nullable(UInt32), text String)'), (ended_at, run_id, place))`

/**
 * GET /experiments/{id}/failure-signatures. A run is in one group, so the runs of a signature are the sum over its
 * groups. Errors: those of resolveScope.
 */
export async function listFailureSignatures(
  context: Context,
  { id, kind = [], limit = limits.failureSignatures.default, ...query }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const pendingRuns = await waitForProjection(context, {
    organizationId: context.organization.id,
    experimentId: id,
  })
  const chart = await resolveScope(context, id, query)
  const [population, totals, signatures] = await Promise.all([
    countGroups(context, chart, { withInfrastructure: true }),
    countAll(context, chart, kind),
    findSignatures(context, chart, { kind, limit }),
  ])
  return { ...population, ...totals, signatures, ...(pendingRuns > 0 && { pendingRuns }) }
}

function failuresIn(chart: ChartScope, kind: readonly string[]) {
  const { condition, parameters } = searchedScope(chart)
  if (kind.length === 0) return { condition, parameters }
  return { condition: `${condition} AND has({kinds:Array(String)}, kind)`, parameters: { ...parameters, kinds: kind } }
}

async function countAll({ analytics, organization }: Context, chart: ChartScope, kind: readonly string[]) {
  const { condition, parameters } = failuresIn(chart, kind)
  const [row] = await analytics.query(
    organization.id,
    `SELECT toUInt32(uniqExact(run_id)) AS failedRuns, toUInt32(uniqExact(signature_id)) AS total
     FROM failures FINAL WHERE ${condition}`,
    { parameters },
  )
  return { failedRuns: Number(row?.['failedRuns'] ?? 0), total: Number(row?.['total'] ?? 0) }
}

async function findSignatures(
  { analytics, organization }: Context,
  chart: ChartScope,
  { kind, limit }: { kind: readonly string[]; limit: number },
): Promise<FailureSignature[]> {
  const { condition, parameters } = failuresIn(chart, kind)
  const rows = (await analytics.query(
    organization.id,
    `SELECT signatureId AS id, any(ofKind) AS kind, any(message) AS signature,
       toUInt32(sum(groupRuns)) AS runs, toUInt32(sum(groupTests)) AS tests,
       toString(min(first)) AS firstSeen, toString(max(last)) AS lastSeen,
       argMax(newest, (last, group)) AS example,
       arraySort(groupArray(CAST(tuple(group, groupRuns, groupTests),
         'Tuple(group String, runs UInt32, tests UInt32)'))) AS groups
     FROM (
       SELECT signature_id AS signatureId, any(kind) AS ofKind, any(signature) AS message,
         ${groupExpression(chart.groupBy)} AS group, toUInt32(uniqExact(run_id)) AS groupRuns,
         toUInt32(countIf(test_name IS NOT NULL)) AS groupTests, min(ended_at) AS first, max(ended_at) AS last,
         ${example} AS newest
       FROM failures FINAL WHERE ${condition} GROUP BY signatureId, group
     ) GROUP BY id ORDER BY runs DESC, tests DESC, signature, id LIMIT ${limit}`,
    { parameters },
  )) as Row[]
  const spread = await findSpread(
    { analytics, organization },
    chart,
    rows.map(({ id }) => id),
  )
  return rows.map(({ firstSeen, lastSeen, example: newest, groups, ...row }) => {
    const { tests, runsOfGroups } = spread(row.id)
    return {
      ...row,
      ...tests,
      message: messageOf(row, newest),
      groups: groups.map((group) => ({ ...group, ofRuns: runsOfGroups.get(group.group) ?? group.runs })),
      groupCount: Math.max(groups.length, runsOfGroups.size),
      firstSeenAt: toEndedAt(firstSeen),
      lastSeenAt: toEndedAt(lastSeen),
      example: { id: newest.runId, ...newest },
    }
  })
}

/** The newest message with its values, where it has the signature: an example is cut, and may show another one first. */
function messageOf({ kind, signature }: Pick<Row, 'kind' | 'signature'>, { text, testName }: Row['example']) {
  const found = kind === 'message' ? findMessage(text, testName ?? '') : null
  return found?.signature === signature ? found.message : signature
}
