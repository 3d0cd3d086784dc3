import { NativeSelect } from '@mantine/core'

import type { ExperimentVersion } from '#contract/experiments.ts'
import { shortId } from '#src/format/ids.ts'

type Props = {
  label: string
  versions: readonly ExperimentVersion[]
  value: string
  onChange: (fingerprint: string) => void
}

/** One side of a diff. */
export const VersionSelect = ({ label, versions, value, onChange }: Props) => (
  <NativeSelect
    size="xs"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    data={versions.map(({ fingerprint, ordinal }, index) => ({
      value: fingerprint,
      label: `v${ordinal} · ${shortId(fingerprint)}${index === 0 ? ' · latest' : ''}`,
    }))}
  />
)
