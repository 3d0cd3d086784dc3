import { contextKinds, ContextId } from '#contract/context-kinds.ts'
import { formatInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { formatMention } from '#contract/report-blocks/mentions.ts'
import { experimentListOptions } from '#src/api/experiments.ts'
import { insightPagesOptions } from '#src/api/insights.ts'
import { queryClient } from '#src/api/query-client.ts'
import { reportPagesOptions } from '#src/api/reports.ts'
import { runListOptions } from '#src/api/runs.ts'
import type { MarkdownInsert } from '#src/editor/MarkdownEditor.tsx'

const fresh = { staleTime: 30_000 }
const most = 6

/** `experiment:roman` looks among experiments alone, `roman` among everything that can be named. */
export async function suggestMentions(typed: string): Promise<MarkdownInsert[]> {
  const [, kind = '', words = ''] = /^(?:(\w+):)?(.*)$/.exec(typed) ?? []
  if (kind === '' && words.length < 2) return []
  const contextKind = contextKinds.find((known) => known === kind)
  if (contextKind) return ContextId.safeParse(words).success ? [contextMention(contextKind, words)] : []
  const wanted = Object.entries(sources).filter(([name]) => kind === '' || kind === name)
  // A source that does not answer leaves the others.
  const found = await Promise.allSettled(wanted.map(([, source]) => source(words)))
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.slice(0, most) : []))
}

const mention = (label: string, detail: string, text: string): MarkdownInsert => ({
  label,
  detail,
  text,
  isBlock: false,
})

const contextMention = (contextKind: (typeof contextKinds)[number], id: string) =>
  mention(id, contextKind.replace('_', ' '), formatMention({ kind: 'context', contextKind, id }, id))

const sources: Record<string, (words: string) => Promise<MarkdownInsert[]>> = {
  async experiment(words) {
    const options = experimentListOptions({ search: words || undefined, limit: most })
    const { experiments } = await queryClient.fetchQuery({
      queryKey: options.queryKey,
      queryFn: options.queryFn,
      ...fresh,
    })
    return experiments.map(({ id, name }) =>
      mention(name, `experiment ${id}`, formatMention({ kind: 'experiment', id }, name)),
    )
  },

  async insight(words) {
    const { pages } = await queryClient.fetchInfiniteQuery({
      ...insightPagesOptions({ search: words || undefined }, most),
      ...fresh,
    })
    return pages.flatMap(({ insights }) =>
      insights.map(({ heading, reference, ...insight }) => ({
        label: heading,
        detail: 'insight, live',
        text: formatInsightBlock({ ref: insight.type === 'sql' ? insight.slug : reference }),
        isBlock: true,
      })),
    )
  },

  async run(words) {
    const runs = await latestRuns()
    return runs
      .filter((run) => holds([run.variantId, run.experimentId, run.experimentName, run.id], words))
      .map(({ id, variantId, repeat, experimentName }) => {
        const name = `${variantId} #${repeat}`
        return mention(name, `run of ${experimentName}`, formatMention({ kind: 'run', id }, name))
      })
  },

  async person(words) {
    const { pages } = await queryClient.fetchInfiniteQuery({ ...reportPagesOptions(), ...fresh })
    const writers = pages.flatMap(({ reports }) =>
      reports.flatMap(({ createdBy, updatedBy }) => [createdBy, updatedBy]),
    )
    const submitters = (await latestRuns()).map(({ triggeredBy }) => triggeredBy)
    const people = new Map([...writers, ...submitters].map(({ id, name }) => [id, name]))
    return [...people]
      .filter(([, name]) => holds([name], words))
      .map(([id, name]) => mention(name, 'person', formatMention({ kind: 'person', id }, name)))
  },
}

async function latestRuns() {
  const { queryKey, queryFn, initialPageParam, getNextPageParam } = runListOptions({})
  const { pages } = await queryClient.fetchInfiniteQuery({
    queryKey,
    queryFn,
    initialPageParam,
    getNextPageParam,
    ...fresh,
  })
  return pages.flatMap(({ runs }) => runs)
}

const holds = (names: readonly string[], words: string) =>
  names.some((name) => name.toLowerCase().includes(words.toLowerCase()))
