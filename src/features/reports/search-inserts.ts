import { type ContextKind, contextKinds, ContextId } from '#contract/context-kinds.ts'
import { formatChartBlock } from '#contract/report-blocks/chart-blocks.ts'
import { formatInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { formatMention } from '#contract/report-blocks/mentions.ts'
import { listsRecordsOptions, recordPagesOptions } from '#src/api/context-records.ts'
import { suggestionPagesOptions } from '#src/api/context-suggestions.ts'
import { allExperimentsOptions, experimentListOptions } from '#src/api/experiments.ts'
import { fetchRows } from '#src/api/infinite-list.ts'
import { insightPagesOptions } from '#src/api/insights.ts'
import { knownRecords } from '#src/api/known-records.ts'
import { memberListOptions } from '#src/api/members.ts'
import { queryClient } from '#src/api/query-client.ts'
import { runListOptions } from '#src/api/runs.ts'
import type { MarkdownInsert } from '#src/editor/insert-item.ts'
import { sortByMatch, toSearchable } from '#src/editor/match-words.ts'
import { paths } from '#src/paths.ts'
import { viewLabels, viewNames } from '#src/shared/figures/view-names.ts'

const staleTime = 30_000
const most = 6

/** How many the platform is asked for. */
const searched = 30

/** `experiment:roman` searches only experiments; `roman` searches everything that can be mentioned. */
export async function searchInserts(typed: string, limit = most): Promise<MarkdownInsert[]> {
  const [, kind = '', words = ''] = /^(?:(\w+):)?(.*)$/.exec(typed) ?? []
  if (kind === '' && words.length < 2) return []
  const contextKind = contextKinds.find((known) => known === kind)
  if (contextKind) return suggestRecords(contextKind, words)
  if (kind === 'chart') return suggestCharts(words)
  const wanted = Object.entries(sources).filter(([name]) => kind === '' || kind === name)
  // If one source fails, the others are still offered.
  const found = await Promise.allSettled(wanted.map(([, source]) => source(words)))
  const matches = found.flatMap((result) =>
    result.status === 'fulfilled' ? byName(result.value, words).slice(0, limit) : [],
  )
  return byName(matches, words)
}

/** The best match of a name first, because the platform also finds parts of ids; equal ones in the order of `sources`. */
const byName = (items: readonly MarkdownInsert[], words: string) => sortByMatch(items, words, ({ label }) => label)

/** What `@` offers: `@run:roman` searches only runs, `@roman` everything that a text can mention. */
export async function searchMentions(typed: string): Promise<MarkdownInsert[]> {
  const found = await searchInserts(typed === '' ? 'person:' : typed)
  return found.filter(({ isBlock }) => !isBlock)
}

const mention = (label: string, detail: string, text: string): MarkdownInsert => ({
  label,
  detail,
  text,
  isBlock: false,
})

const recordMention = (contextKind: ContextKind, { id, name = id }: { id: string; name?: string }) => {
  const kind = contextKind.replace('_', ' ')
  return mention(name, name === id ? kind : `${kind} ${id}`, formatMention({ kind: 'context', contextKind, id }, name))
}

/** Suggests records of the kind, ids of experiments that may have one, and last the typed id itself. */
async function suggestRecords(kind: ContextKind, words: string): Promise<MarkdownInsert[]> {
  const { experiments } = await queryClient.fetchQuery(allExperimentsOptions()).catch(() => ({ experiments: [] }))
  const listed = await searchRecords(words, kind)
  const known = knownRecords(kind, { experiments, suggestions: listed ? [] : await fetchOwnSuggestions() })
    .filter(({ id, name = '' }) => holds([id, name], words))
    .filter(({ id }) => !listed?.some(({ targetId }) => targetId === id))
  const found = [...(listed ?? []).map(({ targetId: id, name }) => ({ id, name })), ...known].slice(0, most)
  const isNew = ContextId.safeParse(words).success && !found.some(({ id }) => id === words)
  return [...found, ...(isNew ? [{ id: words }] : [])].map((record) => recordMention(kind, record))
}

/** The most experiments whose charts are suggested at once. */
const chartedExperiments = 4

/** `roman heat` → the words that a view has, and the rest, which an experiment has to have. */
function splitWords(words: string) {
  const all = words.split(/\s+/).filter((word) => word !== '')
  const ofView = all.filter((word) => viewNames.some((view) => holds([viewLabels[view]], word)))
  return [ofView, all.filter((word) => !ofView.includes(word)).join(' ')] as const
}

/** Finds charts by words of their view and of their experiment. */
async function suggestCharts(words: string): Promise<MarkdownInsert[]> {
  const [ofView, ofExperiment] = splitWords(words)
  const named = viewNames.filter((view) => ofView.every((word) => holds([viewLabels[view]], word)))
  const search = ofExperiment || undefined
  const options = experimentListOptions({ search, limit: chartedExperiments })
  const { experiments } = await queryClient.fetchQuery({
    queryKey: options.queryKey,
    queryFn: options.queryFn,
    staleTime,
  })
  return experiments.flatMap(({ id, name }) =>
    named.map((view) => ({
      label: `${viewLabels[view]}: ${name}`,
      detail: `live chart of ${id}`,
      text: formatChartBlock({
        page: paths.experiment(id, 'results', { view: view !== 'leaderboard' && view }),
        title: `${name}: ${viewLabels[view].toLowerCase()}`,
        size: 'full',
        align: 'left',
      }),
      isBlock: true,
    })),
  )
}

/** People first: a mention usually names somebody. */
const sources: Record<string, (words: string) => Promise<MarkdownInsert[]>> = {
  async person(words) {
    const members = await fetchRows(memberListOptions(), staleTime)
    return members
      .filter(({ name, email }) => holds([name, email], words))
      .map(({ id, name, email }) => mention(name, email, formatMention({ kind: 'person', id }, name)))
  },

  async experiment(words) {
    const options = experimentListOptions({ search: words || undefined, limit: searched })
    const { experiments } = await queryClient.fetchQuery({
      queryKey: options.queryKey,
      queryFn: options.queryFn,
      staleTime,
    })
    return experiments.map(({ id, name }) =>
      mention(name, `experiment ${id}`, formatMention({ kind: 'experiment', id }, name)),
    )
  },

  async insight(words) {
    const insights = await fetchRows(insightPagesOptions({ search: words || undefined }, searched), staleTime)
    return insights.map(({ heading, reference, ...insight }) => ({
      label: heading,
      detail: 'insight, live',
      text: formatInsightBlock({ ref: insight.type === 'sql' ? insight.slug : reference }),
      isBlock: true,
    }))
  },

  async run(words) {
    const [latest, matching] = await Promise.all([
      latestRuns(),
      words.length < 2 ? [] : fetchRows(runListOptions({ search: words }, 50), staleTime),
    ])
    const named = latest.filter((run) => holds([run.variantId, run.experimentId, run.experimentName, run.id], words))
    const runs = new Map([...named, ...matching].map((run) => [run.id, run]))
    return [...runs.values()].map(({ id, variantId, repeat, experimentName, status }) => {
      const name = `${variantId} #${repeat}`
      return mention(name, `run of ${experimentName}, ${status}`, formatMention({ kind: 'run', id }, name))
    })
  },

  /** Only ids of every kind that are known to be records. */
  async context(words) {
    const listed = await searchRecords(words)
    if (listed) return listed.map(({ kind, targetId: id, name }) => recordMention(kind, { id, name }))
    const suggestions = await fetchOwnSuggestions()
    return contextKinds.flatMap((kind) =>
      knownRecords(kind, { experiments: [], suggestions })
        .filter(({ id, name = '' }) => holds([id, name], words))
        .map((record) => recordMention(kind, record)),
    )
  },
}

const latestRuns = () => fetchRows(runListOptions({}), staleTime)

/** Null where the platform can’t list records, which is remembered, so that typing does not ask again. */
async function searchRecords(words: string, kind?: ContextKind) {
  if (!(await queryClient.fetchQuery(listsRecordsOptions()).catch(() => false))) return null
  const search = words.trim().slice(0, 200)
  const filters = { ...(search !== '' && { search }), ...(kind && { kind: [kind] }), pageSize: searched }
  return fetchRows(recordPagesOptions(filters), staleTime).catch(() => null)
}

/** Returns none if suggestions are disabled, and remembers that, so that typing does not ask again. */
async function fetchOwnSuggestions() {
  const options = suggestionPagesOptions()
  const failedAt = queryClient.getQueryState(options.queryKey)?.errorUpdatedAt ?? 0
  if (Date.now() - failedAt < staleTime) return []
  return fetchRows(options, staleTime).catch(() => [])
}

const holds = (names: readonly string[], words: string) =>
  names.some((name) => toSearchable(name).includes(toSearchable(words)))
