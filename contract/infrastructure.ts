import { z } from 'zod'

/**
 * Why the platform, and not the agent, ended an attempt of a run. Mistakes in a definition and the limits of a run are no
 * such causes. See docs/decisions/054-whose-failure.md.
 */
export const InfrastructureCause = z.enum([
  'worker_lost',
  'worker_failed',
  'sandbox',
  'disk_full',
  'image_pull',
  'provider_outage',
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
}

/** How many runs of each cause are left out of a result. Causes without runs are absent. */
export const LeftOutRuns = z.partialRecord(InfrastructureCause, z.int().min(0))
export type LeftOutRuns = z.infer<typeof LeftOutRuns>

export const countLeftOut = (leftOut: LeftOutRuns) => Object.values(leftOut).reduce((sum, runs) => sum + runs, 0)

/** Whether infrastructure ended the run, so that results leave it out. */
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
