import type { Budget } from '#contract/budgets.ts'
import type { FinishedRequest, FlippedTest, HomeView } from '#contract/home.ts'
import { describeLeftOut } from '#contract/infrastructure.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'

/** One sentence that needs attention, with the pages that show why. */
export type AttentionItem = {
  /** The same for the same news, so that it stays dismissed; another for the next news. */
  id: string
  tone: 'failed' | 'passed' | 'neutral'
  sentence: string
  evidence: { label: string; href: string }[]
  at?: string
}

/** The items of one source; with an error there may be more. */
export type Found = { items: AttentionItem[]; error: Error | null }

type Changed = HomeView['attention']['changedExperiments'][number]

/** Tests that are named; the others are counted. */
const namedTests = 3

/** The tests that broke come first, then failed requests, and tests that got better last. */
export function attentionItems({ attention, latest }: Pick<HomeView, 'attention' | 'latest'>): AttentionItem[] {
  const { changedExperiments, erroredRequests, pendingSuggestions = [] } = attention
  const worse = changedExperiments.flatMap((changed) => flips(changed, false))
  const explained = new Set(changedExperiments.map(({ experimentId }) => experimentId))
  return [
    ...worse,
    ...latest.filter((request, place) => isUnsolved(request, place, latest, explained)).map(unsolved),
    ...erroredRequests.map(errored),
    ...pendingSuggestions.map(({ id, kind, targetId, author }) => ({
      id: `suggestion ${id}`,
      tone: 'neutral' as const,
      sentence: `${author.name} suggests a change to the ${kind.replace('_', ' ')} ${targetId}`,
      evidence: [{ label: 'Decide', href: paths.contextSuggestions({ suggestion: id }) }],
    })),
    ...changedExperiments.flatMap((changed) => flips(changed, true)),
  ]
}

function flips(changed: Changed, passes: boolean): AttentionItem[] {
  const { experimentId, experimentName, fromOrdinal, toOrdinal, fromVersion, toVersion, changedAt } = changed
  const tests = changed.flippedTests.filter((test) => test.passes === passes)
  if (tests.length === 0) return []
  const more = tests.length - namedTests
  const chance = tests.filter(({ mayBeChance }) => mayBeChance).length
  const variant = sharedVariant(tests)
  const named = tests.slice(0, namedTests).map((test) => (variant ? quoted(test) : flippedTestName(test)))
  const list = named.join(', ') + (more > 0 ? ` and ${more} more` : '')
  const doubt = chance > 0 ? ` (${chance === tests.length ? '' : `${chance} of them `}may be chance)` : ''
  return [
    {
      id: `flips ${experimentId} ${toOrdinal} ${passes} ${tests.length}`,
      tone: passes ? 'passed' : 'failed',
      sentence: `${experimentName} v${toOrdinal}: ${counted(tests.length, 'test')} ${verb(tests.length, passes)} since v${fromOrdinal}${variant ? ` in ${nameOfAxes(variant)}` : ''}: ${list}${doubt}`,
      at: changedAt,
      evidence: [
        {
          label: 'Changes of the definition',
          href: paths.experiment(experimentId, 'definition', { version: toVersion, against: fromVersion }),
        },
        {
          label: 'Compare the versions',
          href: paths.experiment(experimentId, 'results', { view: 'compare', by: 'version' }),
        },
        ...(passes
          ? []
          : [
              {
                label: 'Failing runs',
                href: paths.experiment(experimentId, 'runs', { version_scope: toVersion, result: 'unsolved' }),
              },
            ]),
      ],
    },
  ]
}

const verb = (count: number, passes: boolean) =>
  `${passes ? 'pass' : 'fail'}${count === 1 ? (passes ? 'es' : 's') : ''} more often`

/** The only variant of several tests, which is named once. */
function sharedVariant(tests: readonly FlippedTest[]) {
  const variants = new Set(tests.flatMap(({ variantIds }) => variantIds))
  const [variant] = variants
  return tests.length > 1 && variants.size === 1 ? variant : undefined
}

/** Names of tests may contain commas. */
const quoted = ({ test }: FlippedTest) => `“${test}”`

/** `“refuses IIII” (hasty · terse)`, or the number of variants if there are several. */
function flippedTestName(test: FlippedTest) {
  const [first = '', ...others] = test.variantIds
  return `${quoted(test)} (${others.length === 0 ? nameOfAxes(first) : `${others.length + 1} variants`})`
}

/** Whether the newest request of an experiment solved nothing, which no flipped test says yet. */
function isUnsolved(
  { experimentId, solved, mock }: FinishedRequest,
  place: number,
  all: readonly FinishedRequest[],
  explained: ReadonlySet<string>,
) {
  const isNewest = all.findIndex((other) => other.experimentId === experimentId) === place
  return isNewest && !mock && solved.runs > 0 && solved.solved === 0 && !explained.has(experimentId)
}

const unsolved = ({ id, experimentName, ordinal, solved, endedAt }: FinishedRequest): AttentionItem => ({
  id: `unsolved ${id}`,
  tone: 'failed',
  sentence: `${experimentName} v${ordinal}: none of ${counted(solved.runs, 'run')} is solved`,
  evidence: [{ label: 'Failing runs', href: paths.run(id) }],
  at: endedAt,
})

const errored = (request: FinishedRequest): AttentionItem => {
  const { id, experimentName, ordinal, erroredCount, runCount, leftOutRuns, endedAt } = request
  const leftOut = describeLeftOut(leftOutRuns)
  return {
    id: `errored ${id}`,
    tone: 'failed',
    sentence: `${experimentName} v${ordinal}: ${erroredCount} of ${counted(runCount, 'run')} errored${leftOut === null ? '' : `; ${leftOut}`}`,
    evidence: [{ label: 'Errored runs', href: paths.run(id, { status: 'errored' }) }],
    at: endedAt,
  }
}

/** Budgets that reached the percentage of their warning, or their limit. */
export const budgetItems = (budgets: readonly Budget[], month: string): AttentionItem[] =>
  budgets.flatMap((budget) => {
    const percent = Math.floor(((budget.spentUsd + budget.reservedUsd) / budget.monthlyLimitUsd) * 100)
    if (percent < budget.warnAtPercent) return []
    const isFull = percent >= 100
    const name = budget.scope === 'organization' ? 'the organization' : budget.label || budget.key
    return [
      {
        id: `budget ${budget.id} ${month} ${isFull}`,
        tone: isFull ? ('failed' as const) : ('neutral' as const),
        sentence: `${percent} % of the monthly budget of ${name} is spent or reserved${isFull && budget.isHard ? ', so new runs are refused' : ''}`,
        evidence: [{ label: 'Budgets', href: paths.credits() }],
      },
    ]
  })
