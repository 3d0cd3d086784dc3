import { z } from 'zod'

/** What a definition does wrong so that no agent starts. */
const definitionCauses = ['image_unusable', 'setup_failed', 'agent_not_started'] as const

/**
 * Why a run says nothing about its agent: the platform ended an attempt of it, or its agent never started. What an
 * agent does, and the limits that it exceeds, are no such causes. See docs/decisions/054-whose-failure.md.
 */
export const InfrastructureCause = z.enum([
  'worker_lost',
  'worker_failed',
  'sandbox',
  'disk_full',
  'image_pull',
  'provider_outage',
  ...definitionCauses,
])
export type InfrastructureCause = z.infer<typeof InfrastructureCause>

export const infrastructureCauses = InfrastructureCause.options

/** Each cause in words, for "image pull failed (2)". */
export const causeLabels: Record<InfrastructureCause, string> = {
  worker_lost: 'worker lost',
  worker_failed: 'worker failed',
  sandbox: 'sandbox unavailable',
  disk_full: 'disk full',
  image_pull: 'image pull failed',
  provider_outage: 'model provider failed',
  image_unusable: 'image could not be built or used',
  setup_failed: 'setup failed',
  agent_not_started: 'agent could not start',
}

/** Whether the definition, and not the platform, kept the agent from starting. */
export const isOfDefinition = (cause: InfrastructureCause) => definitionCauses.some((each) => each === cause)

/** Why results leave a run out, as a sentence without its end. */
export const whyLeftOut = (cause: InfrastructureCause) =>
  isOfDefinition(cause)
    ? 'The agent never started, so results leave this run out'
    : 'Infrastructure ended this run, so results leave it out'

/** How many runs of each cause are left out of a result. Causes without runs are absent. */
export const LeftOutRuns = z.partialRecord(InfrastructureCause, z.int().min(0))
export type LeftOutRuns = z.infer<typeof LeftOutRuns>

export const countLeftOut = (leftOut: LeftOutRuns) => Object.values(leftOut).reduce((sum, runs) => sum + runs, 0)

/** Whether results leave the run out, because infrastructure ended it or its agent never started. */
export const isLeftOut = ({ infrastructureCause }: { infrastructureCause?: InfrastructureCause | null | undefined }) =>
  infrastructureCause !== undefined && infrastructureCause !== null

/** "3 runs left out: image pull failed (2), worker lost (1)", or null without such runs. */
export function describeLeftOut(leftOut: LeftOutRuns): string | null {
  const total = countLeftOut(leftOut)
  if (total === 0) return null
  const parts = infrastructureCauses
    .flatMap((cause) => ((leftOut[cause] ?? 0) > 0 ? [{ runs: leftOut[cause] ?? 0, label: causeLabels[cause] }] : []))
    .toSorted((a, b) => b.runs - a.runs)
    .map(({ runs, label }) => `${label} (${runs.toLocaleString('en')})`)
  return `${total.toLocaleString('en')} ${total === 1 ? 'run' : 'runs'} left out: ${parts.join(', ')}`
}
