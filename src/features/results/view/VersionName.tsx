import { useQuery } from '@tanstack/react-query'

import type { Experiment } from '#contract/experiments.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { shortId } from '#src/format/ids.ts'

type Props = { experiment: Experiment; version: string }

export const VersionName = ({ experiment, version }: Props) => useVersionName(experiment, version)

/** `v2` or `all versions`; a part of the fingerprint until the versions are loaded. */
export function useVersionName(experiment: Experiment, version: string): string {
  const isNewest = version === experiment.fingerprint
  const { data } = useQuery({ ...versionListOptions(experiment.id), enabled: version !== 'all' && !isNewest })
  if (version === 'all') return 'all versions'
  const { ordinal } = isNewest ? experiment : (data?.versions.find((each) => each.fingerprint === version) ?? {})
  return ordinal === undefined ? `version ${shortId(version)}` : `v${ordinal}`
}
