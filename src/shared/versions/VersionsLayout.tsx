import { Button, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'

import { exactTime } from '#src/format/dates.ts'
import classes from './VersionsLayout.module.css'

type ListedVersion = { id: string; at: string; by: string; detail?: string }

export type Comparison = 'before' | 'now' | 'whole'

type Props = {
  /** Newest first. */
  versions: readonly ListedVersion[]
  /** The place of the chosen version in the list. */
  place: number
  onChoose: (id: string) => void
  /** The comparisons to choose from, by the names that readers see. */
  comparisons: readonly { value: Comparison; label: string; disabled?: boolean }[]
  comparison: Comparison
  onCompare: (comparison: Comparison) => void
  /** Null for the newest version, and for readers who may not restore. */
  restore: { pending: boolean; onRestore: () => void } | null
  /** Below the list. */
  more?: ReactNode
  children: ReactNode
}

/** The versions of something on the left, and what the chosen one changed on the right. */
export function VersionsLayout({ versions, place, onChoose, restore, more, children, ...does }: Props) {
  return (
    <div className={classes.page}>
      <nav aria-label="Versions" className={classes.versions}>
        <ol>
          {versions.map(({ id, at, by, detail }, index) => (
            <li key={id}>
              <button type="button" aria-current={index === place ? 'true' : undefined} onClick={() => onChoose(id)}>
                <time dateTime={at}>{exactTime(at)}</time>
                <span>
                  {by}
                  {index === 0 && ' · current'}
                </span>
                {detail && <span>{detail}</span>}
              </button>
            </li>
          ))}
        </ol>
        {more}
      </nav>
      {versions[place] && (
        <section aria-label="Changes" className={classes.changes}>
          <div className={classes.bar}>
            {does.comparisons.length > 0 && (
              <SegmentedControl
                size="xs"
                aria-label="Compare with"
                data={[...does.comparisons]}
                value={does.comparison}
                onChange={(value) => does.onCompare(value as Comparison)}
              />
            )}
            {restore && (
              <Button size="xs" variant="default" loading={restore.pending} onClick={restore.onRestore}>
                Restore this version…
              </Button>
            )}
          </div>
          {children}
        </section>
      )}
    </div>
  )
}
