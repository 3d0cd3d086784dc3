import { Button, NativeSelect, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import type { ExperimentVersion } from '#contract/experiments.ts'
import { countChanges } from '#src/editor/count-changes.ts'
import { DiffView } from '#src/editor/DiffView.tsx'
import { experimentYamlOptions } from '#src/api/experiments.ts'
import { shortId } from '#src/format/ids.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { counted } from '#src/format/numbers.ts'
import classes from './VersionDiff.module.css'
import definitionBar from './definition-bar.module.css'

/** `+2 −1` with a text for screen readers. */
const DiffStats = ({ added, removed }: { added: number; removed: number }) => (
  <output className={classes.stats}>
    {added + removed === 0 ? (
      'No changes'
    ) : (
      <>
        <b className={classes.added}>+{added}</b> <b className={classes.removed}>−{removed}</b>
        <VisuallyHidden>
          {' '}
          {counted(added, 'line')} added, {counted(removed, 'line')} removed
        </VisuallyHidden>
      </>
    )}
  </output>
)

type Props = {
  experimentId: string
  versions: readonly ExperimentVersion[]
  before: string
  after: string
  /** The effect of the change, shown above the diff. */
  children: ReactNode
}

/** Two versions side by side. The URL contains both. */
export function VersionDiff({ experimentId, versions, before, after, children }: Props) {
  const url = useQueryState()
  const isUnified = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [showsAll, setShowsAll] = useState(false)
  const { data: textBefore } = useSuspenseQuery(experimentYamlOptions(experimentId, before))
  const { data: textAfter } = useSuspenseQuery(experimentYamlOptions(experimentId, after))
  const changes = countChanges(textBefore, textAfter)
  const versionName = (requested: string) =>
    `v${versions.find(({ fingerprint }) => fingerprint === requested)?.ordinal ?? '?'}`
  return (
    <section aria-label={`${versionName(before)} vs ${versionName(after)}`}>
      <div className={definitionBar.bar}>
        <VersionSelect label="Before" versions={versions} value={before} onChange={(against) => url.set({ against })} />
        <Button
          variant="default"
          aria-label="Swap sides"
          title="Swap sides"
          onClick={() => url.set({ against: after, version: before })}
        >
          ⇄
        </Button>
        <VersionSelect label="After" versions={versions} value={after} onChange={(version) => url.set({ version })} />
        <DiffStats {...changes} />
        <span className={classes.verbs}>
          <Button variant="default" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Collapse unchanged' : 'Show all lines'}
          </Button>
          <Button variant="default" onClick={() => url.push({ against: null })}>
            Close
          </Button>
        </span>
      </div>
      {before !== after && children}
      <div className={classes.diff}>
        <DiffView
          before={{ label: versionName(before), text: textBefore }}
          after={{ label: versionName(after), text: textAfter }}
          isUnified={isUnified}
          showsAll={showsAll}
          isYaml
        />
      </div>
    </section>
  )
}

type VersionSelectProps = {
  label: string
  versions: readonly ExperimentVersion[]
  value: string
  onChange: (fingerprint: string) => void
}

/** One side of a diff. */
const VersionSelect = ({ label, versions, value, onChange }: VersionSelectProps) => (
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
