import type { CallInput } from '#contract/endpoint.ts'
import { getHome, type HomeView } from '#contract/home.ts'
import { pollWhileUnfinished } from './polling.ts'
import { endpointOptions } from './query-client.ts'

/** New requests of others appear within this time. An unchanged answer has no body. */
const idlePollMs = 10_000

const whileUnfinished = pollWhileUnfinished(({ unfinished }: HomeView) => unfinished[0]?.createdAt ?? null)

export const homeOptions = (input: CallInput<typeof getHome>) => ({
  ...endpointOptions(getHome, input),
  refetchInterval: (query: Parameters<typeof whileUnfinished>[0]) => whileUnfinished(query) || idlePollMs,
})
